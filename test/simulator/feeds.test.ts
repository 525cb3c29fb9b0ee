// The service's connectors read the simulator as they read the real books: the same races, every price, nothing
// refused. The list of books and of their gaps comes from the registry and the conformance suite, so that a new book is
// tested here immediately.

import { BOOK_TABLES } from '../../src/domain/quality/second-reader/tables';
import type { BookListing, BookSnapshot, ListedRace } from '../../src/domain/race/feed-race';
import { type JoinCandidate, joinListing, placeRace, raceIdOf } from '../../src/domain/race/identity';
import { numberRunners } from '../../src/domain/race/join-runners';
import { isVacantBox } from '../../src/domain/race/runner';
import { resolveVenue } from '../../src/domain/race/venue';
import { addDays, aetDay } from '../../src/domain/time/aet';
import type { Feed, FeedReply } from '../../src/feeds/feed';
import { CONNECTED_BOOKS, createFeeds } from '../../src/feeds/registry';
import * as profiles from '../../src/simulator/books/profiles';
import { viewOf } from '../../src/simulator/books/view';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import type { Race } from '../../src/simulator/world/race';
import { racesOf } from '../../src/simulator/world/world';
import type { Lack } from '../feeds/support/book';
import { BOOKS } from '../feeds/support/books';
import { byMapper, bySecond } from '../feeds/support/two-readers';
import { PATIENT_MS } from '../support/patient';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');

let simulator: Simulator;
let feeds: ReadonlyMap<string, Feed>;
/** The races of the day and its neighbours as the service would store them, with the world's own races. */
let stored: readonly (JoinCandidate & { readonly race: Race })[];

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => NOW });
  const url = await simulator.listen(0);
  const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs: PATIENT_MS };
  feeds = createFeeds(
    Object.fromEntries(CONNECTED_BOOKS.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])),
    () => NOW,
  );
  stored = [-1, 0, 1].flatMap((n) => racesOf(simulator.world, addDays(DAY, n)).map(candidateOf));
});
afterAll(() => simulator.close());

function candidateOf(race: Race): JoinCandidate & { readonly race: Race } {
  const { track, day } = race.meeting;
  const { venueId } = resolveVenue(track.name, track.category, track.country);
  const identity = { meetingDate: day, category: track.category, venueId, raceNumber: race.number, card: 1 };
  const startMs = race.story.advertised.filter(({ fromMs }) => fromMs <= NOW).at(-1)!.startMs;
  return { raceId: raceIdOf(identity), identity, startTime: new Date(startMs).toISOString(), race };
}

function valueIn<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(`${reply.kind} ${JSON.stringify(reply)}`);
  return reply.value;
}

/** Rows that connectors skip by rule: Interim rows with a Final row, outcomes without placings. */
const BY_RULE = ['dividend_superseded', 'winner_without_placings'];

function refused<T>(reply: FeedReply<T>): string[] {
  return reply.kind === 'ok' ? Object.keys(reply.dropped).filter((reason) => !BY_RULE.includes(reason)) : [reply.kind];
}

const isWhole = (row: BookListing): row is ListedRace => row.raceNumber !== null && row.startTime !== null;

/** Each row of a list with its race; a row that lacks its number or its start joins by the other values. */
async function placed(key: string) {
  const rows = valueIn(await feeds.get(key)!.listRaces(DAY));
  const whole = rows.filter(isWhole);
  return rows.map((row) => {
    const found = isWhole(row) ? placeRace(row, stored, whole) : joinListing(row, stored);
    const raceId = found?.kind === 'known' ? found.raceId : null;
    return { row, found, one: stored.find((each) => each.raceId === raceId) ?? null };
  });
}

const startMsOf = (race: Race): number => race.story.advertised[0]!.startMs;
const kindOf = ({ meeting }: Race): string => `${meeting.track.category} ${meeting.track.country}`;

