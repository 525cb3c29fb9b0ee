// The client: calls by path, by group and name, and the loops over them.
import { FormatError } from './errors.ts';
import { type ChangesBatch, changesSince } from './follow/changes.ts';
import { type RoundSettings, rounds } from './follow/rounds.ts';
import {
  followReplay,
  followStream,
  type ReplayBatch,
  type StreamBatch,
  type StreamSettings,
} from './follow/stream.ts';
import type { operations } from './generated/openapi.ts';
import { OPERATIONS } from './generated/operations.ts';
import { addressOf, type Query } from './http/address.ts';
import { chunksOf, jsonOf, textOf } from './http/exchange.ts';
import { type Credits, creditsOf, type RateLimit, rateLimitOf } from './http/metering.ts';
import { type Call, send } from './http/send.ts';
import { nextQueryOf } from './pages.ts';
import { type OddsClientOptions, type Settings, settingsOf } from './settings.ts';
import type {
  CallSettings,
  DownloadSettings,
  Immutable,
  JsonPath,
  Method,
  OperationAt,
  OperationGroups,
  OptionsOf,
  PagedPath,
  PathOf,
  PolledPath,
  ResultOf,
} from './types.ts';

type Replayed = Immutable<
  Omit<NonNullable<operations['racing_replay']['parameters']['query']>, 'format' | 'last_event_id'>
>;
type Filters = Immutable<NonNullable<operations['racing_changes_stream']['parameters']['query']>>;

const STREAM = '/v1/racing/changes/stream';
const REPLAY = '/v1/racing/replay';
const CHANGES = '/v1/racing/changes';

class Calls {
  readonly #settings: Settings;
  #credits: Credits | null = null;
  #rateLimit: RateLimit | null = null;

