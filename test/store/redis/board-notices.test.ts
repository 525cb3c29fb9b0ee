// Over a real Redis: notices reach the processes of the same database and clock, and a dead subscription is replaced.
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { createNoticeSender, followNotices, type NoticeScope } from '../../../src/store/redis/board-notices';
import { createRedis } from '../../../src/store/redis/redis';
import { PATIENT_MS } from '../../support/patient';
import { until } from '../../support/races/stream-lab';

let open: Redis[] = [];
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});

const newRedis = (): Redis => {
  const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  open = [...open, redis];
  return redis;
};

const newScope = (): NoticeScope => ({ databaseDirectUrl: `postgres://one/${randomUUID()}`, clock: REAL_TIME });

function following(scope: NoticeScope, pingEveryMs?: number) {
  const redis = newRedis();
  const got: string[] = [];
  followNotices(redis, scope, pingEveryMs).follow((ids) => got.push(...ids));
  return { redis, got };
}

test('only processes of the same database and clock get a notice, at whatever address', async () => {
  const scope = newScope();
  const others = [newScope(), { ...scope, clock: { anchorMs: 1, speed: 20 } }].map((of) => following(of));
  const own = following({ ...scope, databaseDirectUrl: scope.databaseDirectUrl.replace('one', 'two') });
  const [sender, toOthers] = [newRedis(), newRedis()];
  const notices = createNoticeSender(sender, scope);
  await until(async () => {
    notices.written('race');
    return own.got.includes('race');
  });
  createNoticeSender(toOthers, { ...scope, clock: { anchorMs: 1, speed: 20 } }).written('fast');
  await until(() => others[1]!.got.length > 0);
  expect(others.map(({ got }) => got)).toEqual([[], ['fast']]);
});

test('a subscription whose connection is dead is opened again', async () => {
  const scope = newScope();
  const { redis, got } = following(scope, 1000);
  const notices = createNoticeSender(newRedis(), scope);
  const arrives = (id: string) =>
    until(async () => {
      notices.written(id);
      return got.includes(id);
    });
  await arrives('before');
  // No byte is read from it any more, and it stays open.
  redis.stream.pause();
  await arrives('after');
});
