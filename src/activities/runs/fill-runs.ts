// The hourly pass of the run store (B 4.6): fills the runs of every race that is due. A race that fails is logged and
// left for the next pass; the others continue.
import type { ActivityDeps } from '../deps';

export type RunDeps = Pick<ActivityDeps, 'log'> & { readonly stores: Pick<ActivityDeps['stores'], 'runs'> };

export interface RunReport {
  readonly races: number;
  readonly runs: number;
  readonly failed: number;
}

const AT_ONCE = 500;

/** `alive` is called after every race. */
export async function fillRuns({ stores, log }: RunDeps, alive: () => void = () => undefined): Promise<RunReport> {
  const tried = new Set<string>();
  const report = { races: 0, runs: 0, failed: 0 };
  for (;;) {
    const due = (await stores.runs.due(AT_ONCE + report.failed)).filter((id) => !tried.has(id));
    if (due.length === 0) return report;
    for (const raceId of due) {
      tried.add(raceId);
      try {
        report.runs += await stores.runs.fill(raceId);
        report.races += 1;
      } catch (err) {
        report.failed += 1;
        log.warn({ err, raceId }, 'the runs of a race could not be stored: the next pass tries again');
      }
      alive();
    }
  }
}
