// The wall clock of a process. It runs on the machine's monotonic clock, so setting the system clock changes nothing,
// and it follows the database's clock, so all processes agree whatever their machines say. Never waits for the
// database: without it the clock runs on.
import { metrics } from '@opentelemetry/api';

export interface WallClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Compares with the database once. Never rejects. */
  compare(): Promise<void>;
  close(): void;
}

export interface WallClockSetup {
  /** The database's clock, epoch milliseconds. */
  readonly readDatabase: () => Promise<number>;
  /** Called when the clock is set, with the milliseconds by which it was ahead. */
  readonly onSet?: (aheadMs: number) => void;
  /** The machine's clocks. */
  readonly host?: { readonly system: () => number; readonly monotonic: () => number };
}

const COMPARE_EVERY_MS = 10_000;
/** Below this two clocks are the same. */
const TOLERANCE_MS = 250;

const HOST = { system: () => Date.now(), monotonic: () => performance.now() };

const meter = metrics.getMeter('racing-odds/clock');
const ahead = meter.createObservableGauge('racing.clock.ahead', {
  unit: 's',
  description: 'The system clock of this machine ahead of the database’s, negative behind it',
});

/** Compares with the database now and then periodically until `close`. */
export function keepWallClock({ readDatabase, onSet, host = HOST }: WallClockSetup): WallClock {
  let base = host.system() - host.monotonic();
  let agreed = false;
  const now = (): number => base + host.monotonic();
  const measure = async (): Promise<void> => {
    const sentAt = host.monotonic();
    const databaseMs = await readDatabase().catch(() => null);
    if (databaseMs === null) return;
    agreed = true;
    const repliedAt = host.monotonic();
    // The database read its clock at some instant in between.
    const measured = databaseMs - (sentAt + repliedAt) / 2;
    if (Math.abs(measured - base) <= (repliedAt - sentAt) / 2 + TOLERANCE_MS) return;
    onSet?.(base - measured);
    base = measured;
  };
  let comparing: Promise<void> | null = null;
  const compare = (): Promise<void> => {
    comparing ??= measure().finally(() => {
      comparing = null;
    });
    return comparing;
  };
  const observe = (gauge: { observe(seconds: number): void }): void => {
    if (agreed) gauge.observe((host.system() - now()) / 1000);
  };
  ahead.addCallback(observe);
  void compare();
  const timer = setInterval(compare, COMPARE_EVERY_MS).unref();
  return {
    now,
    compare,
    close: () => {
      clearInterval(timer);
      ahead.removeCallback(observe);
    },
  };
}
