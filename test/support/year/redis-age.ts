// Redis has no clock that can be stepped: libfaketime and its allocator lock each other out. What its clock does is to
// end keys, so at each step every key becomes older by the step instead.
import type { Redis } from 'ioredis';

export async function ageRedis(redis: Redis, byMs: number): Promise<void> {
  for await (const keys of redis.scanStream({ count: 1000 }) as AsyncIterable<string[]>)
    for (const key of keys) {
      const leftMs = await redis.pttl(key);
      if (leftMs >= 0) await redis.pexpire(key, Math.max(0, Math.floor(leftMs - byMs)));
    }
}
