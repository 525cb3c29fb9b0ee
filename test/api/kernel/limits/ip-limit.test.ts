import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { createIpLimit, type IpLimit } from '../../../../src/api/kernel/limits/ip-limit';
import { cancel } from '../../../../src/api/operations/billing/billing-cancel';
import { overageSwitch } from '../../../../src/api/operations/billing/billing-overage-switch';
import { billingPortal } from '../../../../src/api/operations/billing/billing-portal';
import { upgrade } from '../../../../src/api/operations/billing/billing-upgrade';
import { upgradeLink } from '../../../../src/api/operations/billing/billing-upgrade-link';
import { accountBrowser } from '../../../../src/api/pages/account/account-pages';
import { createAddressBudget } from '../../../../src/store/redis/address-budget';
import { createRedis } from '../../../../src/store/redis/redis';
import { tcpLine } from '../../../support/servers/tcp-line';

const url = process.env.REDIS_URL!;
const connections: Redis[] = [];
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnect();
});

const connect = (address = url): Redis => {
  const redis = createRedis(address, 10_000);
  connections.push(redis);
  return redis;
};
const inProcess = (deployment: string, address = url): IpLimit =>
  createIpLimit(createAddressCount(createAddressBudget(connect(address), deployment)));
const refused = (seconds: number) => ({ code: 'rate_limit', extensions: { retry_after_seconds: seconds } });

/**
 * Expects a refusal with the rest of a wait of `seconds` that began at `beganMs` or later; none only if the wait is
 * over.
 */
async function isRefused(taken: Promise<void>, seconds: number, beganMs: number): Promise<void> {
  const error = await taken.then(
    () => null,
    (cause: { code: string; extensions: { retry_after_seconds: number } }) => cause,
  );
  if (error) expect(error).toMatchObject({ code: 'rate_limit' });
  const waitS = error?.extensions.retry_after_seconds ?? 0;
  expect(waitS).toBeLessThanOrEqual(seconds);
  expect(waitS).toBeGreaterThanOrEqual(Math.ceil(seconds - (Date.now() - beganMs) / 1000));
}

test('in one process no minute admits more than an address’s limit, wherever it begins', async () => {
  let wall = 0;
  const limit = createIpLimit(createAddressCount(null, () => wall));
  const take = (ip = '192.0.2.1') => limit.take('Sandbox', ip, 30);
  await take();
  wall = 50_000;
  for (let i = 1; i < 30; i++) await take();
  await expect(take()).rejects.toMatchObject(refused(10));
  await take('192.0.2.2');
  await limit.take('Billing', '192.0.2.1', 30);
  wall = 60_000;
  await take();
  await expect(take()).rejects.toMatchObject(refused(50));
  // A clock that is set back gives nothing back within the window, and leaves no debt after it.
  wall -= 30_000;
  await expect(take()).rejects.toMatchObject(refused(50));
  wall -= 3_600_000;
  for (let i = 0; i < 30; i++) await take();
  await expect(take()).rejects.toMatchObject(refused(60));
});

test('a returned request may be taken again', async () => {
  for (const shared of [null, createAddressBudget(connect(), randomUUID())]) {
    const count = createAddressCount(shared);
    for (let i = 0; i < 2; i++) await count.take('a', 2);
    await count.giveBack('a', 2);
    const waits = [await count.take('a', 2), await count.take('a', 2)];
    expect([waits[0], waits[1]! > 0]).toEqual([0, true]);
  }
});

test('the account page and operations share the limit on calls to the payment provider', async () => {
  const ipLimit = createIpLimit(createAddressCount(null, () => 0));
  const client = { address: '192.0.2.1', network: '192.0.2.1', userAgent: '' };
  const visitor = { ...client, cookie: () => undefined, setCookie: () => {} };
  const page = accountBrowser(visitor, 'https://api.example.com', { ipLimit, sessions: { find: async () => null } });
  for (const { tag, perMinutePerIp } of [cancel, overageSwitch, billingPortal, upgrade, upgradeLink])
    await ipLimit.take(tag, '192.0.2.1', perMinutePerIp!);
  for (let i = 5; i < 30; i++) await page.countProviderCall();
  await expect(page.countProviderCall()).rejects.toMatchObject(refused(60));
});

test('processes share one count per address', async () => {
  const deployment = randomUUID();
  const one = inProcess(deployment);
  const other = inProcess(deployment);
  const began = Date.now();
  await one.take('Sandbox', '192.0.2.1', 2);
  await other.take('Sandbox', '192.0.2.1', 2);
  for (const limit of [one, other]) await isRefused(limit.take('Sandbox', '192.0.2.1', 2), 60, began);
  await one.take('Sandbox', '192.0.2.2', 2);
  await inProcess(randomUUID()).take('Sandbox', '192.0.2.1', 2);
});

test('simultaneous processes are admitted the limit of a window, and no more', async () => {
  const deployment = randomUUID();
  const HOUR_MS = 3_600_000;
  const counts = [0, 1].map(() => createAddressCount(createAddressBudget(connect(), deployment)));
  const waits = await Promise.all(Array.from({ length: 80 }, (_, i) => counts[i % 2]!.take('192.0.2.1', 30, HOUR_MS)));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(30);
  for (const waitMs of waits) expect(waitMs).toBeLessThanOrEqual(HOUR_MS);
});

test('without Redis each process counts alone', async () => {
  const line = await tcpLine(url);
  const limit = inProcess(randomUUID(), line.url);
  const began = Date.now();
  await limit.take('Sandbox', '192.0.2.1', 2);
  await line.cut();
  await limit.take('Sandbox', '192.0.2.1', 2);
  await isRefused(limit.take('Sandbox', '192.0.2.1', 2), 60, began);
  await line.close();
});

test('a flood of addresses does not evict a daily count, such as password guesses', async () => {
  const count = createAddressCount(null, () => 0);
  const guess = () => count.take('guesses of one account', 1, 24 * 60 * 60_000);
  expect(await guess()).toBe(0);
  for (let n = 0; n < 60_000; n += 1) await count.take(`address ${n}`, 100);
  expect(await guess()).toBeGreaterThan(0);
});
