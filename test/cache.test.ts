// One cache for all: who computes, who shares, and what is dropped.
import { createCache } from '../src/cache';

const always = (): boolean => true;

function computations<T>() {
  const begun: { end(value: T): void; fail(error: Error): void }[] = [];
  return { begun, compute: () => new Promise<T>((end, fail) => void begun.push({ end, fail })) };
}

test('callers that need a key while it is being computed share the computation, which one of them started', async () => {
  const cache = createCache<object>(10);
  const { begun, compute } = computations<object>();
  const all = [1, 2, 3].map(() => cache.get('k', always, compute));
  expect(begun).toHaveLength(1);
  const value = {};
  begun[0]!.end(value);
  expect((await Promise.all(all)).map((one) => [one.value === value, one.fresh])).toEqual([
    [true, true],
    [true, false],
    [true, false],
  ]);
  expect(await cache.get('k', always, compute)).toEqual({ value, fresh: false });
});

test('a value that does not suit a caller is computed again, and the new one is cached', async () => {
  const cache = createCache<{ n: number }>(10);
  await cache.get('k', always, async () => ({ n: 1 }));
  const atLeast2 = ({ n }: { n: number }): boolean => n >= 2;
  expect(await cache.get('k', atLeast2, async () => ({ n: 2 }))).toEqual({ value: { n: 2 }, fresh: true });
  expect(await cache.get('k', always, async () => ({ n: 3 }))).toEqual({ value: { n: 2 }, fresh: false });
});

test('callers that shared an unsuitable value share one more computation, and accept its result', async () => {
  const cache = createCache<{ n: number }>(10);
  const { begun, compute } = computations<{ n: number }>();
  const never = (): boolean => false;
  const [first, ...others] = [1, 2, 3, 4].map(() => cache.get('k', never, compute));
  begun[0]!.end({ n: 1 });
  expect((await first)!.value).toEqual({ n: 1 });
  expect(begun).toHaveLength(2);
  begun[1]!.end({ n: 2 });
  expect((await Promise.all(others)).map(({ value }) => value.n)).toEqual([2, 2, 2]);
  expect(begun).toHaveLength(2);
});

test('a failure fails for all who waited and is not cached, nor is the previous value', async () => {
  const cache = createCache<{ n: number }>(10);
  await cache.get('k', always, async () => ({ n: 1 }));
  const { begun, compute } = computations<{ n: number }>();
  const never = (): boolean => false;
  const both = [cache.get('k', never, compute), cache.get('k', never, compute)];
  begun[0]!.fail(new Error('away'));
  for (const one of both) await expect(one).rejects.toThrow('away');
  expect(await cache.get('k', always, async () => ({ n: 2 }))).toEqual({ value: { n: 2 }, fresh: true });
});

test('a computation whose key is evicted or dropped is still awaited, and not cached', async () => {
  for (const drop of [
    (cache: ReturnType<typeof createCache<object>>) => cache.get('other', always, async () => ({})),
    async (cache: ReturnType<typeof createCache<object>>) => cache.clear(),
  ]) {
    const cache = createCache<object>(1);
    const { begun, compute } = computations<object>();
    const waiting = [cache.get('k', always, compute), cache.get('k', always, compute)];
    await drop(cache);
    begun[0]!.end({ n: 1 });
    expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual([{ n: 1 }, { n: 1 }]);
    void cache.get('k', always, compute);
    expect(begun).toHaveLength(2);
  }
});

test('expired values are pruned, and the others are kept', async () => {
  const cache = createCache<{ n: number }>(10);
  for (const n of [1, 2]) await cache.get(String(n), always, async () => ({ n }));
  cache.prune(({ n }) => n > 1);
  const freshOf = async (key: string) => (await cache.get(key, always, async () => ({ n: 0 }))).fresh;
  expect([await freshOf('1'), await freshOf('2')]).toEqual([true, false]);
});
