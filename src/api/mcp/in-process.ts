// Sends a request to this service without a connection: through the whole application, so that it is judged, charged,
// limited, logged and measured like any other. It comes from the address of the request that it is made for.
import { context } from '@opentelemetry/api';
import { deleteRPCMetadata } from '@opentelemetry/core';
import type { Context } from 'koa';
import inject from 'light-my-request';
import { ClientGone } from '../kernel/http/client-gone';
import { clientOf } from '../kernel/session/client-address';

export interface InnerRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

export interface InnerResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly text: string;
}

type Handle = Parameters<typeof inject>[0];

/**
 * Asks for JSON, uncompressed. `outer`: the request that it is made for, whose key and id it has. `gone`: aborted when
 * the client of `outer` leaves, which is then thrown.
 */
export type AskInProcess = (outer: Context, request: InnerRequest, gone: AbortSignal) => Promise<InnerResponse>;

/** `handle`: of the application; asked for at each call, because it is built last. */
export function inProcess(handle: () => Handle): AskInProcess {
  return async (outer, { method, path, body }, gone) => {
    const { address } = clientOf(outer);
    if (address === '') throw new ClientGone('the client closed the connection');
    const { host, 'x-api-key': key, 'user-agent': agent } = outer.req.headers;
    const headers = {
      ...(host && { host }),
      ...(key !== undefined && { 'x-api-key': key }),
      'user-agent': agent ?? '',
      'x-request-id': String(outer.state.requestId),
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = { method, url: path, headers, remoteAddress: address, ...(body !== undefined && { payload: body }) };
    // The span of the outer request keeps the name of its own route.
    const own = deleteRPCMetadata(context.active());
    const dispatch: Handle = (req, res) => {
      leaveWith(gone, req, res);
      handle()(req, res);
    };
    const answered = context.with(own, () => inject(dispatch, sent).end());
    const { statusCode, headers: got, payload } = await answered.catch(leftOr(gone));
    return { status: statusCode, header: (name) => textOf(got[name]), text: payload };
  };
}

/**
 * Ends the inner connection with the outer one. The `signal` of light-my-request does not: it has no effect once a body
 * was read, and leaves the socket open.
 */
function leaveWith(gone: AbortSignal, ...[req, res]: Parameters<Handle>): void {
  gone.addEventListener('abort', () => {
    Object.assign(req.socket, { destroyed: true });
    req.destroy();
    res.destroy();
  });
}

const leftOr =
  (gone: AbortSignal) =>
  (error: unknown): never => {
    throw gone.aborted ? gone.reason : error;
  };

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
