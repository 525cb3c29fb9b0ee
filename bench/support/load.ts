// A client process that asks one address as fast as it is answered: prepared bytes out, lengths in, nothing parsed but the status and
// `Content-Length`. autocannon (30,000 answers a second here) and undici (fewer) cost as much an answer as the servers that are
// measured and would be what is measured; this one costs a third of them. Only for answers that have a length.
import { type ChildProcess, fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';

interface Load {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly ms: number;
}

interface Loaded {
  readonly answers: number;
  readonly seconds: number;
  /** Milliseconds from question to answer, in order of size. */
  readonly waits: readonly number[];
}

export interface LoadClient {
  run(load: Load): Promise<Loaded>;
  stop(): void;
}

export function startLoadClient(): LoadClient {
  const child = fork(__filename, ['load-client'], { execArgv: ['--import', 'tsx'] });
  return { run: (load) => asked(child, load), stop: () => void child.kill() };
}

/** One question to a child process and its one answer. */
function asked(child: ChildProcess, load: Load): Promise<Loaded> {
  return new Promise((done, fail) => {
    child.once('message', (told: Loaded | string) => (typeof told === 'string' ? fail(new Error(told)) : done(told)));
    child.send(load);
  });
}

/** Connections stay open from load to load: what a large answer waits for on a new one is TCP, which learns how much it may send. */
const idle = new Map<string, Socket[]>();

async function run({ url, path, headers, connections, ms }: Load): Promise<Loaded> {
  const { hostname, port } = new URL(url);
  const sockets = idle.get(url) ?? [];
  idle.set(url, sockets);
  while (sockets.length < connections) sockets.push(connect(Number(port), hostname).setNoDelay());
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map(([name, is]) => `${name}: ${is}\r\n`);
  const question = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const startedMs = performance.now();
  const each = sockets.slice(0, connections).map((socket) => askOn(socket, question, startedMs + ms));
  const waits = (await Promise.all(each)).flat();
  const seconds = (performance.now() - startedMs) / 1000;
  return { answers: waits.length, seconds, waits: waits.sort((a, b) => a - b) };
}

/** Asks again at each answer until the time is over; how long each was waited for. */
function askOn(socket: Socket, question: Buffer, untilMs: number): Promise<number[]> {
  const waits: number[] = [];
  let head: Buffer = Buffer.alloc(0);
  let left = 0;
  let askedMs = 0;
  return new Promise((done, fail) => {
    const ask = (): void => {
      askedMs = performance.now();
      socket.write(question);
    };
    const hear = (chunk: Buffer): void => {
      if (left === 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        left = lengthOf(head.toString('latin1', 0, end), fail) - (head.length - end - 4);
        head = Buffer.alloc(0);
      } else left -= chunk.length;
      if (left > 0) return;
      waits.push(performance.now() - askedMs);
      if (performance.now() < untilMs) {
        ask();
        return;
      }
      socket.off('data', hear).off('error', fail);
      done(waits);
    };
    socket.on('data', hear).once('error', fail);
    ask();
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