describe.each(CONNECTED_BOOKS)('%s', (key) => {
  const { lacks } = BOOKS.find((book) => book.key === key)!;
  const profile = Object.values(profiles).find((each) => each.key === key)!;

  test('lists the races of the day, under any track names: nothing is refused, nothing left out', async () => {
    // Sportsbet's region of the meeting abroad is not in the connector's table.
    const unreadable = key === 'sportsbet' ? ['country_unknown'] : [];
    expect(refused(await feeds.get(key)!.listRaces(DAY))).toEqual(unreadable);
    const rows = await placed(key);
    expect(rows.filter(({ one }) => one === null)).toEqual([]);
    const races = rows.map(({ one }) => one!.race);
    expect(new Set(races.map((race) => race.id)).size).toBe(races.length);
    // A book may leave out a whole code or country, but no single race of one that it lists.
    const kinds = new Set(races.map(kindOf));
    expect(kinds).toContain('horse AU');
    const until = lacks.has('past') ? Math.max(...races.map((race) => startMsOf(race))) : Number.POSITIVE_INFINITY;
    const due = racesOf(simulator.world, DAY).filter(
      (race) =>
        kinds.has(kindOf(race)) &&
        aetDay(startMsOf(race)) === DAY &&
        startMsOf(race) <= until &&
        (!lacks.has('past') || viewOf(race, profile, NOW).takesBets),
    );
    expect(due.filter((race) => !races.includes(race)).map((race) => race.id)).toEqual([]);
    expect(due.length).toBeGreaterThan(30);
  });

  test('races before, at and after the jump are read completely, with every price while the book takes bets', async () => {
    const rows = (await placed(key)).filter(({ one }) => Math.abs(Date.parse(one!.startTime) - NOW) < 40 * 60_000);
    expect(rows.length).toBeGreaterThan(4);
    for (const { row, one } of rows) {
      const texts: string[] = [];
      const reply = await feeds.get(key)!.fetchRace(row.sourceRaceId, { onBody: (text) => texts.push(text) });
      const snapshot = valueIn(reply);
      expect(refused(reply)).toEqual([]);
      if (Object.hasOwn(BOOK_TABLES, key))
        expect(bySecond(key, row.category, texts) ?? []).toEqual(byMapper(key, snapshot));
      if (row.startTime !== null) expect(snapshot.startTime).toBe(lacks.has('start') ? null : row.startTime);
      const view = viewOf(one!.race, profile, NOW);
      // Books name a closed market in their own ways (suspended, closed, an undocumented state); open is open.
      if (!lacks.has('marketStatus')) expect(snapshot.marketStatus === 'OPEN').toBe(view.takesBets);
      if (view.takesBets) expectPrices(snapshot, one!.race, view, lacks);
    }
  });

  test('a call for several races returns the same races, and marks an unknown one', async () => {
    const feed = feeds.get(key)!;
    if (!feed.bulk) return;
    const ids = (await placed(key)).slice(0, Math.min(6, feed.bulk.maxRaces - 1)).map(({ row }) => row.sourceRaceId);
    const replies = await feed.bulk.fetchRaces([...ids, ids[0]!.replace(/.{6}$/, '999999')]);
    const singly = await Promise.all(ids.map(async (id) => valueIn(await feed.fetchRace(id, { whole: true }))));
    expect(ids.map((id) => valueIn(replies.get(id)!))).toEqual(singly);
    expect([...replies.values()].at(-1)).toMatchObject({ kind: 'failed' });
  });
});

/**
 * By number, which is found by name for a book without numbers. An exchange quotes on its own rungs: the check is only
 * that it quotes.
 */
function expectPrices(
  snapshot: BookSnapshot,
  { runners }: Race,
  view: ReturnType<typeof viewOf>,
  lacks: ReadonlySet<Lack>,
): void {
  const named = runners.filter((runner) => !runner.vacant);
  const joined = numberRunners(snapshot.runners, named);
  const inIt = named.filter((runner) => !view.out.has(runner.number));
  const shown = (price: number): number | null => (price > 1 ? price : null);
  // A place price that cannot be proven may be missing, but is never another runner's.
  const placeOf = (number: number, place: number | null): number | null => {
    const unproven = lacks.has('everyPlace') && joined.runners.find((one) => one.number === number)?.place === null;
    return lacks.has('place') || unproven ? null : place;
  };
  const due = inIt.map((runner) => {
    const i = runners.indexOf(runner);
    return { number: runner.number, win: shown(view.win[i]!), place: placeOf(runner.number, shown(view.place[i]!)) };
  });
  const got = joined.runners.filter((runner) => runner.scratching === null && !isVacantBox(runner.name));
  const prices = got.map(({ number, win, place }) => ({ number, win, place })).sort((a, b) => a.number - b.number);
  const quoted = (rows: typeof prices) => rows.filter((row) => row.win !== null).map((row) => row.number);
  if (snapshot.exchange) expect(quoted(prices)).toEqual(quoted(due));
  else expect(prices).toEqual(due);
}

test('TAB and Entain report the same result of a race that ran, with dividends', async () => {
  const race = racesOf(simulator.world, DAY)
    .filter(({ story }) => !story.abandoned && story.finalMs < NOW - 1_800_000)
    .at(-1)!;
  const results = await Promise.all(
    ['ladbrokes_au', 'tab'].map(async (key) => {
      const { row } = (await placed(key)).find(({ one }) => one?.race === race)!;
      return valueIn(await feeds.get(key)!.fetchRace(row.sourceRaceId)).result!;
    }),
  );
  // TAB has no state for final: its connector leaves that to the thirty minutes of A 3.
  expect(results.map((result) => result.stage)).toEqual(['final', 'interim']);
  for (const result of results) {
    expect(result.placings.slice(0, 3).map((placing) => placing.number)).toEqual(
      race.story.settled.slice(0, 3).map((row) => row.number),
    );
    expect(result.straight.some((row) => row.market === 'WIN')).toBe(true);
    expect(new Set(result.exotics.map((row) => row.code))).toEqual(new Set(['QN', 'EX', 'TF', 'FF']));
  }
});

test('an abandoned meeting is abandoned at the books that report the reason', async () => {
  const race = racesOf(simulator.world, DAY).find(
    ({ meeting, story }) => meeting.abandonedAtMs !== null && story.abandoned,
  )!;
  const later = createSimulator({ seed: 'a', now: () => race.story.abandoned!.atMs + 300_000 });
  const url = await later.listen(0);
  const who = { contact: 'a@b.example', partner: 'p', timeoutMs: PATIENT_MS };
  const feed = createFeeds({ neds: { baseUrl: `${url}/neds`, ...who } }, () => NOW).get('neds')!;
  expect(valueIn(await feed.fetchRace(race.id)).result).toMatchObject({ stage: 'abandoned', placings: [] });
  await later.close();
});
