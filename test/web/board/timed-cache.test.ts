import { timedCache } from '../../../src/web/board/timed-cache';

test('a value is computed once while it is cached', async () => {
  const cache = timedCache<number>(20_000);
  let computed = 0;
  const compute = async () => ++computed;
  expect(await cache.get('k', 0, compute)).toEqual({ value: 1, computedAtMs: 0, fresh: true });
  expect(await cache.get('k', 19_999, compute)).toEqual({ value: 1, computedAtMs: 0, fresh: false });
  expect(await cache.get('k', 20_000, compute)).toEqual({ value: 2, computedAtMs: 20_000, fresh: true });
  expect(await cache.get('other', 20_000, compute)).toMatchObject({ value: 3 });
});

test('concurrent callers wait for one computation', async () => {
  const cache = timedCache<number>(20_000);
  let computed = 0;
  let finish: (value: number) => void = () => {};
  const compute = () => {
    computed++;
    return new Promise<number>((resolve) => {
      finish = resolve;
    });
  };
  const all = Promise.all([1, 2, 3].map((ms) => cache.get('k', ms, compute)));
  finish(7);
  expect((await all).map(({ value, fresh }) => [value, fresh])).toEqual([
    [7, true],
    [7, false],
    [7, false],
  ]);
  expect(computed).toBe(1);
});

test('a failure is not cached', async () => {
  const cache = timedCache<number>(20_000);
  await expect(cache.get('k', 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('k', 1, async () => 1)).toMatchObject({ value: 1, fresh: true });
});

test('the oldest entries are evicted', async () => {
  const cache = timedCache<string>(20_000, 2);
  for (const key of ['a', 'b', 'c']) await cache.get(key, 0, async () => key);
  expect((await cache.get('c', 1, async () => 'again')).fresh).toBe(false);
  expect((await cache.get('a', 1, async () => 'again')).fresh).toBe(true);
});
