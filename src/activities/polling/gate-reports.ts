// Every few seconds each worker stores the state of its gates, so that an operator can see why a price is missing, and
// counts the workers to know its share of the budgets while Redis is down. A failed report stops nothing; the next one
// follows.
import { type RaceClock, toRaceMs, toWallDelayMs } from '../../domain/time/clock';
import type { BookGate } from '../../feeds/gate/gate';
import type { Log } from '../../log';
import type { GateReport, HealthStore } from '../../store/health';

/** Race time; on the wall at least a second. */
const EVERY_MS = 10_000;
const SHORTEST_WALL_MS = 1000;
/** Race time after which a worker that has not reported is no longer counted. */
const SILENT_MS = 120_000;

export interface GateReportSetup {
  readonly gates: ReadonlyMap<string, BookGate>;
  readonly health: HealthStore;
  /** Names this worker among all of them. */
  readonly worker: string;
  readonly clock: RaceClock;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
  readonly onWorkers: (count: number) => void;
}

/** Writes one report. */
export async function reportGates({ gates, health, worker, clock, now, onWorkers }: GateReportSetup): Promise<void> {
  const nowMs = now();
  const reports = [...gates].map(([connector, gate]): GateReport => {
    const { breakerSinceMs, ...state } = gate.state();
    return { connector, worker, breakerSince: instant(toRaceMs(clock, breakerSinceMs)), ...state };
  });
  const silentMs = Math.max(SILENT_MS, 5 * everyWallMs(clock) * clock.speed);
  onWorkers(await health.reportGates(reports, instant(nowMs), instant(nowMs - silentMs)));
}

/** Writes one report now and then periodically until `stop`. */
export function startGateReports(setup: GateReportSetup): { stop(): void } {
  const report = (): void =>
    void reportGates(setup).catch((err: unknown) => setup.log.warn({ err }, 'gates not reported'));
  report();
  const timer = setInterval(report, everyWallMs(setup.clock));
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

const everyWallMs = (clock: RaceClock): number => Math.max(SHORTEST_WALL_MS, toWallDelayMs(clock, EVERY_MS));

const instant = (ms: number): string => new Date(ms).toISOString();
