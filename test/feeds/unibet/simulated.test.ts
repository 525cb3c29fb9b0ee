// The simulated Unibet behaves as the real one is documented to, and the connector reads it completely.
import { isVacantBox } from '../../../src/domain/race/runner';
import { createUnibetFeed } from '../../../src/feeds/unibet/fetch';
import { createSimulator } from '../../../src/simulator/http/server';
import { PATIENT_MS } from '../../support/patient';
import { domesticRaces } from '../../support/races/domestic';
import { EVENT_HASH, MEETINGS_HASH, unibetPath } from '../support/books/unibet';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const simulator = createSimulator({ seed: 'a', now: () => NOW });
const PREFLIGHT = { 'apollo-require-preflight': 'true' };
const MEETINGS = {
  startDateTime: '2026-11-20T00:00:00.000Z',
  endDateTime: '2026-11-22T00:00:00.000Z',
  countryCodes: 'AUS',
  clientCountryCode: 'AU',
  raceTypes: ['T', 'G', 'H'],
};

let url: string;
beforeAll(async () => {
  url = `${await simulator.listen(0)}/unibet`;
});
afterAll(() => simulator.close());

const feed = () => createUnibetFeed({ baseUrl: url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS }, () => NOW);
const get = async (hash: string, variables: object, headers: Record<string, string> = PREFLIGHT) => {
  const reply = await fetch(url + unibetPath('MeetingsByDateRange', hash, variables), { headers });
  return { status: reply.status, body: (await reply.json()) as Record<string, never> };
};
const meetings = ({ body }: { body: unknown }) =>
  (body as { data: { viewer: { meetingsByDateRange: unknown[] } } }).data.viewer.meetingsByDateRange;

test('a GET without a preflight header gets 400; each of the three headers passes', async () => {
  expect((await get(MEETINGS_HASH, MEETINGS, {})).status).toBe(400);
  for (const name of ['apollo-require-preflight', 'x-apollo-operation-name']) {
    expect((await get(MEETINGS_HASH, MEETINGS, { [name]: 'true' })).status).toBe(200);
  }
  expect((await get(MEETINGS_HASH, MEETINGS, { 'content-type': 'application/json' })).status).toBe(200);
});

test('an unknown hash is an error with 200, and so is a known one with another operation', async () => {
  const unknown = { status: 200, body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] } };
  expect(await get('0'.repeat(64), MEETINGS)).toMatchObject(unknown);
  expect(await get(EVENT_HASH, MEETINGS)).toMatchObject(unknown);
});

test('a POST with the same content works too', async () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: MEETINGS_HASH } };
  const body = JSON.stringify({ operationName: 'MeetingsByDateRange', variables: MEETINGS, extensions });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/api/v1/graphql`, { method: 'POST', headers, body });
  expect(meetings({ body: await reply.json() })).toEqual(meetings(await get(MEETINGS_HASH, MEETINGS)));
});

test.each([[['AUS', 'NZL']], ['NZ'], [undefined]])('countries %p give an empty answer', async (countryCodes) => {
  expect(meetings(await get(MEETINGS_HASH, { ...MEETINGS, countryCodes }))).toEqual([]);
});

test('the connector lists every race of the day once and reads each completely, with prices while it is open', async () => {
  const races = domesticRaces(simulator.world, DAY);
  const listed = await feed().listRaces(DAY);
  if (listed.kind !== 'ok') throw new Error(listed.kind);
  expect(listed.dropped).toEqual({});
  expect(new Set(listed.value.map((race) => race.sourceRaceId)).size).toBe(races.length);
  const near = listed.value.filter((race) => Math.abs(Date.parse(race.startTime!) - NOW) < 40 * 60_000);
  expect(new Set(near.map((race) => race.category)).size).toBe(3);
  for (const { sourceRaceId, category } of near) {
    const reply = await feed().fetchRace(sourceRaceId);
    if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
    expect(reply.dropped).toEqual({});
    const { runners, marketStatus } = reply.value;
    const field = runners.filter((runner) => !isVacantBox(runner.name) && runner.scratching === null);
    expect(field.length).toBeGreaterThanOrEqual(5);
    for (const runner of field) expect(runner.number === null).toBe(category !== 'greyhound');
    if (marketStatus !== 'OPEN') continue;
    expect(field.filter((runner) => runner.win !== null).length).toBeGreaterThanOrEqual(field.length - 1);
  }
});
