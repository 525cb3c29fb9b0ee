// Palmerbet, PlayUp, Dabble and TABtouch read from the simulator by their connectors and joined to the races that Ladbrokes lists, number or
// start or names missing: every row finds its race, every price its runner, and nothing is refused.
import type { BookListing, BookSnapshot, FeedRunner, ListedRace } from '../../src/domain/feed-race';
import { type JoinCandidate, joinListing, placeRace, raceIdOf } from '../../src/domain/identity';
import { numberRunners } from '../../src/domain/join-runners';
import { isVacantBox } from '../../src/domain/runner';
import { resolveVenue } from '../../src/domain/venue';
import type { Feed, FeedReply } from '../../src/feeds/feed';
import { createFeeds } from '../../src/feeds/registry';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const BOOKS = ['palmerbet', 'playup', 'dabble_au', 'tabtouch'];

let simulator: Simulator;
let feeds: ReadonlyMap<string, Feed>;
let candidates: readonly JoinCandidate[];
let byId: ReadonlyMap<string, ListedRace>;

function ok<T>(reply: FeedReply<T>): Extract<FeedReply<T>, { kind: 'ok' }> {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  return reply;
}
const list = async (key: string) => ok(await feeds.get(key)!.listRaces(DAY));
const isWhole = (row: BookListing): row is ListedRace => row.raceNumber !== null && row.startTime !== null;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => NOW });
  const url = await simulator.listen(0);
  const who = { contact: 'ops@racing-odds.example', partner: 'p', timeoutMs: 10_000 };
  const endpoints = ['ladbrokes_au', ...BOOKS].map((key) => [key, { baseUrl: `${url}/${key}`, ...who }]);
  feeds = createFeeds(Object.fromEntries(endpoints), () => NOW);
  const spine = (await list('ladbrokes_au')).value.filter(isWhole);
  const placed = spine.map((race) => {
    const { meetingDate, category, raceNumber, startTime } = race;
    const { venueId } = resolveVenue(race.venue, category, race.country);
    const identity = { meetingDate, category, venueId, raceNumber, card: 1 };
    return { race, candidate: { raceId: raceIdOf(identity), identity, startTime } };
  });
  candidates = placed.map(({ candidate }) => candidate);
  byId = new Map(placed.map(({ race, candidate }) => [candidate.raceId, race]));
});
afterAll(() => simulator.close());

/** The spine's race that a row joins, or nothing. */
function joined(row: BookListing, whole: readonly ListedRace[]): ListedRace | undefined {
  const found = isWhole(row) ? placeRace(row, candidates, whole) : joinListing(row, candidates);
  return found?.kind === 'known' ? byId.get(found.raceId) : undefined;
}

const near = (race: ListedRace): boolean => Math.abs(Date.parse(race.startTime) - NOW) < 45 * 60_000;

async function pairsOf(key: string): Promise<readonly { row: BookListing; race: ListedRace }[]> {
  const { value } = await list(key);
  const whole = value.filter(isWhole);
  return value.map((row) => ({ row, race: joined(row, whole)! }));
}

test.each([
  ['palmerbet', (race: ListedRace) => race.category !== null],
  ['playup', (race: ListedRace) => race.category === 'horse'],
])('%s lists all its races of the day, and each is the race it says', async (key, has) => {
  const pairs = await pairsOf(key);
  expect((await list(key)).dropped).toEqual({});
  expect(pairs.map(({ race }) => race.sourceRaceId).sort()).toEqual(
    [...byId.values()]
      .filter(has)
      .map((race) => race.sourceRaceId)
      .sort(),
  );
});

test.each(['dabble_au', 'tabtouch'])('%s lists what is to come, and each row finds one race', async (key) => {
  const reply = await list(key);
  expect(reply.dropped).toEqual({});
  const pairs = await pairsOf(key);
  expect(pairs.length).toBeGreaterThan(30);
  expect(new Set(pairs.map(({ race }) => race?.sourceRaceId)).size).toBe(pairs.length);
  for (const { row, race } of pairs) {
    if (row.raceNumber !== null) expect(row.raceNumber).toBe(race.raceNumber);
    if (row.startTime !== null)
      expect(Math.abs(Date.parse(row.startTime) - Date.parse(race.startTime))).toBeLessThan(120_001);
  }
});

const snapshot = async (key: string, sourceRaceId: string) => ok(await feeds.get(key)!.fetchRace(sourceRaceId, { whole: true }));

/** The book's runners with the numbers of Ladbrokes' card. */
async function numbered(reply: { value: BookSnapshot }, race: ListedRace) {
  const card = (await snapshot('ladbrokes_au', race.sourceRaceId)).value.runners;
  return {
    card,
    ...numberRunners(
      reply.value.runners,
      card.map(({ number, name }) => ({ number: number!, name })),
    ),
  };
}

test.each(BOOKS)('%s: races before, at and after the jump read whole, prices on the right runners', async (key) => {
  const pairs = (await pairsOf(key)).filter(({ race }) => near(race));
  expect(pairs.length).toBeGreaterThan(key === 'playup' ? 2 : 6);
  let priced = 0;
  for (const { row, race } of pairs) {
    const reply = await snapshot(key, row.sourceRaceId);
    const { card, runners, unjoined } = await numbered(reply, race);
    expect(Object.keys(reply.dropped).filter((reason) => reason !== 'winner_without_placings')).toEqual([]);
    expect(reply.value.result).toBeNull();
    expect(unjoined).toBe(0);
    if (reply.value.marketStatus !== 'OPEN') continue;
    for (const runner of runners) expectSamePrice(runner, card.find(({ number }) => number === runner.number)!);
    priced += runners.filter((runner) => runner.win !== null).length;
    const field = card.filter(({ name, scratching }) => scratching === null && !isVacantBox(name));
    expect(runners.filter((runner) => runner.win !== null).length).toBeGreaterThanOrEqual(field.length - 3);
  }
  expect(priced).toBeGreaterThan(20);
});

/** Two books that read one market are never three times apart, but for a placeholder of theirs. */
function expectSamePrice(ours: FeedRunner, theirs: { readonly name: string; readonly win: number | null }) {
  if (ours.win === null || theirs.win === null || ours.win >= 101 || theirs.win >= 101) return;
  const ratio = ours.win / theirs.win;
  expect([theirs.name, ratio > 1 / 3 && ratio < 3]).toEqual([theirs.name, true]);
}

test('Dabble’s legs fall from the win on, and TABtouch’s places come from the model', async () => {
  const top = new Set<number>();
  const places = { known: 0, all: 0 };
  for (const key of ['dabble_au', 'tabtouch']) {
    for (const { row, race } of (await pairsOf(key)).filter((pair) => near(pair.race))) {
      const { value } = await snapshot(key, row.sourceRaceId);
      for (const runner of value.runners.filter((one) => one.win !== null && value.marketStatus === 'OPEN' && race)) {
        if (key === 'tabtouch') {
          places.all += 1;
          places.known += runner.place === null ? 0 : 1;
          continue;
        }
        const legs = [runner.win, runner.top2, runner.top3, runner.top4].filter((leg) => leg !== null);
        expect(legs).toEqual([...legs].sort((a, b) => b - a));
        top.add(legs.length);
      }
    }
  }
  expect(top).toContain(4);
  expect(places.known / places.all).toBeGreaterThan(0.6);
});
