// Sends one request and receives the whole reply, within a limit of bytes. Through undici's dispatcher and not its
// `request`, which makes a stream of each body: a reply is read whole here, and at hundreds of replies a second the
// streams cost more than the HTTP. Never follows a redirect.
import type { Dispatcher } from 'undici';

export interface ReplyHead {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface WholeReply extends ReplyHead {
  /** As received, so still compressed. Null: more bytes than allowed, of which the rest was not received. */
  readonly raw: Buffer | null;
}

interface WholeRequest {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** The most bytes of a reply with this head. */
  readonly mostOf: (head: ReplyHead) => number;
}

/** Rejects with the signal's reason once it aborts, and when the connection fails. */
export function wholeReply({ dispatcher, url, signal, mostOf, ...request }: WholeRequest): Promise<WholeReply> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let head: ReplyHead | null = null;
    let parts: Buffer[] = [];
    let left = 0;
    const callOff = (): void => {
      end(() => reject(signal.reason));
      controller?.abort(signal.reason);
    };
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', callOff);
      settle();
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', callOff, { once: true });
    dispatcher.dispatch(
      { origin, path: pathname + search, ...request },
      {
        // The request may have waited for a connection.
        onRequestStart: (own) => {
          controller = own;
          if (signal.aborted) own.abort(signal.reason);
        },
        onResponseStart: (_, statusCode, headers) => {
          head = { statusCode, headers };
          left = mostOf(head);
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
        onResponseError: (_, error) => end(() => reject(error)),
      },
    );
  });
}