  constructor(options: OddsClientOptions = {}) {
    this.#settings = settingsOf(options);
    Object.assign(
      this,
      groupsOf((call) => this.#json(call)),
    );
  }

  /** As the last answer that had them reported them; null: none had yet. */
  get credits(): Credits | null {
    return this.#credits;
  }

  /** As the last answer that had it reported it; null: none had yet. */
  get rateLimit(): RateLimit | null {
    return this.#rateLimit;
  }

  get<P extends JsonPath>(
    path: P,
    ...options: OptionsOf<OperationAt<'get', P>>
  ): Promise<ResultOf<OperationAt<'get', P>>> {
    return this.#json({ method: 'get', path, options: options[0] ?? {} });
  }

  post<P extends PathOf<'post'>>(
    path: P,
    ...options: OptionsOf<OperationAt<'post', P>>
  ): Promise<ResultOf<OperationAt<'post', P>>> {
    return this.#json({ method: 'post', path, options: options[0] ?? {} });
  }

  patch<P extends PathOf<'patch'>>(
    path: P,
    ...options: OptionsOf<OperationAt<'patch', P>>
  ): Promise<ResultOf<OperationAt<'patch', P>>> {
    return this.#json({ method: 'patch', path, options: options[0] ?? {} });
  }

  delete<P extends PathOf<'delete'>>(
    path: P,
    ...options: OptionsOf<OperationAt<'delete', P>>
  ): Promise<ResultOf<OperationAt<'delete', P>>> {
    return this.#json({ method: 'delete', path, options: options[0] ?? {} });
  }

  /** An answer as text: `{ query: { format: 'csv' } }`. */
  text<P extends PathOf<'get'>>(path: P, ...options: OptionsOf<OperationAt<'get', P>>): Promise<string> {
    return this.#send({ method: 'get', path, options: options[0] ?? {} }, async (response, deadline) => {
      const text = await textOf(response, deadline);
      deadline.close();
      return text;
    });
  }

  /** An answer of any length, part by part, such as a bulk file. If it breaks off, the loop throws. */
  async *download<P extends PathOf<'get'>>(
    path: P,
    ...options: OptionsOf<OperationAt<'get', P>, DownloadSettings>
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    const given: Call['options'] & DownloadSettings = options[0] ?? {};
    const call: Call = { method: 'get', path, options: given, headers: rangeHeaders(given.rest) };
    const opened = await this.#send(call, async (response, deadline) => ({ response, deadline }));
    try {
      if (given.rest && opened.response.status !== 206) throw new FormatError('The file has changed: begin again.');
      yield* chunksOf(opened.response, opened.deadline, call.options.timeoutMs ?? this.#settings.timeoutMs);
    } finally {
      opened.deadline.close();
    }
  }

  /** The pages of a list, from the one that the query names to the last. */
  async *pages<P extends PagedPath>(
    path: P,
    ...options: OptionsOf<OperationAt<'get', P>, Omit<CallSettings, 'idempotencyKey'>>
  ): AsyncGenerator<ResultOf<OperationAt<'get', P>>, void, undefined> {
    const first: Call['options'] = options[0] ?? {};
    for (let query: Query | null = first.query ?? {}; query !== null; ) {
      const { body, headers } = await this.#answer({ method: 'get', path, options: { ...first, query } });
      query = nextQueryOf(headers);
      yield body as ResultOf<OperationAt<'get', P>>;
    }
  }

  /** The answer now, and again whenever anything but its ages has changed. An answer without a change is free. */
  async *poll<P extends PolledPath>(
    path: P,
    ...options: OptionsOf<OperationAt<'get', P>, RoundSettings>
  ): AsyncGenerator<ResultOf<OperationAt<'get', P>>, never, undefined> {
    const given: Call['options'] & RoundSettings = options[0] ?? {};
    let etag: string | null = null;
    return yield* rounds(this.#settings, given, async () => {
      const headers: Call['headers'] = etag === null ? {} : { 'If-None-Match': etag };
      const answer = await this.#answer({ method: 'get', path, options: given, headers });
      if (answer.status === 304) return null;
      etag = answer.headers.get('ETag');
      return answer.body as ResultOf<OperationAt<'get', P>>;
    });
  }

  /** The stream of changes. After each batch a `Board` to which all were applied is equal to `next-to-go`. */
  follow({
    query,
    ...options
  }: StreamSettings & { readonly query?: Filters } = {}): AsyncGenerator<StreamBatch, never, undefined> {
    return followStream(this.#settings, addressOf(STREAM, {}, query), options);
  }

  /** Past races in the events of the stream, up to `end`. A `Board` takes them as it takes those of the stream. */
  replay({
    query,
    ...options
  }: StreamSettings & { readonly query: Replayed }): AsyncGenerator<ReplayBatch, void, undefined> {
    return followReplay(this.#settings, addressOf(REPLAY, {}, query), options);
  }

  /** The changes since an instant, by default from now on, each once: for programs that cannot keep a stream open. */
  followChanges({
    query,
    since = new Date(this.#settings.now()).toISOString(),
    ...options
  }: RoundSettings & { readonly since?: string; readonly query?: Filters } = {}): AsyncGenerator<
    ChangesBatch,
    never,
    undefined
  > {
    const { signal } = options;
    const next = changesSince(since, (from) => this.get(CHANGES, { query: { ...query, since: from }, signal }));
    return rounds(this.#settings, options, next);
  }

  async #json<T>(call: Call): Promise<T> {
    return (await this.#answer(call)).body as T;
  }

  #answer(call: Call): Promise<{ status: number; headers: Headers; body: unknown }> {
    return this.#send(call, async (response, deadline) => {
      const body = await jsonOf(response, deadline);
      deadline.close();
      return { status: response.status, headers: response.headers, body };
    });
  }

  #send<T>(call: Call, read: Parameters<typeof send<T>>[2]): Promise<T> {
    return send(this.#settings, call, read, (headers) => {
      this.#credits = creditsOf(headers) ?? this.#credits;
      this.#rateLimit = rateLimitOf(headers) ?? this.#rateLimit;
    });
  }
}

const rangeHeaders = (rest: DownloadSettings['rest']): Readonly<Record<string, string>> =>
  rest ? { Range: `bytes=${rest.from}-`, 'If-Range': rest.etag } : {};

/** A method for each row of the table. */
function groupsOf(json: (call: Call) => Promise<unknown>): object {
  const groups = Object.entries(OPERATIONS).map(([group, operations]) => {
    const methods = Object.entries<{ method: Method; path: string; file?: true }>(operations)
      .filter(([, { file }]) => !file)
      .map(([name, { method, path }]) => [name, (options: Call['options'] = {}) => json({ method, path, options })]);
    return [group, Object.freeze(Object.fromEntries(methods))];
  });
  return Object.fromEntries(groups);
}

export type OddsClient = Calls & OperationGroups;
export const OddsClient = Calls as new (options?: OddsClientOptions) => OddsClient;
