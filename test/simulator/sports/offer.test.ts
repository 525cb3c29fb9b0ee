// The simulated matches: the same for the same seed, priced by every book in its own way, and two matches are never
// taken for one.
import { placeEvents } from '../../../src/domain/sports/identity/place-events';
import { readMarket } from '../../../src/domain/sports/read-market';
import { type MatchMarket, sportOf } from '../../../src/domain/sports/sports';
import { addDays, aetDayBounds } from '../../../src/domain/time/aet';
import { atOnce } from '../../../src/in-parts';
import { fixturesOf } from '../../../src/simulator/sports/fixtures';
import { type OfferedEvent, offerOf } from '../../../src/simulator/sports/offer';
import { matchesBetween } from '../../../src/simulator/sports/season/oracle';
import { SPORT_BOOKS_PLAYED } from '../../../src/simulator/sports/sport-books';
import { createNameStore } from '../../support/sports/name-store';

const SEED = 7;
const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const OBSERVED = new Date(NOW_MS).toISOString();
const HOUR_MS = 3_600_000;
const offers = (nowMs: number) => SPORT_BOOKS_PLAYED.map((book) => ({ book, events: offerOf(SEED, book, nowMs) }));

const listed = (one: OfferedEvent) => ({
  sport: sportOf(one.sport_key)!,
  sourceId: one.source_id ?? null,
  homeTeam: one.home_team,
  awayTeam: one.away_team,
  competition: one.competition ?? null,
  commenceTime: one.commence_time,
  homeShare: null,
  h2h: null,
});

/** With the share of its head-to-head prices, by which books are compared. */
function priced(one: OfferedEvent) {
  const { selections } = one.markets.find(({ market_type }) => market_type === 'h2h')!;
  const [home, away] = [one.home_team, one.away_team].map(
    (side) => selections.find(({ name }) => name === side)!.price,
  );
  return { ...listed(one), homeShare: away! / (home! + away!) };
}

test('the same seed and instant give the same offer, another seed another', () => {
  const [book] = SPORT_BOOKS_PLAYED;
  expect(offerOf(SEED, book!, NOW_MS)).toEqual(offerOf(SEED, book!, NOW_MS));
  expect(offerOf(8, book!, NOW_MS)).not.toEqual(offerOf(SEED, book!, NOW_MS));
});

test('every book’s list is read completely, and all lists are matches that join', () => {
  const all = offers(NOW_MS);
  for (const { events } of all) {
    expect(events.length).toBeGreaterThan(40);
    expect(events.length).toBeLessThan(500);
    expect(atOnce(placeEvents(events.map(listed), [], OBSERVED)).filter(({ kind }) => kind === 'refused')).toEqual([]);
    for (const event of events) {
      const names = { sportKey: event.sport_key, home: event.home_team, away: event.away_team };
      for (const { market_type, selections } of event.markets) {
        const { prices, dropped } = readMarket(market_type as MatchMarket, selections, names);
        expect([event.home_team, market_type, dropped]).toEqual([event.home_team, market_type, []]);
        const sum = [prices!.home, prices!.away, prices!.draw].reduce<number>(
          (all, one) => all + (one ? 1 / one : 0),
          0,
        );
        expect(sum).toBeGreaterThan(1);
      }
    }
  }
  expect(new Set(all.flatMap(({ events }) => events.map(({ home_team }) => home_team))).size).toBeGreaterThan(300);
});

