// Follows `GET /v1/racing/changes/stream`, and `GET /v1/racing/replay` to its end: across breaks no event is lost, and
// none is passed on twice. Events up to the next id are passed on together: then the reader has what `next-to-go`
// reports.
import { apiErrorOf, ConnectionError, FormatError, type Problem } from '../errors.ts';
import { isUnknown } from '../http/attempts.ts';
import { Deadline } from '../http/deadline.ts';
import { begin, chunksOf, type Request } from '../http/exchange.ts';
import { atLeast, type Settings } from '../settings.ts';
import type { Schemas } from '../types.ts';
import { type Block, EventReader } from './event-reader.ts';
import { LastSign } from './last-sign.ts';
import { type FollowSettings, Patience } from './patience.ts';

export interface StreamSettings extends FollowSettings {
  /** The `id` of the last batch that your program has stored, to go on from there: it is good for 30 minutes. */
  readonly lastEventId?: string | undefined;
  /** If nothing comes for so long, not even a heartbeat, the connection is made anew. Default: 45. */
  readonly silenceSeconds?: number | undefined;
}

export type StreamEvent = Exclude<Schemas['ChangesEvent'], { event: 'error' }>;

export type ReplayEvent = Exclude<Schemas['ReplayEvent'], { event: 'error' }>;

interface Batch<E> {
  /** To go on later, pass it as `lastEventId`. */
  readonly id: string;
  /** Apply them in their order. */
  readonly events: readonly E[];
}

export type StreamBatch = Batch<StreamEvent>;
export type ReplayBatch = Batch<ReplayEvent>;

/** Until the stream sets it. */
const RECONNECT_MS = 2000;
/** Events before their id. A whole state is one batch. */
const MOST_IN_A_BATCH = 100_000;
/** After the last sign of a replay; the service lets it go on for free for ten minutes. */
const FREE_FOR_MS = 540_000;

interface Place {
  id: string;
  waitMs: number;
  readonly sign: LastSign;
}

/** Throws when the stream ends for good, as the event `error` states it. */
export async function* followStream(
  settings: Settings,
  address: string,
  options: StreamSettings,
): AsyncGenerator<StreamBatch, never, undefined> {
  yield* followed<StreamEvent>(settings, address, options);
  throw new FormatError('A stream of changes has no end.');
}

/** Returns after the event `end`. Throws instead of connecting again where that would be charged again. */
export const followReplay = (
  settings: Settings,
  address: string,
  options: StreamSettings,
): AsyncGenerator<ReplayBatch, void, undefined> => followed<ReplayEvent>(settings, address, options, true);

async function* followed<E extends { readonly event: string }>(
  settings: Settings,
  address: string,
  options: StreamSettings,
  isPaidAhead = false,
): AsyncGenerator<Batch<E>, void, undefined> {
  const patience = new Patience(settings, options);
  const silentMs = atLeast('silenceSeconds', 1, options.silenceSeconds ?? 45) * 1000;
  const { now } = settings;
  const place: Place = { id: options.lastEventId ?? '', waitMs: RECONNECT_MS, sign: new LastSign(now()) };
  for (;;) {
    const deadline = new Deadline(options.signal);
    try {
      const response = await begin(settings, requestOf(settings, address, place.id), deadline);
      const batches = new Batches<E>(place);
      requireEvents(response);
      const reader = new EventReader();
      // What comes before the first batch shows no stream that works: an error may follow.
      let isLive = false;
      let askedMs = now();
      place.sign.answered(askedMs);
      for await (const bytes of chunksOf(response, deadline, silentMs)) {
        place.sign.read(askedMs, now());
        for (const block of reader.read(bytes)) {
          const batch = batches.take(block);
          isLive ||= batch !== null;
          if (batch !== null) yield batch;
          if (block.event === 'end') return;
        }
        if (isLive) patience.answered();
        askedMs = now();
      }
      throw new ConnectionError('The stream ended.');
    } catch (error) {
      // Closed before the wait: the service counts it while it is open.
      deadline.close();
      if (isPaidAhead && wouldPayAgain(place, error, now())) throw error;
      await patience.failed(error, place.waitMs);
      // The wait counts too.
      if (isPaidAhead && wouldPayAgain(place, error, now())) throw error;
    } finally {
      deadline.close();
    }
  }
}

const wouldPayAgain = ({ id, sign }: Place, error: unknown, nowMs: number): boolean =>
  id === '' ? isUnknown(error) : nowMs - sign.atMs > FREE_FOR_MS;

/** A page of a proxy is no stream, and would be read again and again. */
function requireEvents({ headers }: Response): void {
  const type = headers.get('Content-Type') ?? '';
  if (!type.startsWith('text/event-stream'))
    throw new FormatError(`The answer is ${type || 'without a type'}, no stream.`);
}

const requestOf = ({ timeoutMs }: Settings, address: string, lastId: string): Request => ({
  method: 'get',
  address,
  headers: { Accept: 'text/event-stream', ...(lastId !== '' && { 'Last-Event-ID': lastId }) },
  timeoutMs,
});

/** The events of one connection. Without their id they are nothing: after a break they come again. */
class Batches<E> {
  readonly #place: Pick<Place, 'id' | 'waitMs'>;
  #events: E[] = [];

  constructor(place: Pick<Place, 'id' | 'waitMs'>) {
    this.#place = place;
  }

  take({ event, data, id, retryMs }: Block): Batch<E> | null {
    if (retryMs !== undefined) this.#place.waitMs = retryMs;
    if (data !== undefined) this.#events.push(eventOf(event, id, data) as E);
    if (this.#events.length > MOST_IN_A_BATCH) throw new FormatError('Too many events came without an id.');
    if (id === undefined) return null;
    this.#place.id = id;
    if (data === undefined) return null;
    const events = this.#events;
    this.#events = [];
    return { id, events };
  }
}

function eventOf(event: string, id: string | undefined, text: string): object {
  const data = jsonIn(text);
  if (event === 'error') throw endOf(data);
  return { event, ...(id !== undefined && { id }), data };
}

function jsonIn(text: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FormatError('The data of an event is not JSON.', { cause: error });
  }
}

const endOf = (problem: Partial<Problem>) => apiErrorOf({ ...problem, status: problem.status ?? 500 });
