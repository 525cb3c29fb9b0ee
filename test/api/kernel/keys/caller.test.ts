import { createHash } from 'node:crypto';
import { type CallerDeps, createCallers } from '../../../../src/api/kernel/keys/callers';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { formatKey, KEY_RANDOM_BYTES } from '../../../../src/plans/api-key';
import type { KeyWatcher } from '../../../../src/store/keys/key-changes';
import { hashApiKey, type KeyStore, type StoredKey } from '../../../../src/store/keys/keys';
import { keyRow, memoryKeys, newKey, storedKey } from '../../../support/api/api';

const HOME = '192.0.2.1';
/** A wall clock that is set back, as after a restored machine: nothing is cached for longer. */
const AN_HOUR_BACK = -3_600_000;
const UNKNOWN = { code: 'unauthorized' };

const one = async (keys: KeyStore, hash: Buffer): Promise<StoredKey | null> => (await keys.find([hash]))[0]!;

/** Callers whose clocks, announcements and database the test moves. */
function lab(find?: (hash: Buffer) => Promise<StoredKey | null>) {
  const keys = memoryKeys();
  /** `ahead`: how far the wall clock is ahead of the elapsed time. */
  const clock = { elapsed: 0, ahead: 0 };
  const watchers: KeyWatcher[] = [];
  const elapsedMs = () => clock.elapsed;
  const wallMs = () => clock.elapsed + clock.ahead;
  const deps: CallerDeps = {
    keys: find ? { find: (hashes) => Promise.all(hashes.map(find)) } : keys,
    changes: { watch: (watcher) => void watchers.push(watcher) },
    attempts: createAddressCount(null, wallMs),
    wallMs,
    elapsedMs,
  };
  const { identify, currentForMs, changes } = createCallers(deps);
  return {
    currentForMs,
    changes,
    keys,
    clock,
    watcher: watchers[0]!,
    identify: (key: string, network = HOME) => identify(key, network),
    changed: (key: string) => watchers[0]!.changed(hashApiKey(key).toString('base64')),
  };
}

test('a mistyped key is refused without a look-up (D18)', async () => {
  const { keys, identify } = lab();
  const good = keys.add();
  const mistyped = good.slice(0, 20) + (good[20] === 'a' ? 'b' : 'a') + good.slice(21);
  for (const key of ['', 'nonsense', mistyped]) await expect(identify(key)).rejects.toMatchObject({ status: 401 });
  expect(keys.lookups).toBe(0);
});

test('a nearly correct key reveals nothing: only its hash is looked up, which shares nothing with the correct one', async () => {
  const bytes = Uint8Array.from({ length: KEY_RANDOM_BYTES }, (_, i) => i);
  const good = formatKey(bytes);
  const near = formatKey(bytes.with(31, 99));
  expect(near.slice(0, 39)).toBe(good.slice(0, 39));
  const lookedUp: Buffer[] = [];
  const { identify } = lab(async (hash) => {
    lookedUp.push(hash);
    return hash.equals(hashApiKey(good)) ? storedKey(good) : null;
  });
  await identify(good);
  await expect(identify(near)).rejects.toMatchObject(UNKNOWN);
  expect(lookedUp).toEqual([good, near].map((key) => createHash('sha256').update(key).digest()));
  expect(lookedUp[0]!.subarray(0, 2)).not.toEqual(lookedUp[1]!.subarray(0, 2));
});

test('a key is looked up once in 30 seconds, however many requests wait for it', async () => {
  const { keys, clock, watcher, identify } = lab();
  watcher.following();
  const key = keys.add({ plan: 'growth', issuedAt: '2026-09-01T00:00:00.000Z' });
  const [first] = await Promise.all([identify(key), identify(key), identify(key)]);
  expect(first).toMatchObject({ plan: { id: 'plus' }, issuedAt: '2026-09-01T00:00:00.000Z' });
  clock.elapsed = 29_999;
  await identify(key);
  expect(keys.lookups).toBe(1);
  clock.elapsed = 30_001;
  clock.ahead = AN_HOUR_BACK;
  await identify(key);
  expect(keys.lookups).toBe(2);
});

test('without announcements an unknown key is not cached and works as soon as it is issued', async () => {
  const { keys, watcher, identify } = lab();
  const key = newKey();
  await expect(identify(key)).rejects.toMatchObject(UNKNOWN);
  watcher.following();
  watcher.lost();
  await expect(identify(key)).rejects.toMatchObject(UNKNOWN);
  await keys.insert(hashApiKey(key), keyRow(key));
  expect(await identify(key)).toMatchObject({ last4: key.slice(-4) });
});

