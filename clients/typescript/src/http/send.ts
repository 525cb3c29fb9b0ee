// A call as a request, sent again as often as `Attempts` allows.
import { OPERATIONS } from '../generated/operations.ts';
import type { Settings } from '../settings.ts';
import type { CallSettings, Method } from '../types.ts';
import { addressOf, type Query } from './address.ts';
import { Attempts, type Repeats } from './attempts.ts';
import { Deadline } from './deadline.ts';
import { begin, type Request } from './exchange.ts';

/** A call without the types of its operation, from which the public methods derive them. */
export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly options: CallSettings & {
    readonly path?: Readonly<Record<string, string | number>>;
    readonly query?: Query;
    readonly body?: unknown;
  };
  readonly headers?: Readonly<Record<string, string>>;
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly once?: true;
}

const ROWS: ReadonlyMap<string, Row> = new Map(
  Object.values(OPERATIONS)
    .flatMap((group): Row[] => Object.values(group))
    .map((row) => [`${row.method} ${row.path}`, row]),
);

/**
 * Resolves to what `read` makes of the answer; `onHeaders` gets the headers of refusals too. A failure of `read` is one
 * of its attempt. If the call succeeds, `read` or its caller closes the deadline.
 */
export async function send<T>(
  settings: Settings,
  call: Call,
  read: (response: Response, deadline: Deadline) => Promise<T>,
  onHeaders: (headers: Headers) => void,
): Promise<T> {
  const once = ROWS.get(`${call.method} ${call.path}`)?.once ?? false;
  const request = requestOf(settings, call, once);
  const { signal } = call.options;
  const attempts = new Attempts(settings, repeatsOf(call), once);
  for (;;) {
    const deadline = new Deadline(signal);
    try {
      attempts.sending();
      return await read(await begin(settings, request, deadline, onHeaders), deadline);
    } catch (error) {
      deadline.close();
      const waitMs = attempts.waitMsAfter(error);
      if (waitMs === null) throw error;
      await settings.sleep(waitMs, signal);
    }
  }
}

/** An operation outside of the table may cost or do something each time. */
function repeatsOf({ method, path, options }: Call): Repeats {
  const row = ROWS.get(`${method} ${path}`);
  if (!row || (method !== 'get' && !row.once)) return 'never';
  // The service ignores the key of a stream of rows: what was lost may have been charged.
  const isStreamed = row.once && (options.query?.format ?? 'json') !== 'json';
  return isStreamed ? 'refused' : 'always';
}

function requestOf(settings: Settings, { method, path, options, headers }: Call, once: boolean): Request {
  const { body, timeoutMs = settings.timeoutMs, idempotencyKey = settings.newIdempotencyKey() } = options;
  return {
    method,
    address: addressOf(path, options.path, options.query),
    headers: {
      ...headers,
      ...(once && { 'Idempotency-Key': idempotencyKey }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    timeoutMs,
  };
}
