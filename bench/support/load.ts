// A client process that calls one address as fast as it is answered: prepared bytes out, lengths in, only the status
// and `Content-Length` parsed. autocannon (30,000 answers a second here) and undici (fewer) cost as much an answer as
// the servers under test and would be measured instead; this one costs a third of them. Only for answers that have a
// length.
import { type ChildProcess, fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';

interface Load {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the connections in turn; each sends its own. Default: none. */
  readonly keys?: readonly string[];
  readonly connections: number;
  readonly ms: number;
}

interface Loaded {
  readonly answers: number;
  readonly seconds: number;
  /** Milliseconds from request to answer, in ascending order. */
  readonly waits: readonly number[];
}

export interface LoadClient {
  run(load: Load): Promise<Loaded>;
  stop(): void;
}

export function startLoadClient(): LoadClient {
  const child = fork(__filename, ['load-client'], { execArgv: ['--import', 'tsx'] });
  return { run: (load) => runIn(child, load), stop: () => void child.kill() };
}

/** Sends one load to a child process and returns its report. */
function runIn(child: ChildProcess, load: Load): Promise<Loaded> {
  return new Promise((done, fail) => {
    child.once('message', (report: Loaded | string) =>
      typeof report === 'string' ? fail(new Error(report)) : done(report),
    );
    child.send(load);
  });
}

/**
 * Connections stay open from load to load: on a new one a large answer waits for TCP, which learns how much it may
 * send.
 */
const idle = new Map<string, Socket[]>();

async function run({ url, path, headers, keys = [], connections, ms }: Load): Promise<Loaded> {
  const { hostname, port } = new URL(url);
  const sockets = idle.get(url) ?? [];
  idle.set(url, sockets);
  while (sockets.length < connections) sockets.push(connect(Number(port), hostname).setNoDelay());
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map(([name, is]) => `${name}: ${is}\r\n`);
  const requestOf = (key?: string): Buffer => {
    const own = key === undefined ? '' : `X-API-Key: ${key}\r\n`;
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}${own}\r\n`);
  };
  const startedMs = performance.now();
  const each = sockets
    .slice(0, connections)
    .map((socket, i) => callOn(socket, requestOf(keys[i % keys.length]), startedMs + ms));
  const waits = (await Promise.all(each)).flat();
  const seconds = (performance.now() - startedMs) / 1000;
  return { answers: waits.length, seconds, waits: waits.sort((a, b) => a - b) };
}

/** Sends the next request at each answer until the time is over; how long each answer took. */
function callOn(socket: Socket, request: Buffer, untilMs: number): Promise<number[]> {
  const waits: number[] = [];
  let head: Buffer = Buffer.alloc(0);
  let left = 0;
  let sentMs = 0;
  return new Promise((done, fail) => {
    const send = (): void => {
      sentMs = performance.now();
      socket.write(request);
    };
    const receive = (chunk: Buffer): void => {
      if (left === 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        left = lengthOf(head.toString('latin1', 0, end), fail) - (head.length - end - 4);
        head = Buffer.alloc(0);
      } else left -= chunk.length;
      if (left > 0) return;
      waits.push(performance.now() - sentMs);
      if (performance.now() < untilMs) {
        send();
        return;
      }
      socket.off('data', receive).off('error', fail);
      done(waits);
    };
    socket.on('data', receive).once('error', fail);
    send();
  });
}

function lengthOf(head: string, fail: (error: Error) => void): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (!head.startsWith('HTTP/1.1 200') || !length) fail(new Error(`answered ${head}`));
  return Number(length?.[1]);
}

if (process.argv[2] === 'load-client') {
  process.on('message', (load: Load) => {
    run(load).then(
      (loaded) => process.send!(loaded),
      (error) => process.send!(String(error)),
    );
  });
}