describe('while changes are announced', () => {
  test('an unknown key is looked up once a minute', async () => {
    const { keys, clock, watcher, identify } = lab();
    watcher.following();
    const key = newKey();
    for (const elapsed of [0, 1, 59_999]) {
      clock.elapsed = elapsed;
      await expect(identify(key)).rejects.toMatchObject(UNKNOWN);
    }
    expect(keys.lookups).toBe(1);
    clock.elapsed = 60_000;
    clock.ahead = AN_HOUR_BACK;
    await expect(identify(key)).rejects.toMatchObject(UNKNOWN);
    expect(keys.lookups).toBe(2);
  });

  test('a key that is issued, changed or revoked is looked up again at once', async () => {
    const rows = new Map<string, StoredKey>();
    const { watcher, identify, changed } = lab(async (hash) => rows.get(hash.toString('hex')) ?? null);
    watcher.following();
    const key = newKey();
    const id = hashApiKey(key).toString('hex');
    await expect(identify(key)).rejects.toMatchObject(UNKNOWN);
    for (const plan of ['free', 'plus']) {
      rows.set(id, storedKey(key, { plan }));
      changed(key);
      expect(await identify(key)).toMatchObject({ plan: { id: plan } });
    }
    rows.delete(id);
    changed(key);
    await expect(identify(key)).rejects.toMatchObject(UNKNOWN);
  });

  test.each(['changed', 'following'] as const)('a look-up that began before “%s” is not cached', async (event) => {
    let answer: (row: StoredKey | null) => void = () => {};
    let lookUps = 0;
    const { watcher, identify, changed } = lab(() => {
      lookUps++;
      return new Promise((done) => {
        answer = done;
      });
    });
    watcher.following();
    const key = newKey();
    const early = identify(key);
    await new Promise(setImmediate);
    const answerEarly = answer;
    if (event === 'changed') changed(key);
    else watcher.following();
    const late = identify(key);
    await new Promise(setImmediate);
    expect(lookUps).toBe(2);
    answer(storedKey(key));
    expect(await late).toMatchObject({ last4: key.slice(-4) });
    answerEarly(null);
    await expect(early).rejects.toMatchObject(UNKNOWN);
    expect(await identify(key)).toMatchObject({ last4: key.slice(-4) });
    expect(lookUps).toBe(2);
  });

  test('when announcements resume, everything is looked up again', async () => {
    const { keys, watcher, identify } = lab();
    const key = keys.add();
    const other = newKey();
    watcher.following();
    await identify(key);
    await expect(identify(other)).rejects.toMatchObject(UNKNOWN);
    watcher.lost();
    await identify(key);
    expect(keys.lookups).toBe(2);
    watcher.following();
    await identify(key);
    await expect(identify(other)).rejects.toMatchObject(UNKNOWN);
    expect(keys.lookups).toBe(4);
  });
});

describe('unknown keys of one address', () => {
  type Identify = ReturnType<typeof lab>['identify'];
  const send = async (identify: Identify, count: number, keyOf = newKey): Promise<Record<string, number>> => {
    const all = await Promise.allSettled(Array.from({ length: count }, () => identify(keyOf())));
    const counts: Record<string, number> = {};
    for (const each of all) {
      const code = each.status === 'rejected' ? each.reason.code : 'accepted';
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return counts;
  };

  test('are a 429 beyond 60 a minute, including cached ones; those of one moment are one query', async () => {
    const { keys, clock, watcher, identify } = lab();
    watcher.following();
    const wrong = newKey();
    await expect(identify(wrong)).rejects.toMatchObject(UNKNOWN);
    expect(await send(identify, 200)).toEqual({ unauthorized: 59, rate_limit: 141 });
    expect(keys.lookups).toBe(2);
    await expect(identify(wrong)).rejects.toMatchObject({
      code: 'rate_limit',
      message: 'Each address may send 60 requests a minute without a key that is accepted from it.',
      extensions: { retry_after_seconds: 60 },
    });
    clock.elapsed = 60_000;
    expect(await send(identify, 70, () => wrong)).toEqual({ unauthorized: 60, rate_limit: 10 });
    expect(keys.lookups).toBe(3);
  });

  test('never cause a valid key to be refused, cached or not (D37)', async () => {
    const { keys, clock, identify } = lab();
    const known = keys.add();
    await identify(known);
    await send(identify, 100);
    for (const key of [known, keys.add(), keys.add()]) expect(await identify(key)).toMatchObject({ label: 'test' });
    expect(await identify(keys.add(), '192.0.2.2')).toMatchObject({ label: 'test' });
    clock.elapsed = 31_000;
    await send(identify, 100);
    const before = keys.lookups;
    expect(await identify(known)).toMatchObject({ label: 'test' });
    expect(keys.lookups).toBe(before + 1);
  });

  test('share a query of 1,000 keys every 250 ms while their address is over its budget, and delay no other address', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const { keys, clock, identify } = lab();
      const known = keys.add();
      await identify(known);
      await send(identify, 61);
      let queries = keys.lookups;
      const sinceThen = () => {
        const more = keys.lookups - queries;
        queries = keys.lookups;
        return more;
      };
      const flood = send(identify, 2500);
      const good = identify(keys.add());
      clock.elapsed = 31_000;
      await identify(known);
      await identify(keys.add(), '192.0.2.2');
      expect(sinceThen()).toBe(2);
      for (const [waitMs, began] of [
        [0, 1],
        [249, 0],
        [1, 1],
        [249, 0],
        [1, 1],
      ] as const) {
        await jest.advanceTimersByTimeAsync(waitMs);
        expect(sinceThen()).toBe(began);
      }
      expect(await good).toMatchObject({ label: 'test' });
      expect(await flood).toEqual({ rate_limit: 2500 });
      // The address stays slow until another key may be sent.
      clock.elapsed = 59_999;
      const next = send(identify, 1);
      await new Promise(setImmediate);
      expect(sinceThen()).toBe(0);
      await jest.advanceTimersByTimeAsync(250);
      expect(await next).toEqual({ rate_limit: 1 });
      clock.elapsed = 61_000;
      await expect(identify(newKey())).rejects.toMatchObject(UNKNOWN);
    } finally {
      jest.useRealTimers();
    }
  });

  test('wait for the previous query, however long it takes', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const stalled: (() => void)[] = [];
      let stalls = false;
      const { identify } = lab(() => {
        if (!stalls) return Promise.resolve(null);
        return new Promise((done) => stalled.push(() => done(null)));
      });
      await send(identify, 61);
      stalls = true;
      const first = send(identify, 1);
      await jest.advanceTimersByTimeAsync(250);
      const second = send(identify, 1);
      await jest.advanceTimersByTimeAsync(1000);
      expect(stalled).toHaveLength(1);
      stalled[0]!();
      await first;
      await jest.advanceTimersByTimeAsync(0);
      expect(stalled).toHaveLength(2);
      stalled[1]!();
      expect(await second).toEqual({ rate_limit: 1 });
    } finally {
      jest.useRealTimers();
    }
  });

  test('do not count while they cannot be judged, and valid keys never count', async () => {
    let away = false;
    const rows = memoryKeys();
    const { identify } = lab((hash) =>
      away ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })) : one(rows, hash),
    );
    expect(await send(identify, 200, () => rows.add())).toEqual({ accepted: 200 });
    away = true;
    expect(await send(identify, 200)).toEqual({ unavailable: 200 });
    away = false;
    await expect(identify(newKey())).rejects.toMatchObject(UNKNOWN);
  });
});

