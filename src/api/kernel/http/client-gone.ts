// The end of a request whose client closed the connection: no response, no error log, and never a failure of the
// database.
import type { Context } from 'koa';

/**
 * Thrown instead of the connection's own error (`ECONNRESET` and others), which looks like that of any other
 * connection.
 */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The status that metrics count: no response was sent. The number is nginx's. */
export const CLIENT_GONE_STATUS = 499;

/** Whether the connection ended before the response did. */
export const clientGone = ({ req, res }: Context): boolean => req.socket.destroyed && !res.writableFinished;

/** Aborted with a `ClientGone` when the connection ends before the response did. Meaningless after the response. */
export function goneSignal(ctx: Context): AbortSignal {
  const gone = new AbortController();
  const left = (): void => gone.abort(new ClientGone('the client closed the connection'));
  if (clientGone(ctx)) left();
  else ctx.res.once('close', left);
  return gone.signal;
}
