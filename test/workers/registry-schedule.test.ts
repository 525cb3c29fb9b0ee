// The registry as the server runs it: Schedule, workflow, activities, rows; immediately on a fresh stack, but not again
// after a restart.
import { REAL_TIME } from '../../src/domain/time/clock';
import { createRegistryFeed } from '../../src/feeds/racing-australia/fetch';
import { createRegistrySite } from '../../src/feeds/racing-australia/site';
import { ensureSchedules, runFirstReadings } from '../../src/workers/schedules/ensure';
import { type ActivityLab, openLab } from '../activities/lab';
import { ACCEPTANCES, CALENDAR, CONDITIONS, EMPTY_CALENDAR, SCRATCHINGS, STUB } from '../feeds/racing-australia/pages';
import { type BookServer, startBookServer } from '../feeds/support/book-server';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { runWorkers } from './run-workers';

/** Two hours of racing are months of wall time: the schedule's next run is not due during this test. */
const SLOW = { anchorMs: 0, speed: 1e-3 };

let lab: ActivityLab;
let site: BookServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  [lab, site] = await Promise.all([openLab([]), startBookServer()]);
  const endpoint = { baseUrl: site.url, contact: 'ops@x.example', partner: 'x', timeoutMs: 60_000 };
  const registry = createRegistryFeed(createRegistrySite({ endpoint, now: lab.deps.now, wait: async () => undefined }));
  Object.assign(lab.deps, { registry });
  stop = await runWorkers(lab);
});
afterAll(async () => {
  await stop?.();
  await Promise.all([lab?.close(), site?.close()]);
});

/** One state has meetings. */
function pageOf(url: string): string {
  if (url.includes('/Acceptances.aspx')) return ACCEPTANCES;
  if (url.includes('/Scratchings.aspx')) return SCRATCHINGS;
  const [calendar, tracks] = url.endsWith('State=NSW') ? [CALENDAR, CONDITIONS] : [EMPTY_CALENDAR, STUB];
  return url.includes('Calendar') ? calendar : tracks;
}

test('the first run starts with the schedule and reads every state, and a restart does not repeat it', async () => {
  site.answer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(url));
  });
  const { client } = lab.temporal;
  await ensureSchedules(client, SLOW);
  await runFirstReadings(client);
  const requests = (page: string) => site.requests.filter(({ url }) => url!.includes(page)).map(({ url }) => url);
  await waitFor(async () => requests('TrackCondition.aspx?State=ACT').length > 0, PATIENT_MS);
  for (const page of ['Calendar.aspx', 'Calendar_Results.aspx']) expect(requests(page)).toHaveLength(8);
  expect(requests('Acceptances')).toHaveLength(1);
  await waitFor(async () => requests('Premierships').length === 180, PATIENT_MS);
  await ensureSchedules(client, SLOW);
  await runFirstReadings(client);
  const schedule = client.schedule.getHandle('registry-state');
  expect((await schedule.describe()).info.numActionsTaken).toBe(1);
  await ensureSchedules(client, REAL_TIME);
  const { spec, policies } = await schedule.describe();
  expect(spec.intervals).toEqual([expect.objectContaining({ every: 2 * 3_600_000 })]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 2 * 3_600_000 });
  const premierships = await client.schedule.getHandle('premierships').describe();
  expect(premierships.info.numActionsTaken).toBe(1);
  expect(premierships.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 3_600_000 });
  const stored = await lab.query('SELECT venue, as_of IS NOT NULL AS published FROM registry_meetings ORDER BY 1');
  expect(stored).toEqual([
    { venue: 'Picklebet Park Wodonga', published: false },
    { venue: 'Rosehill Gardens', published: true },
  ]);
});
