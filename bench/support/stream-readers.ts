// Readers of one stream of events, many connections in a process of its own: when the last of them has a text, and
// nothing else. A child process of `bench/stream`; instants are those of the machine's monotonic clock, which all its
// processes share.
import { type ChildProcess, fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { nextMessage } from './child-reply';

interface Arrival {
  /** Milliseconds of the monotonic clock. */
  readonly firstMs: number;
  readonly lastMs: number;
}

type Names = readonly string[];

export interface StreamReaders {
  /** `paths`, `keys`: of the connections in turn. Resolves when as many have got the text of their opening. */
  open(url: string, paths: Names, keys: Names, count: number, opened: string): Promise<void>;
  /** When the text, which is sent after the call, was at the first and at the last. */
  await(text: string): { readonly ready: Promise<void>; readonly arrival: Promise<Arrival> };
  stop(): void;
}

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export function startReaders(): StreamReaders {
  const child: ChildProcess = fork(__filename, ['readers'], { execArgv: ['--import', 'tsx'] });
  return {
    async open(url, paths, keys, count, opened) {
      child.send({ open: { url, paths, keys, count, opened } });
      await nextMessage(child);
    },
    await(text) {
      child.send({ text });
      const ready = nextMessage(child).then(() => {});
      return { ready, arrival: ready.then(() => nextMessage(child)) as Promise<Arrival> };
    },
    stop: () => void child.kill(),
  };
}

const AT_ONCE = 25;

interface Opening {
  readonly url: string;
  readonly paths: Names;
  readonly keys: Names;
  readonly count: number;
  readonly opened: string;
}

interface Reader {
  readonly socket: Socket;
  tail: string;
}

function read(): void {
  const readers: Reader[] = [];
  let wanted = '';
  let left = 0;
  let firstMs = 0;
  let done: (arrival: Arrival) => void = () => {};

  const want = (text: string, count: number): Promise<Arrival> => {
    wanted = text;
    left = count;
    firstMs = 0;
    for (const reader of readers) reader.tail = '';
    return new Promise((resolve) => {
      done = resolve;
    });
  };

  const take = (reader: Reader, bytes: Buffer): void => {
    const text = reader.tail + bytes.toString('latin1');
    reader.tail = text.slice(-wanted.length + 1);
    if (wanted === '' || !text.includes(wanted)) return;
    reader.tail = '';
    firstMs ||= monotonicMs();
    if (--left === 0) done({ firstMs, lastMs: monotonicMs() });
  };

  const open = async ({ url, paths, keys, count, opened }: Opening): Promise<void> => {
    const { hostname, port } = new URL(url);
    for (let at = 0; at < count; at += AT_ONCE) {
      const some = Math.min(AT_ONCE, count - at);
      const all = want(opened, some);
      for (let i = 0; i < some; i++) {
        const socket = connect(Number(port), hostname);
        const reader: Reader = { socket, tail: '' };
        readers.push(reader);
        socket.on('data', (bytes) => take(reader, bytes)).on('error', () => {});
        const [key, path] = [keys[(at + i) % keys.length], paths[(at + i) % paths.length]];
        socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${key ? `X-API-Key: ${key}\r\n` : ''}\r\n`);
      }
      await all;
      wanted = '';
    }
  };

  process.on('message', async (message: { open?: Opening; text?: string }) => {
    if (message.open) {
      await open(message.open);
      process.send!('opened');
      return;
    }
    const arrival = want(message.text!, readers.length);
    process.send!('ready');
    process.send!(await arrival);
  });
}

if (process.argv[2] === 'readers') read();
