// The jobs of the Schedules, by the activities that their workflows call and in that order. A step that fails fails the
// year.
import { type DuePeriod, MOST_PERIODS } from '../../../src/activities/bulk-files';
import { REGISTRY_STATES } from '../../../src/domain/registry/registry';
import type { YearService } from './service';

type Job = (service: YearService) => Promise<unknown>;

const meetingDiscovery: Job = async ({ run }) => {
  const { lists } = await run('listsToRead', { days: 2 });
  const days = [...new Set(lists.map(({ day }) => day))];
  for (const day of days) {
    const [first, ...others] = lists.filter((list) => list.day === day);
    await run('readList', first!);
    // The workflow begins one a second: they overlap.
    await Promise.all(others.map((list) => run('readList', list)));
  }
};
const registryState: Job = async ({ run }) => {
  for (const state of REGISTRY_STATES) await run('readRegistry', state);
};
const collectResults: Job = async ({ run }) => {
  for (const region of await run('resultsRegions')) await run('collectRegion', region);
  await run('settleCoverage');
};
const archivePast: Job = async ({ run }) => {
  const { failed } = await run('archivePast');
  if (failed > 0) throw new Error(`${failed} races could not be archived`);
  await run('reconcileArchive');
  await run('dropArchivedTicks');
};
const bulkFiles: Job = async ({ run }) => {
  // The Schedule runs it every hour, which is enough for all that is due in a day.
  let due: readonly DuePeriod[];
  do {
    due = await run('dueBulkPeriods');
    for (const one of due) await run('buildBulkPeriod', one);
  } while (due.length === MOST_PERIODS);
  await run('sweepBulkFiles');
};

/** By their Schedules. */
export const JOBS = {
  'meeting-discovery': meetingDiscovery,
  'registry-state': registryState,
  'registry-join': ({ run }) => run('joinRegistry'),
  'collect-results': collectResults,
  'archive-past': archivePast,
  'fill-runs': ({ run }) => run('fillRuns'),
  'bulk-files': bulkFiles,
  'run-history': ({ run }) => run('collectHistory'),
  'backfill-sweep': ({ run }) => run('sweepBackfills'),
  'uptime-probe': ({ run }) => run('probeUptime'),
  'check-betslip-links': ({ run }) => run('checkBetslipLinks'),
  'webhook-sweep': ({ run }) => run('sweepWebhooks'),
  'audit-credits': ({ run }) => run('auditCredits'),
  'close-credits': ({ run }) => run('closeCredits'),
} satisfies Record<string, Job>;

export type JobName = keyof typeof JOBS;

/** What the year does without, and why. */
export const NOT_LIVED: Readonly<Record<string, string>> = {
  'race-sweep': 'starts workflows, and Temporal is no part of it',
  'registry-gates': 'starts workflows, and Temporal is no part of it',
  'audit-quality': 'reads the wire formats of books, which are no part of it',
  'exchange-stream': 'reads a stream, which is no part of it',
  'sports-feed': 'takes seven seconds a day: matches are pushed',
  premierships: 'the simulated registry has none of a world so small',
};
