// The port for operators: health and metrics over plain HTTP, without authentication. Never the port that customers
// use.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../log';
import { StartProblem } from './until-ready';

interface Page {
  readonly status: 200 | 500 | 503;
  readonly type: string;
  readonly body: string;
}

export type OperatorPage = () => Page | Promise<Page>;

export interface OperatorServer {
  /** `http://127.0.0.1:8081`; null: it is switched off. */
  readonly url: string | null;
  close(): void;
}

/** Where to listen, and the setting that configures it. `port`: null is off, 0 a free one. */
export interface OperatorPlace {
  readonly host: string;
  readonly port: number | null;
  readonly setting: string;
  readonly log: Pick<Log, 'error'>;
}

/**
 * `pages` by path. A page that cannot be made is a 500 and a line of the log. Rejects with a `StartProblem` where it
 * cannot listen.
 */
export async function serveOperator(
  { host, port, setting, log }: OperatorPlace,
  pages: Readonly<Record<string, OperatorPage>>,
): Promise<OperatorServer> {
  if (port === null) return { url: null, close: () => undefined };
  const byPath = new Map(Object.entries(pages));
  const server = createServer(async (request, response) => {
    const page = byPath.get(request.url?.split('?')[0] ?? '');
    if (!page) return response.writeHead(404).end();
    const { status, type, body } = await Promise.resolve()
      .then(page)
      .catch((err) => {
        log.error({ err, path: request.url }, 'a page for operators cannot be made');
        return FAILED;
      });
    return response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => reject(new StartProblem(whyNot(error, host, port, setting)));
    server.once('error', refused).listen(port, host, resolve);
  });
  const { address, family, port: got } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${got}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const FAILED: Page = { status: 500, type: 'text/plain', body: '' };

function whyNot({ code, message }: NodeJS.ErrnoException, host: string, port: number, setting: string): string {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is no address of this machine: set ${setting.replace('PORT', 'HOST')} to one, or to 0.0.0.0`;
  }
  const why = code === 'EADDRINUSE' ? 'another process has it' : message;
  return `port ${port} on ${host} cannot be used (${why}): set ${setting} to another port, to 0 (off) or to auto (a free one)`;
}

export const json = (ok: boolean, value: object): Page => ({
  status: ok ? 200 : 503,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** 200 from any process whose event loop turns. */
export const alive = (): Page => json(true, { status: 'ok' });