/** The true match of each row, by its id, or by its names and its start. */
function oracleOf(nowMs: number) {
  const { matches } = matchesBetween(SEED, nowMs, nowMs - HOUR_MS, nowMs + 72 * HOUR_MS);
  const keyOf = (sport: string, names: readonly string[], start: string): string =>
    [sport, ...names.toSorted(), start].join('|');
  const known = new Map<string, string>();
  for (const { id, listed_as, starts } of matches)
    for (const { book, source_id, sport_key, home, away } of listed_as) {
      const truth = `${id} ${sport_key}`;
      if (source_id !== null) known.set(`${book} ${source_id}`, truth);
      else for (const start of starts) known.set(`${book} ${keyOf(sport_key, [home, away], start)}`, truth);
    }
  return (book: string, { source_id, sport_key, home_team, away_team, commence_time }: OfferedEvent): string =>
    known.get(`${book} ${source_id ?? keyOf(sport_key, [home_team, away_team], commence_time)}`)!;
}

test('in any order of books, no two matches of the season are mistaken for one, and most are joined', () => {
  const all = offers(NOW_MS);
  const truthOf = oracleOf(NOW_MS);
  for (const first of all.keys()) {
    const store = createNameStore();
    const truths = new Map<string, Set<string>>();
    const matches = new Map<string, Set<string>>();
    for (const { book, events } of [...all.slice(first), ...all.slice(0, first)])
      for (const [i, id] of store.push(book.key, events.map(priced), OBSERVED).entries()) {
        const truth = truthOf(book.key, events[i]!);
        truths.set(id, (truths.get(id) ?? new Set()).add(truth));
        matches.set(truth, (matches.get(truth) ?? new Set()).add(id));
      }
    const wrong = [...truths].filter(([id, of]) => !id.includes('-') || of.size > 1);
    expect(wrong).toEqual([]);
    const twice = [...matches.values()].filter((ids) => ids.size > 1).length;
    // Split squads of an unknown competition, and clubs written as three letters: in doubt both matches stay, and are
    // reported.
    console.info(`${all[first]!.book.key} first: ${twice} of ${matches.size} stand twice`);
    expect(twice).toBeLessThan(matches.size / 3);
  }
});

test('prices move, and some books withdraw a match and all put it back', () => {
  const [now, later] = [offers(NOW_MS), offers(NOW_MS + HOUR_MS)].map(([first]) => first!.events);
  const at = (events: readonly OfferedEvent[], id: string | undefined) => events.find((one) => one.source_id === id);
  const both = now!.filter(({ source_id }) => at(later!, source_id));
  const moved = both.filter(
    (one) => JSON.stringify(at(later!, one.source_id)!.markets) !== JSON.stringify(one.markets),
  );
  expect(moved.length).toBeGreaterThan(both.length / 2);
  const fixtures = [0, 1, 2, 3, 4].flatMap((ahead) => fixturesOf(SEED, addDays('2026-11-21', ahead)));
  const withdrawn = fixtures.find(({ withdrawnMs, postponed }) => withdrawnMs !== null && postponed === null)!;
  const lists = (nowMs: number) =>
    offers(nowMs).filter(({ events }) => events.some(({ source_id }) => source_id?.endsWith(`-${withdrawn.serial}`)));
  expect(lists(withdrawn.withdrawnMs!).length).toBeLessThan(lists(withdrawn.withdrawnMs! - 1).length);
  const postponed = fixtures.find((one) => one.postponed !== null && one.withdrawnMs === null)!;
  const startOf = (nowMs: number) => at(offers(nowMs)[0]!.events, `sportsbet-${postponed.serial}`)?.commence_time;
  expect(Date.parse(startOf(postponed.postponed!.atMs)!)).toBe(postponed.postponed!.startMs);
  expect(Date.parse(startOf(postponed.postponed!.atMs - 1)!)).toBe(postponed.startMs);
});

test('fixtures lie within their day, however long it is', () => {
  for (const day of ['2026-11-21', '2026-10-04', '2027-04-04']) {
    const { startMs, endMs } = aetDayBounds(day);
    const fixtures = fixturesOf(SEED, day);
    expect(fixtures.every((one) => one.startMs >= startMs && one.startMs < endMs)).toBe(true);
    expect(new Set(fixtures.map(({ serial }) => serial)).size).toBe(fixtures.length);
  }
});
