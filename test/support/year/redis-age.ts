// Redis has no clock that can be stepped: libfaketime and its allocator deadlock. The only effect of its clock is that
// keys expire, so at each step every key instead ages by the length of the step.
import type { Redis } from 'ioredis';

export async function ageRedis(redis: Redis, byMs: number): Promise<void> {
  for await (const keys of redis.scanStream({ count: 1000 }) as AsyncIterable<string[]>)
    for (const key of keys) {
      const leftMs = await redis.pttl(key);
      if (leftMs >= 0) await redis.pexpire(key, Math.max(0, Math.floor(leftMs - byMs)));
    }
}
