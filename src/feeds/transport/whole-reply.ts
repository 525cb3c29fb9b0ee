// Sends one request and receives the whole reply, within a limit of bytes. Through undici's dispatcher and not its
// `request`, which makes a stream of each body: a reply is read whole here, and at hundreds of replies a second the
// streams cost more than the HTTP. Never follows a redirect.
import type { Dispatcher } from 'undici';
import { isTimeUp, timeUp } from './deadline';

export interface ReplyHead {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface WholeReply extends ReplyHead {
  /** As received, so still compressed. Null: more bytes than allowed, or a body that its head does without. */
  readonly raw: Buffer | null;
}

export interface BodyBounds {
  readonly mostBytes: number;
  /** The head says all that counts, as a refusal's: it is the reply even if its body stalls or breaks off. */
  readonly isHeadEnough: boolean;
}

interface WholeRequest {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Wall. A timer of its own, because a signal for each request costs more than the rest of this file. */
  readonly withinMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once the head has arrived, whatever becomes of the body. */
  readonly onHead: (head: ReplyHead) => BodyBounds;
}

/**
 * Rejects with the signal's reason once it aborts, with a `TimeoutError` after `withinMs`, and when the connection
 * fails; after a head that is enough only when the caller itself calls off.
 */
export function wholeReply(sent: WholeRequest): Promise<WholeReply> {
  const { dispatcher, url, withinMs, signal, onHead, ...request } = sent;
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let controller: Dispatcher.DispatchController | null = null;
    let head: ReplyHead | null = null;
    let bounds: BodyBounds = { mostBytes: 0, isHeadEnough: false };
    let parts: Buffer[] = [];
    let left = 0;
    let givenUp: Error | null = null;
    const fail = (error: unknown): void => {
      const isReply = bounds.isHeadEnough && (!signal?.aborted || isTimeUp(signal));
      end(() => (isReply ? resolve({ ...head!, raw: null }) : reject(error)));
    };
    const giveUp = (reason: Error): void => {
      givenUp = reason;
      fail(reason);
      controller?.abort(reason);
    };
    const callOff = (): void => giveUp(signal!.reason as Error);
    const timer = setTimeout(() => giveUp(timeUp(withinMs)), withinMs);
    signal?.addEventListener('abort', callOff, { once: true });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', callOff);
      settle();
    };
    dispatcher.dispatch(
      { origin, path: pathname + search, ...request },
      {
        // The request may have waited for a connection.
        onRequestStart: (own) => {
          controller = own;
          if (givenUp) own.abort(givenUp);
        },
        onResponseStart: (_, statusCode, headers) => {
          // Informational: the reply itself follows.
          if (statusCode < 200) return;
          head = { statusCode, headers };
          bounds = onHead(head);
          left = bounds.mostBytes;
        },
        onResponseData: (own, chunk) => {
          left -= chunk.length;
          if (left >= 0) return parts.push(chunk);
          parts = [];
          end(() => resolve({ ...head!, raw: null }));
          own.abort(new Error('the reply is larger than allowed'));
        },
        onResponseEnd: () =>
          end(() => resolve({ ...head!, raw: parts.length === 1 ? parts[0]! : Buffer.concat(parts) })),
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
