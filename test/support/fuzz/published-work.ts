// Publishes the processor time of the thread for each request; the watcher of the hostile battery collects it by route.
import { channel } from 'node:diagnostics_channel';
import { NO_WORK_LIMITS, type WorkLimits } from '../../../src/api/kernel/work/work-limits';
import { createWorkMeter, Work } from '../../../src/api/kernel/work/work-meter';

/** `scripts/fuzz/hostile/watcher.mjs` subscribes to it. */
const CHANNEL = channel('racing.fuzz.work');

/** Measures but limits nothing: all requests of the battery come from one address. */
export function publishedWork(): WorkLimits {
  const meter = createWorkMeter();
  return {
    ...NO_WORK_LIMITS,
    async measured(ctx, next) {
      const work = new Work();
      try {
        await meter.measure(work, next);
      } finally {
        const route = `${ctx.method} ${typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : 'none'}`;
        // A prepared response is written without the headers that `getHeader` knows.
        const { _header: sent } = ctx.res as unknown as { _header: string | null };
        const credits = Number(/^X-Credits-Cost: (\d+)/im.exec(sent ?? '')?.[1] ?? 0);
        CHANNEL.publish({ route, ms: work.ms, credits, keyless: ctx.get('X-API-Key') === '' });
      }
    },
  };
}
