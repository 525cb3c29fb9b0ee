import { createCallers } from '../../../src/api/access/caller';
import { hashApiKey } from '../../../src/store/keys';
import { keyRow, memoryKeys, newKey } from '../../support/api/api';

test('a mistyped key is refused without a look-up (D18)', async () => {
  const keys = memoryKeys();
  const good = keys.add();
  const mistyped = good.slice(0, 20) + (good[20] === 'a' ? 'b' : 'a') + good.slice(21);
  const callers = createCallers(keys);
  for (const key of ['', 'nonsense', mistyped])
    await expect(callers.identify(key)).rejects.toMatchObject({ status: 401 });
  expect(keys.lookups).toBe(0);
});

test('a key is looked up once in 30 seconds', async () => {
  const keys = memoryKeys();
  const key = keys.add({ plan: 'growth', issuedAt: '2026-09-01T00:00:00.000Z' });
  let wall = 0;
  const callers = createCallers(keys, () => wall);
  expect(await callers.identify(key)).toMatchObject({ plan: { id: 'plus' }, issuedAt: '2026-09-01T00:00:00.000Z' });
  wall = 29_999;
  await callers.identify(key);
  expect(keys.lookups).toBe(1);
  wall = 30_001;
  await callers.identify(key);
  expect(keys.lookups).toBe(2);
});

test('an unknown key is not cached: once issued, it works at once', async () => {
  const keys = memoryKeys();
  const key = newKey();
  const callers = createCallers(keys);
  await expect(callers.identify(key)).rejects.toMatchObject({ code: 'unauthorized' });
  await keys.insert(hashApiKey(key), keyRow(key));
  expect(await callers.identify(key)).toMatchObject({ last4: key.slice(-4) });
});

test('without the database a key that was valid within the last 15 minutes still works, and no other', async () => {
  const keys = memoryKeys();
  const key = keys.add();
  let wall = 0;
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  let down = false;
  const find = (hash: Buffer) => (down ? Promise.reject(away) : keys.find(hash));
  const callers = createCallers({ ...keys, find }, () => wall);
  await callers.identify(key);
  down = true;
  wall = 14 * 60_000;
  expect(await callers.identify(key)).toMatchObject({ last4: key.slice(-4) });
  await expect(callers.identify(newKey())).rejects.toMatchObject({ code: 'unavailable' });
  wall = 16 * 60_000;
  await expect(callers.identify(key)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a revoked key works for 30 s at most, and another key is another caller', async () => {
  const keys = memoryKeys();
  const [one, other] = [keys.add({ label: 'one' }), keys.add({ label: 'other' })];
  let wall = 0;
  let revoked = false;
  const find = async (hash: Buffer) => (revoked ? null : keys.find(hash));
  const callers = createCallers({ ...keys, find }, () => wall);
  expect(await callers.identify(one)).toMatchObject({ label: 'one' });
  expect(await callers.identify(other)).toMatchObject({ label: 'other' });
  expect(await callers.identify(one)).toMatchObject({ label: 'one' });
  revoked = true;
  wall = 29_999;
  expect(await callers.identify(one)).toMatchObject({ label: 'one' });
  wall = 30_000;
  await expect(callers.identify(one)).rejects.toMatchObject({ code: 'unauthorized' });
});
