// Answers that API processes share, in a real Redis: each instance here is a process with a connection of its own.
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createRedis } from '../../src/store/redis';
import { createSharedAnswers, type SharedAnswers } from '../../src/store/shared-answers';

const url = process.env.REDIS_URL;
if (!url) throw new Error('REDIS_URL is not set: run the tests through `npm test`, which starts a server');

let deployment: string;
const connections: Redis[] = [];
beforeEach(() => {
  deployment = randomUUID();
});
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnect();
});

interface Process {
  readonly answers: SharedAnswers;
  readonly redis: Redis;
}

function aProcess(address = url!, of = deployment): Process {
  const redis = createRedis(address);
  connections.push(redis);
  return { answers: createSharedAnswers(redis, of), redis };
}

/** A computation that counts how often it was asked, and says so. */
function counting(): (() => Promise<{ n: number }>) & { readonly times: number } {
  const compute = Object.assign(async () => ({ n: ++compute.times }), { times: 0 });
  return compute;
}

const T0 = Date.parse('2026-11-21T03:00:00.000Z');
const HELD_MS = 20_000;

test('what one process computed another answers with, and says so', async () => {
  const [one, other, compute] = [aProcess(), aProcess(), counting()];
  const first = await one.answers.get('q', HELD_MS, T0, compute);
  expect(first).toEqual({ value: { n: 1 }, computedAtMs: T0, fresh: true });
  const held = { value: { n: 1 }, computedAtMs: T0, fresh: false };
  expect(await other.answers.get('q', HELD_MS, T0 + 19_999, compute)).toEqual(held);
  expect(await one.answers.get('q', HELD_MS, T0 + 19_999, compute)).toEqual(held);
  expect(compute.times).toBe(1);
});

test('an answer is held by race time, whatever the wall says', async () => {
  const [one, other, compute] = [aProcess(), aProcess(), counting()];
  await one.answers.get('q', HELD_MS, T0, compute);
  const next = { value: { n: 2 }, computedAtMs: T0 + HELD_MS, fresh: true };
  expect(await other.answers.get('q', HELD_MS, T0 + HELD_MS, compute)).toEqual(next);
  expect(await one.answers.get('q', HELD_MS, T0 + HELD_MS, compute)).toEqual({ ...next, fresh: false });
});
