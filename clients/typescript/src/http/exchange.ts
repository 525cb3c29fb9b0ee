// One request and its answer, with the key in its header and nowhere else. Redirects are not followed: they would take
// the key to another address.
import { type ApiError, apiErrorOf, ConnectionError, OddsError, type Problem } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { Deadline } from './deadline.ts';

export interface Request {
  readonly method: string;
  /** From the first slash on. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeoutMs: number;
}

/**
 * Resolves once the headers of a success or of a 304 are there. Rejects with an ApiError, with a ConnectionError, or
 * with the reason of the signal that the deadline follows.
 */
export function begin(
  { apiKey, baseUrl, fetch }: Settings,
  { method, address, headers, body, timeoutMs }: Request,
  deadline: Deadline,
  onHeaders?: (headers: Headers) => void,
): Promise<Response> {
  return whole(deadline, async () => {
    deadline.within(timeoutMs);
    const response = await fetch(baseUrl + address, {
      method: method.toUpperCase(),
      headers: { ...headers, ...(apiKey !== null && { 'X-API-Key': apiKey }) },
      body: body ?? null,
      redirect: 'manual',
      signal: deadline.signal,
    });
    onHeaders?.(response.headers);
    if (response.ok || response.status === 304) return response;
    throw await refusalOf(response);
  });
}

/** The text of the body, within the deadline that `begin` has set. */
export const textOf = (response: Response, deadline: Deadline): Promise<string> =>
  whole(deadline, () => response.text());

/** The JSON of the body; undefined if there is none. */
export const jsonOf = (response: Response, deadline: Deadline): Promise<unknown> =>
  whole(deadline, async () => {
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  });

/** The body, part by part. Only the next part is awaited, so the reader may take its time. */
export async function* chunksOf(
  response: Response,
  deadline: Deadline,
  silentMs: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = response.body!.getReader();
  for (;;) {
    deadline.within(silentMs);
    const { done, value } = await whole(deadline, () => reader.read());
    deadline.pause();
    if (done) return;
    yield value as Uint8Array<ArrayBuffer>;
  }
}

/** Whatever fails here without a refusal is a ConnectionError. */
async function whole<T>({ signal }: Deadline, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof OddsError ? error : new ConnectionError('No whole answer came.', { cause: error });
  }
}

/** `Retry-After` and the id of the request count if the body has none: a server on the way may have answered. */
async function refusalOf(response: Response): Promise<ApiError> {
  const { status, headers, type } = response;
  if (type === 'opaqueredirect' || status < 400)
    return apiErrorOf({ status, detail: 'The answer is a redirect, which is not followed. Check baseUrl.' });
  const text = await response.text();
  const problem: Partial<Problem> = headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : {};
  const seconds = /^\d+$/.exec(headers.get('Retry-After') ?? '')?.[0];
  const requestId = headers.get('X-Request-Id');
  return apiErrorOf({
    ...(seconds !== undefined && { retry_after_seconds: Number(seconds) }),
    ...(requestId !== null && { request_id: requestId }),
    ...problem,
    status,
  });
}
