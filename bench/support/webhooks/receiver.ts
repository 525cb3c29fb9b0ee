// Receivers of webhooks in a process of their own: one server, an endpoint for each path. `/hang/…` never answers,
// `/after/10/…` after 10 ms. It notes when each post arrived.
import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { nextMessage } from '../child-reply';

/** One post: what the body has of its making, and the arrival. Wall, epoch milliseconds. */
interface Arrival {
  readonly id: string;
  readonly race: string | null;
  /** Of facts that have it. */
  readonly madeMs: number | null;
  readonly atMs: number;
  readonly hangs: boolean;
}

export interface Receivers {
  readonly url: string;
  /** Since the last call. */
  taken(): Promise<readonly Arrival[]>;
  /** Posts since the last `taken`. */
  count(): Promise<number>;
  stop(): void;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(__filename, ['receive'], { execArgv: ['--import', 'tsx'] });
  const port = await nextMessage(child);
  const reply = async <T>(question: string): Promise<T> => {
    const message = nextMessage(child);
    child.send(question);
    return (await message) as T;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    taken: () => reply('taken'),
    count: () => reply('count'),
    stop: () => stop(child),
  };
}

const stop = (child: ChildProcess): void => void child.kill();

function receive(): void {
  let arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const hangs = request.url!.startsWith('/hang');
    const body = await text(request);
    const { id, race_id: race = null, made_ms: madeMs = null } = JSON.parse(body);
    arrivals.push({ id, race, madeMs, atMs: Date.now(), hangs });
    const [, afterMs] = /^\/after\/(\d+)\//.exec(request.url!) ?? [];
    if (afterMs !== undefined) setTimeout(() => response.end(), Number(afterMs));
    else if (!hangs) response.end();
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', 4096, () => process.send!((server.address() as AddressInfo).port));
  process.on('message', (question) => {
    process.send!(question === 'count' ? arrivals.length : arrivals);
    if (question === 'taken') arrivals = [];
  });
}

if (process.argv[2] === 'receive') receive();
