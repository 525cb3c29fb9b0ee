// One event to all readers of a stream: how long until the first and the last of them had it.
import { setTimeout as delay } from 'node:timers/promises';
import { median, seeded } from '../figures';
import { monotonicMs, type StreamReaders } from '../stream-readers';

export interface Round {
  /** Milliseconds from `send` to the first and to the last reader. */
  readonly firstMs: number;
  readonly lastMs: number;
}

const PAUSE_MS = 400;
const random = seeded(20261123);

export async function sendRound(readers: StreamReaders, text: string, send: () => unknown): Promise<Round> {
  const { ready, arrival } = readers.await(text);
  await ready;
  // At any moment between two readings.
  await delay(PAUSE_MS * random());
  await send();
  const sentMs = monotonicMs();
  const { firstMs, lastMs } = await arrival;
  return { firstMs: firstMs - sentMs, lastMs: lastMs - sentMs };
}

const share = (all: readonly number[], part: number): number =>
  [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))]!;

/** `cpu`: of an event at a connection, in microseconds. Returns the median until the last reader. */
export function printRounds(name: string, all: readonly Round[], cpu: number): number {
  const last = all.map(({ lastMs }) => lastMs);
  const spread = median(all.map(({ firstMs, lastMs }) => lastMs - firstMs));
  const figures = [`p50 ${median(last).toFixed(0)} ms, p99 ${share(last, 0.99).toFixed(0)} ms to the last reader`];
  figures.push(`${spread.toFixed(1)} ms between first and last`, `${cpu.toFixed(1)} µs CPU per connection and event`);
  console.log(`${name.padEnd(12)} ${figures.join('; ')}`);
  return median(last);
}
