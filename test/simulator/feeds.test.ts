// The connectors of the service read the simulator as they would the real books: the same races, nothing refused.
import type { ListedRace } from '../../src/domain/feed-race';
import { raceIdOf } from '../../src/domain/identity';
import { isVacantBox } from '../../src/domain/runner';
import { resolveVenue } from '../../src/domain/venue';
import type { Feed, FeedReply } from '../../src/feeds/feed';
import { createFeeds } from '../../src/feeds/registry';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import { racesOf } from '../../src/simulator/world/world';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const KEYS = ['ladbrokes_au', 'neds', 'pointsbetau', 'tab'];

let simulator: Simulator;
let feeds: ReadonlyMap<string, Feed>;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => NOW });
  const url = await simulator.listen(0);
  const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs: 10_000 };
  feeds = createFeeds(Object.fromEntries(KEYS.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])), () => NOW);
});
afterAll(() => simulator.close());

function valueIn<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(`${reply.kind} ${JSON.stringify(reply)}`);
  return reply.value;
}

/** What a connector refused, but for the dividend rows it passes over by rule: other totes, Interim rows with a Final beside them. */
function refused<T>(reply: FeedReply<T>): string[] {
  const byRule = ['dividend_of_other_tote', 'dividend_superseded'];
  return reply.kind === 'ok' ? Object.keys(reply.dropped).filter((reason) => !byRule.includes(reason)) : [reply.kind];
}

const idOf = ({ meetingDate, category, venue, country, raceNumber }: ListedRace): string =>
  raceIdOf({ meetingDate, category, venueId: resolveVenue(venue, category, country).venueId, raceNumber, card: 1 });

const listOf = async (key: string): Promise<readonly ListedRace[]> =>
  valueIn(await feeds.get(key)!.listRaces(DAY)).filter(
    (row): row is ListedRace => row.raceNumber !== null && row.startTime !== null,
  );

test('all four books list the same races of the day, whatever they call the tracks', async () => {
  const [first, ...others] = await Promise.all(KEYS.map(async (key) => (await listOf(key)).map(idOf).sort()));
  expect(first).toHaveLength(racesOf(simulator.world, DAY).length);
  for (const other of others) expect(other).toEqual(first);
});

test.each(KEYS)('%s: nothing on the list is refused', async (key) => {
  const reply = await feeds.get(key)!.listRaces(DAY);
  expect(reply).toHaveProperty('dropped', {});
});

test.each(KEYS)(
  '%s: races before, at and after the jump read whole, with prices while the market is open',
  async (key) => {
    const listed = await listOf(key);
    const races = listed.filter((race) => Math.abs(Date.parse(race.startTime) - NOW) < 40 * 60_000);
    expect(races.length).toBeGreaterThan(12);
    for (const race of races) {
      const reply = await feeds.get(key)!.fetchRace(race.sourceRaceId);
      const snapshot = valueIn(reply);
      expect(snapshot.startTime).toBe(race.startTime);
      expect(refused(reply)).toEqual([]);
      const field = snapshot.runners.filter((runner) => !isVacantBox(runner.name) && runner.scratching === null);
      expect(field.length).toBeGreaterThanOrEqual(5);
      if (snapshot.marketStatus !== 'OPEN') continue;
      expect(field.filter((runner) => runner.win !== null).length).toBeGreaterThanOrEqual(field.length - 1);
    }
  },
);

test('TAB and Entain tell the same outcome of a race that was run, with dividends', async () => {
  const race = racesOf(simulator.world, DAY)
    .filter(({ story }) => !story.abandoned && story.finalMs < NOW - 1_800_000)
    .at(-1)!;
  const results = await Promise.all(
    ['ladbrokes_au', 'tab'].map(async (key) => {
      const listed = (await listOf(key)).find(
        (one) =>
          one.raceNumber === race.number &&
          one.category === race.meeting.track.category &&
          resolveVenue(one.venue, one.category, one.country).venueId ===
            resolveVenue(race.meeting.track.name, one.category, one.country).venueId,
      )!;
      return valueIn(await feeds.get(key)!.fetchRace(listed.sourceRaceId)).result!;
    }),
  );
  // TAB has no word for final: its connector leaves that to the thirty minutes of A 3.
  expect(results.map((result) => result.stage)).toEqual(['final', 'interim']);
  for (const result of results) {
    expect(result.placings.slice(0, 3).map((placing) => placing.number)).toEqual(
      race.story.settled.slice(0, 3).map((row) => row.number),
    );
    expect(result.straight.some((row) => row.market === 'WIN')).toBe(true);
    expect(new Set(result.exotics.map((row) => row.code))).toEqual(new Set(['QN', 'EX', 'TF', 'FF']));
  }
});

test('an abandoned meeting is abandoned at the books that say why', async () => {
  const race = racesOf(simulator.world, DAY).find(
    ({ meeting, story }) => meeting.abandonedAtMs !== null && story.abandoned,
  )!;
  const later = createSimulator({ seed: 'a', now: () => race.story.abandoned!.atMs + 300_000 });
  const url = await later.listen(0);
  const who = { contact: 'a@b.example', partner: 'p', timeoutMs: 5000 };
  const feed = createFeeds({ neds: { baseUrl: `${url}/neds`, ...who } }, () => NOW).get('neds')!;
  expect(valueIn(await feed.fetchRace(race.id)).result).toMatchObject({ stage: 'abandoned', placings: [] });
  await later.close();
});
