// What the live pollers of one process share: the queue that admits their polls, and who gives up a slot to a race
// nearer its jump.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics } from '@opentelemetry/api';
import type { LiveWatch } from '../../../store/polls/live-races';
import { yieldingRaces } from './live-slots';
import { PollQueue } from './poll-queue';

export interface LiveLoad {
  readonly queue: PollQueue;
  /** From a poller's first moment to its last. */
  hold(raceId: string): Held;
}

interface Held {
  /** Whether the poller must end, so that its slot goes to a race nearer its jump that no worker polls. */
  mustYield(): boolean;
  release(): void;
}

const SAMPLE_EVERY_MS = 500;
const RESOLUTION_MS = 20;

const waiting = metrics.getMeter('racing-odds/collection').createObservableGauge('racing.polls.waiting', {
  description: 'Due polls that wait because this process does not keep up',
});

/** `now`: race time. `slots`: how many races this process may hold. Without a watch no poller yields. */
export function createLiveLoad(now: () => number, slots: number, watch?: LiveWatch): LiveLoad {
  const queue = new PollQueue(now);
  const held = new Set<string>();
  let yielding: ReadonlySet<string> = new Set();
  let seen: unknown = null;
  let stopSampling: (() => void) | null = null;
  waiting.addCallback((result) => result.observe(queue.waitingCount));

  const decide = (): ReadonlySet<string> => {
    const live = watch?.latest() ?? null;
    if (live === seen) return yielding;
    seen = live;
    const races = (live ?? []).map(({ raceId, startTime, unpolled }) => ({
      raceId,
      startMs: Date.parse(startTime),
      unpolled,
    }));
    const own = races.filter(({ raceId }) => held.has(raceId));
    const unpolled = races.filter((race) => race.unpolled);
    const isFull = held.size >= slots;
    yielding = new Set(isFull ? yieldingRaces(own, unpolled, own.length) : []);
    return yielding;
  };

  return {
    queue,
    hold(raceId) {
      held.add(raceId);
      stopSampling ??= sampling(queue);
      return {
        mustYield: () => decide().has(raceId),
        release: () => {
          held.delete(raceId);
          if (held.size > 0) return;
          stopSampling?.();
          stopSampling = null;
        },
      };
    },
  };
}

/** Reports the load of the process to the queue twice a second. */
function sampling(queue: PollQueue): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const timer = setInterval(() => {
    const lateMs = Number.isFinite(delays.mean) ? delays.mean / 1e6 - RESOLUTION_MS : 0;
    delays.reset();
    queue.sample({ atMs: performance.now(), lateMs, ...queue.takeStored() });
  }, SAMPLE_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
