// The clients that the owner of the reference publishes, from PyPI: run in their own environment against the real API,
// through a line that notes their requests.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InstalledPython, installPython } from './installed-python';

const FOLDER = join(__dirname, 'published');
/** The library's answers to 70 calls, as JSON. */
const MOST_OUTPUT = 64 * 2 ** 20;

export const installPublished = (): InstalledPython =>
  installPython('published-clients', join(FOLDER, 'requirements.txt'), 150);

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the program wrote.
export async function runPublished(python: string, program: string, given: object): Promise<any> {
  const running = promisify(execFile)(python, [join(FOLDER, program)], { maxBuffer: MOST_OUTPUT });
  running.child.stdin!.end(JSON.stringify(given));
  return JSON.parse((await running).stdout);
}

export interface Noted {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

export interface NotingLine {
  readonly url: string;
  /** What was sent, in order. */
  readonly noted: Noted[];
  close(): Promise<void>;
}

/** In front of the API. */
export async function notingLine(api: string): Promise<NotingLine> {
  const noted: Noted[] = [];
  const server = createServer((near, answer) => {
    const { method, url: target, headers } = near;
    const far = request(api + target, { method, headers }, (response) => {
      const [path, query] = target!.split('?');
      noted.push({ method: method!, path: path!, query: query ?? '', status: response.statusCode! });
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    far.on('error', (error) => answer.destroy(error));
    near.pipe(far);
  });
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    noted,
    async close() {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}
