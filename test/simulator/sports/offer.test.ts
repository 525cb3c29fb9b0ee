// The simulated matches: the same for the same seed, priced by every book in its own way, and never two that are taken for one.
import { placeEvents } from '../../../src/domain/sports/identity/place-events';
import { readMarket } from '../../../src/domain/sports/read-market';
import { type Market, sportOf } from '../../../src/domain/sports/sports';
import { addDays, aetDayBounds } from '../../../src/domain/time/aet';
import { fixturesOf } from '../../../src/simulator/sports/fixtures';
import { type OfferedEvent, offerOf } from '../../../src/simulator/sports/offer';
import { SPORT_BOOKS_PLAYED } from '../../../src/simulator/sports/sport-books';

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

test('the same seed and instant are the same offer, another seed another', () => {
  const [book] = SPORT_BOOKS_PLAYED;
  expect(offerOf(SEED, book!, NOW_MS)).toEqual(offerOf(SEED, book!, NOW_MS));
  expect(offerOf(8, book!, NOW_MS)).not.toEqual(offerOf(SEED, book!, NOW_MS));
});

test('every book’s list is read whole, and all lists are matches that meet', () => {
  const seen = new Map<string, string>();
  const all = offers(NOW_MS);
  for (const { book, events } of all) {
    expect(events.length).toBeGreaterThan(40);
    expect(events.length).toBeLessThan(500);
    expect(placeEvents(events.map(listed), [], OBSERVED).filter(({ kind }) => kind === 'refused')).toEqual([]);
    for (const event of events) {
      const names = { sportKey: event.sport_key, home: event.home_team, away: event.away_team };
      for (const { market_type, selections } of event.markets) {
        const { prices, dropped } = readMarket(market_type as Market, selections, names);
        expect([event.home_team, market_type, dropped]).toEqual([event.home_team, market_type, []]);
        const sum = [prices!.home, prices!.away, prices!.draw].reduce<number>(
          (all, one) => all + (one ? 1 / one : 0),
          0,
        );
        expect(sum).toBeGreaterThan(1);
      }
      const [placed] = placeEvents([listed(event)], [], OBSERVED);
      if (placed?.kind === 'new') seen.set(`${book.key} ${placed.event.canonicalId}`, event.home_team);
    }
  }
  const matches = new Set([...seen.keys()].map((key) => key.split(' ')[1]!.split(':').slice(0, 3).sort().join()));
  expect(matches.size).toBeLessThan(seen.size / 3);
  expect(new Set(all.flatMap(({ events }) => events.map(({ home_team }) => home_team))).size).toBeGreaterThan(100);
});

test('prices move, and a match is withdrawn by some books and put back by all', () => {
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
