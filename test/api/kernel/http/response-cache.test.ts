// The response cache of one second: which requests share a response, and which compute their own.
import { type PreparedResponse, prepareResponse } from '../../../../src/api/kernel/http/response/prepared';
import { BOUNDS, createResponseCache } from '../../../../src/api/kernel/http/response/response-cache';
import { tagOfText } from '../../../../src/api/kernel/http/tag';

const SECOND = Date.parse('2026-11-21T03:00:00.000Z');
const reply = (body: unknown, forOneOnly = false) => prepareResponse({ body, forOneOnly }, tagOfText);

/** Computations that the test starts and ends. */
function computations() {
  const begun: { end(one: PreparedResponse): void; fail(error: Error): void }[] = [];
  const compute = () => new Promise<PreparedResponse>((end, fail) => void begun.push({ end, fail }));
  return { begun, compute };
}

const setUp = (over: Partial<typeof BOUNDS> = {}) => {
  const wall = { ms: 0 };
  return { wall, cache: createResponseCache({ ...BOUNDS, ...over }, () => wall.ms), ...computations() };
};

test('equal queries in one second are computed once, during the computation and after it', async () => {
  const { cache, begun, compute } = setUp();
  const both = [cache.forSecond('a', SECOND, compute), cache.forSecond('a', SECOND, compute)];
  expect(begun).toHaveLength(1);
  const one = reply({ price: 2 });
  begun[0]!.end(one);
  expect(await Promise.all(both)).toEqual([one, one]);
  expect(await cache.forSecond('a', SECOND, compute)).toBe(one);
  expect(begun).toHaveLength(1);
});

test.each([
  ['another query', 'b', SECOND],
  ['the next second', 'a', SECOND + 1000],
  ['a second of a clock that was set back', 'a', SECOND - 1000],
])('%s is computed again', async (_, query, nowMs) => {
  const { cache, begun, compute } = setUp();
  const first = cache.forSecond('a', SECOND, compute);
  begun[0]!.end(reply(1));
  await first;
  void cache.forSecond(query, nowMs, compute);
  expect(begun).toHaveLength(2);
});

test('while the race clock stands still, a response is cached for a second of wall time', async () => {
  const { cache, wall, begun, compute } = setUp();
  const first = cache.forSecond('a', SECOND, compute);
  begun[0]!.end(reply(1));
  await first;
  wall.ms = 999;
  expect(await cache.forSecond('a', SECOND, compute)).toBe(await first);
  wall.ms = 1000;
  void cache.forSecond('a', SECOND, compute);
  expect(begun).toHaveLength(2);
});

test('a failure rejects every waiting request and is not cached', async () => {
  const { cache, begun, compute } = setUp();
  const both = [cache.forSecond('a', SECOND, compute), cache.forSecond('a', SECOND, compute)];
  begun[0]!.fail(new Error('away'));
  for (const one of both) await expect(one).rejects.toThrow('away');
  const again = cache.forSecond('a', SECOND, compute);
  begun[1]!.end(reply('back'));
  expect(await again).toEqual(reply('back'));
});

test('a response for one request goes to that request only; the others share the next one, which is cached', async () => {
  const { cache, begun, compute } = setUp();
  const [first, second, third] = [1, 2, 3].map(() => cache.forSecond('a', SECOND, compute));
  const own = reply({ cached: false }, true);
  const next = reply({ cached: true });
  begun[0]!.end(own);
  expect(await first).toBe(own);
  expect(begun).toHaveLength(2);
  begun[1]!.end(next);
  expect(await Promise.all([second, third])).toEqual([next, next]);
  expect(await cache.forSecond('a', SECOND, compute)).toBe(next);
});

test('a waiting request waits at most once more, even if the next response is also for one request', async () => {
  const { cache, begun, compute } = setUp();
  const [, second] = [1, 2].map(() => cache.forSecond('a', SECOND, compute));
  begun[0]!.end(reply(1, true));
  await cache.forSecond('b', SECOND, async () => reply(0));
  const own = reply(2, true);
  begun[1]!.end(own);
  expect(await second).toBe(own);
});

test('beyond the maximum of entries a second, the least recently used response is evicted', async () => {
  const { cache, begun, compute } = setUp({ entries: 2 });
  const respond = async (query: string) => {
    const pending = cache.forSecond(query, SECOND, compute);
    begun.at(-1)!.end(reply(query));
    return (await pending).bytes.toString();
  };
  for (const query of ['a', 'b', 'a', 'c', 'a']) expect(await respond(query)).toBe(`"${query}"`);
  expect(begun).toHaveLength(3);
  void cache.forSecond('b', SECOND, compute);
  expect(begun).toHaveLength(4);
});

test('beyond the maximum of bytes a second, a response is served but not cached', async () => {
  const { cache, begun, compute } = setUp({ bytes: 1 });
  const both = [cache.forSecond('a', SECOND, compute), cache.forSecond('a', SECOND, compute)];
  const one = reply('first');
  begun[0]!.end(one);
  expect(await Promise.all(both)).toEqual([one, one]);
  for (let i = 0; i < 2; i++) void cache.forSecond('b', SECOND, compute);
  void cache.forSecond('a', SECOND, compute);
  expect(begun).toHaveLength(3);
});

test('a response that may not be cached is shared only by equal queries within 25 ms', async () => {
  const { wall, cache, begun, compute } = setUp();
  const both = [cache.coalesce('a', compute), cache.coalesce('a', compute)];
  void cache.coalesce('b', compute);
  expect(begun).toHaveLength(2);
  begun[0]!.end(reply(1));
  expect(await Promise.all(both)).toEqual([reply(1), reply(1)]);
  wall.ms = 24;
  void cache.coalesce('a', compute);
  expect(begun).toHaveLength(2);
  wall.ms = 25;
  const later = cache.coalesce('a', compute);
  expect(begun).toHaveLength(3);
  begun[2]!.fail(new Error('away'));
  await expect(later).rejects.toThrow('away');
  void cache.coalesce('a', compute);
  expect(begun).toHaveLength(4);
});

test('with a cache time of 0 every call computes its own response', () => {
  const { cache, begun, compute } = setUp({ cachedMs: 0 });
  for (let i = 0; i < 2; i++) void cache.forSecond('a', SECOND, compute);
  for (let i = 0; i < 2; i++) void cache.coalesce('a', compute);
  expect(begun).toHaveLength(4);
});
