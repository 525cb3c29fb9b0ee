// The daily link check as the server runs it: Schedule, workflow, activity, row.
import { REAL_TIME } from '../../src/domain/time/clock';
import { ensureSchedules } from '../../src/workers/schedules/ensure';
import { type ActivityLab, openLab } from '../activities/lab';
import { type BookServer, startBookServer, status } from '../feeds/support/book-server';
import { PATIENT_MS } from '../support/patient';
import { addRace } from '../support/races/board';
import { feedRunner } from '../support/races/builders';
import { waitFor } from '../support/servers/service';
import { runWorkers } from './run-workers';

let lab: ActivityLab;
let site: BookServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  [lab, site] = await Promise.all([openLab([]), startBookServer()]);
  Object.assign(lab.deps, { betslip: { tab: `${site.url}/{race}/{number}` } });
  stop = await runWorkers(lab);
});
afterAll(async () => {
  await stop?.();
  await Promise.all([lab?.close(), site?.close()]);
});

test('a book’s live links are opened once a day, and the result of the check is stored', async () => {
  site.answer(status(404));
  const startTime = new Date(lab.clock.nowMs + 3_600_000).toISOString();
  await addRace(lab.db.pool, { startTime }, { tab: { runners: [feedRunner(1, { win: 3 })] } });
  await ensureSchedules(lab.temporal.client, REAL_TIME);
  const schedule = lab.temporal.client.schedule.getHandle('check-betslip-links');
  const { spec, policies } = await schedule.describe();
  expect(spec.intervals).toEqual([expect.objectContaining({ every: 86_400_000 })]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 6 * 3_600_000 });
  await schedule.trigger();
  const row = await waitFor(async () => (await lab.query('SELECT * FROM betslip_checks'))[0], PATIENT_MS);
  expect(row).toMatchObject({ bookmaker_key: 'tab', ok: false, links: 1, failed: 1 });
});
