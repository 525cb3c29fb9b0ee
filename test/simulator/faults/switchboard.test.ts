// The switches over HTTP while the simulator runs.
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';

const NOW = Date.parse('2026-11-21T03:10:00Z');
const LIST = '/tab/v1/tab-info-service/racing/dates/today/meetings?jurisdiction=NSW';

let nowMs = NOW;
let simulator: Simulator;
let url: string;

beforeEach(async () => {
  nowMs = NOW;
  simulator = createSimulator({ seed: 'a', now: () => nowMs, races: [{ startMs: NOW + 3_600_000 }] });
  url = await simulator.listen(0);
});
afterEach(() => simulator.close());

const call = (path: string, method = 'GET') => fetch(`${url}${path}`, { method });
const read = async <T>(path: string, method = 'GET'): Promise<T> => (await call(path, method)).json() as Promise<T>;

interface Status {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly on: readonly object[];
}

test('every scenario is listed with a description, and none is on', async () => {
  const all = await read<Status[]>('/faults');
  expect(new Set(all.map((one) => one.name)).size).toBe(all.length);
  expect(all.map((one) => one.name)).toEqual(
    expect.arrayContaining(['rate_limited', 'gzip_bomb', 'out_of_order', 'race_renumbered', 'market_reopened']),
  );
  for (const { description, on } of all) {
    expect(description).toMatch(/^.{3,}\.|^\d{3}\.$/);
    expect(on).toEqual([]);
  }
});

test('a scenario is on for one book and a duration, and off afterwards', async () => {
  const status = await read<Status>('/faults/rate_limited?book=tab&seconds=60', 'PUT');
  const from = new Date(NOW).toISOString();
  const until = new Date(NOW + 60_000).toISOString();
  expect(status.on).toEqual([{ book: 'tab', race: null, venue: null, from, until }]);
  expect((await call(LIST)).status).toBe(429);
  expect((await call('/pointsbetau/api/racing/v3/races/1')).status).toBe(404);
  nowMs += 60_000;
  expect((await call(LIST)).status).toBe(200);
  expect((await read<Status>('/faults/rate_limited')).on).toEqual([]);
});

test('switched on again it runs from then; switched off it is off for that book, or for all', async () => {
  for (const book of ['tab', 'neds', 'tab']) await call(`/faults/blocked?book=${book}`, 'PUT');
  expect((await read<Status>('/faults/blocked')).on).toHaveLength(2);
  expect((await call('/faults/blocked?book=neds', 'DELETE')).status).toBe(204);
  expect((await read<Status>('/faults/blocked')).on).toMatchObject([{ book: 'tab' }]);
  expect((await call('/faults', 'DELETE')).status).toBe(204);
  expect((await call(LIST)).status).toBe(200);
});

test.each([
  ['/faults/no_such_thing', 404, "no scenario 'no_such_thing'; there are rate_limited,"],
  ['/faults/blocked?book=nobody', 422, "no book 'nobody'; there are"],
  ['/faults/blocked?venue=Flemington', 422, "blocked takes book, seconds, not 'venue'"],
  ['/faults/venue_respelt?venue=Flemingdon', 422, "no track 'Flemingdon'"],
  ['/faults/venue_respelt?seconds=-1', 422, 'seconds must be above 0'],
  ['/faults/venue_respelt?seconds=soon', 422, 'seconds must be above 0'],
])('%s is refused with the valid values, and nothing is on', async (path, status, error) => {
  const reply = await call(path, 'PUT');
  expect(reply.status).toBe(status);
  expect(((await reply.json()) as { error: string }).error).toContain(error);
  expect((await read<Status[]>('/faults')).flatMap((one) => one.on)).toEqual([]);
});

test('configured scenarios are on from the start; an unknown name stops the start', async () => {
  const faults = [{ scenario: 'server_error', book: 'tab' }];
  const other = createSimulator({ seed: 'a', now: () => NOW, races: [], faults });
  const at = await other.listen(0);
  expect((await fetch(`${at}${LIST}`)).status).toBe(500);
  await other.close();
  const start = (scenario: string, book: string | null) => () =>
    createSimulator({ seed: 'a', now: () => NOW, faults: [{ scenario, book }] });
  expect(start('server_eror', null)).toThrow("no scenario 'server_eror'");
  expect(start('server_error', 'tabb')).toThrow("no book 'tabb'");
});

test('people get a page of switches, programs the same JSON as before', async () => {
  const page = async (path: string) => (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
  expect(await page('/')).toContain('<a href="/faults">');
  const off = await page('/faults');
  const all = await read<Status[]>('/faults');
  for (const { name } of all) expect(off).toContain(`data-name="${name}" data-method="PUT"`);
  expect(off).not.toContain('data-method="DELETE"');
  await call('/faults/hanging?book=tab&seconds=60', 'PUT');
  const on = await page('/faults');
  expect(on).toContain('data-name="hanging" data-method="DELETE"');
  expect(on).toContain('On: tab, until 2026-11-21T03:11:00.000Z');
  expect(await (await fetch(`${url}/faults`, { headers: { accept: '*/*' } })).json()).toHaveLength(all.length);
});