test('without the database only keys that were valid within the last 15 minutes work', async () => {
  const rows = memoryKeys();
  const key = rows.add();
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  let down = false;
  const { clock, identify, watcher, changed } = lab((hash) => (down ? Promise.reject(away) : one(rows, hash)));
  const other = rows.add();
  await identify(key);
  await identify(other);
  down = true;
  clock.elapsed = 14 * 60_000;
  watcher.following();
  expect(await identify(key)).toMatchObject({ last4: key.slice(-4) });
  await expect(identify(newKey())).rejects.toMatchObject({ code: 'unavailable' });
  changed(other);
  await expect(identify(other)).rejects.toMatchObject({ code: 'unavailable' });
  clock.elapsed = 16 * 60_000;
  clock.ahead = AN_HOUR_BACK;
  await expect(identify(key)).rejects.toMatchObject({ code: 'unavailable' });
});

test('without announcements a revoked key works for at most 5 s, and another key is another caller', async () => {
  const rows = memoryKeys();
  const first = rows.add({ label: 'first' });
  const other = rows.add({ label: 'other' });
  let revoked = false;
  const { clock, identify } = lab(async (hash) => (revoked ? null : one(rows, hash)));
  expect(await identify(first)).toMatchObject({ label: 'first' });
  expect(await identify(other)).toMatchObject({ label: 'other' });
  expect(await identify(first)).toMatchObject({ label: 'first' });
  revoked = true;
  clock.elapsed = 4999;
  expect(await identify(first)).toMatchObject({ label: 'first' });
  clock.elapsed = 5000;
  clock.ahead = AN_HOUR_BACK;
  await expect(identify(first)).rejects.toMatchObject(UNKNOWN);
});

test('what rests while its caller is current is woken by every change, and rests no longer than the key lasts', async () => {
  const { keys, clock, watcher, identify, changed, currentForMs, changes } = lab();
  const key = keys.add();
  const next = async (happens: () => void): Promise<number> => {
    const caller = await identify(key);
    const before = changes();
    happens();
    expect(changes()).toBeGreaterThan(before);
    return currentForMs(caller);
  };
  expect(currentForMs(await identify(key))).toBe(5000);
  expect(await next(watcher.following)).toBe(0);
  expect(currentForMs(await identify(key))).toBe(30_000);
  clock.elapsed = 10_000;
  expect(currentForMs(await identify(key))).toBe(20_000);
  expect(await next(() => changed(newKey()))).toBe(20_000);
  expect(await next(watcher.lost)).toBe(-5000);
  watcher.following();
  expect(await next(() => changed(key))).toBe(0);
  const ending = keys.add({ expiresAt: new Date(clock.elapsed + 1500).toISOString() });
  expect(currentForMs(await identify(ending))).toBe(1500);
});
