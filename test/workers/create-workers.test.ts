// Which activities each queue serves: during a deploy there are workers of two releases at once.
import type { Activities } from '../../src/activities';
import { WORKER_ROLES } from '../../src/config';
import { optionsOf } from '../../src/workers/create-workers';
import { QUEUES } from '../../src/workflows/contract';

const SLOTS = { live: 7, io: 8, backfill: 6, webhooks: 4, webhookRetries: 5, cachedWorkflows: 9 };
const MOVED = ['abandonMeeting', 'carryOut', 'overrideResult', 'readResult'];
const NAMES = [...MOVED, 'pollCard', 'pollLive', 'streamExchange'];
const activities = Object.fromEntries(NAMES.map((name) => [name, async () => undefined])) as unknown as Activities;

const servedBy = async (role: (typeof WORKER_ROLES)[number]) => {
  const { taskQueue, activities: served } = await optionsOf(role, activities, SLOTS);
  return { taskQueue, served: Object.keys(served ?? {}).sort() };
};

test('each role serves its queue', async () => {
  for (const role of WORKER_ROLES) expect((await servedBy(role)).taskQueue).toBe(QUEUES[role]);
});

test('a moved activity is served on its new queue, and on its old one for the previous release', async () => {
  expect(await servedBy('decisions')).toMatchObject({ served: MOVED });
  expect(await servedBy('io')).toMatchObject({ served: [...MOVED, 'pollCard'].sort() });
  expect(await servedBy('exchange')).toMatchObject({ served: ['streamExchange'] });
  expect(await servedBy('poll')).toMatchObject({ served: ['pollLive', 'streamExchange'] });
});

test('slots and cached workflows follow the settings', async () => {
  expect(await optionsOf('poll', activities, SLOTS)).toMatchObject({ maxConcurrentActivityTaskExecutions: 7 });
  expect(await optionsOf('io', activities, SLOTS)).toMatchObject({ maxConcurrentActivityTaskExecutions: 8 });
  expect(await optionsOf('webhooks', activities, SLOTS)).toMatchObject({ maxConcurrentActivityTaskExecutions: 5 });
  expect(await optionsOf('workflows', activities, SLOTS)).toMatchObject({ maxCachedWorkflows: 9 });
});

test('the SDK throttles a live poller’s heartbeats less than they are apart, and the stream’s to one in each interval', async () => {
  const throttle = async (role: 'poll' | 'exchange') =>
    (await optionsOf(role, activities, SLOTS, 10_000)).maxHeartbeatThrottleInterval;
  expect(await throttle('poll')).toBe(8000);
  expect(await throttle('exchange')).toBe(10_000);
});
