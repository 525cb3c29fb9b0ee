// Long work that only one client waits for gives way to calls: alone it runs as fast as it can, beside calls in small
// parts with pauses.
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

export interface GivingWay {
  /** A call has begun. */
  noteCall(): void;
  /** One long work begins: call `rest` between two of its parts, and `end` after the last. */
  enter(): LongWork;
}

interface LongWork {
  rest(): Promise<void>;
  end(): void;
}

/** Since a call this long ago nothing is beside the work. Wall time. */
const BESIDE_MS = 200;
/** Work that has not rested for this long waits for something else, such as its pace. */
const BUSY_MS = 1000;
/** A part takes well under a millisecond. */
const PAUSE_MS = 10;

/** Wall time. */
interface Pauses {
  nowMs(): number;
  pause(ms: number): Promise<unknown>;
}

const REAL: Pauses = { nowMs: () => performance.now(), pause: (ms) => (ms === 0 ? turn() : delay(ms)) };

/** `pause` of 0: one turn of the event loop. */
export function createGivingWay({ nowMs, pause }: Pauses = REAL): GivingWay {
  let calledMs = Number.NEGATIVE_INFINITY;
  /** When each began or was at rest last. */
  const open = new Map<LongWork, number>();
  const busy = (): number => {
    const sinceMs = nowMs() - BUSY_MS;
    return [...open.values()].filter((restedMs) => restedMs >= sinceMs).length;
  };
  return {
    noteCall() {
      calledMs = nowMs();
    },
    enter() {
      const work: LongWork = {
        async rest() {
          open.set(work, nowMs());
          await pause(nowMs() - calledMs < BESIDE_MS ? PAUSE_MS * busy() : 0);
          if (open.has(work)) open.set(work, nowMs());
        },
        end: () => void open.delete(work),
      };
      open.set(work, nowMs());
      return work;
    },
  };
}
