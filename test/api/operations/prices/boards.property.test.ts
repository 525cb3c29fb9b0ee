// best-odds and next-to-go over any board of prices agree with each other (A 2.3, A 2.4).
import fc from 'fast-check';
import { CUSTOMERS } from '../../../../src/api/kernel/endpoint/visibility';
import { presentChanges } from '../../../../src/api/operations/changes/present-changes';
import { MARKETS } from '../../../../src/api/operations/prices/markets-schema';
import { bestLines } from '../../../../src/api/operations/prices/present-best-lines';
import { presentBest } from '../../../../src/api/operations/prices/present-best-race';
import { presentMarkets } from '../../../../src/api/operations/prices/present-markets';
import { presentNext } from '../../../../src/api/operations/prices/present-next-race';
import { agedRace, type RaceText, raceText, serialiseRaces } from '../../../../src/api/wire/aged-race';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import type { BoardBook, BoardRace } from '../../../../src/store/reads/races/board';
import { expectConforms } from '../../../support/api/conforms';
import { runs } from '../../../support/property';
import { boardRace, runnerRow } from '../../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const KEYS = ['betgold', 'betr_au', 'ladbrokes_au', 'neds', 'tab', 'unibet'];
const FIELD = 5;
const RUNS = { numRuns: runs(40) };

const cents = (min: number, max: number) => fc.integer({ min: min * 100, max: max * 100 }).map((price) => price / 100);
const legs = fc.array(fc.option(fc.oneof(cents(1.01, 12), cents(20, 200)), { nil: null, freq: 4 }), {
  minLength: FIELD,
  maxLength: FIELD,
});
const aBook = (bookmaker: string): fc.Arbitrary<BoardBook> =>
  fc
    .record({ win: legs, place: legs, top2: legs, secondsAgo: fc.integer({ min: 0, max: 2000 }) })
    .map(({ win, place, top2, secondsAgo }) => ({
      bookmaker,
      polledAtMs: NOW_MS - secondsAgo * 1000,
      sourceUrl: null,
      numbers: Array.from({ length: FIELD }, (_, i) => i + 1),
      win,
      place,
      top2,
      top3: [],
      top4: [],
      tote: null,
    }));
const aBoard: fc.Arbitrary<BoardRace> = fc
  .record({
    books: fc.tuple(...KEYS.map(aBook)),
    out: fc.subarray([1, 2, 3, 4, 5], { maxLength: 2 }),
    country: fc.constantFrom('AU', 'HK', null),
    minutes: fc.integer({ min: -5, max: 300 }),
  })
  .map(({ books, out, country, minutes }) =>
    boardRace({
      books,
      country,
      startMs: NOW_MS + minutes * 60_000,
      runners: Array.from({ length: FIELD }, (_, i) => runnerRow(i + 1, { scratched: out.includes(i + 1) })),
    }),
  );

const rendered = (race: BoardRace, text: RaceText) =>
  JSON.parse(serialiseRaces([agedRace(race, text)], NOW_MS, null).bytes.toString())[0];
const best = (race: BoardRace) =>
  rendered(
    race,
    raceText(race, (holes) => presentBest(bestLines(race, NOW_MS), holes, null)),
  );
const next = (race: BoardRace) =>
  rendered(
    race,
    raceText(race, (holes) => presentNext(race, CUSTOMERS, holes, null)),
  );

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a response.
type Wire = any;

test('the best lines are the best of the quotes, and market_percentage is theirs', () => {
  fc.assert(
    fc.property(aBoard, (race) => {
      const lines = best(race);
      const quotes = next(race);
      expectConforms('racing_best_odds', [lines]);
      expectConforms('next_to_go', [quotes]);
      let sum = 0;
      for (const runner of lines.runners) {
        const wins = quotes.runners
          .find((r: Wire) => r.number === runner.number)
          .bookmakers.filter((quote: Wire) => quote.win_price !== null);
        expect([runner.books_quoting, runner.books_quoting_win]).toEqual([wins.length, wins.length]);
        const counted = wins.filter((quote: Wire) => quote.win_price <= (runner.best_win?.price ?? 0));
        if (runner.suspect_win === null) expect(counted).toHaveLength(wins.length);
        const top = Math.max(...counted.map((quote: Wire) => quote.win_price));
        if (wins.length === 0) {
          expect(runner.best_win).toBeNull();
          continue;
        }
        expect(runner.best_win.price).toBe(top);
        const worst = Math.min(...counted.map((quote: Wire) => quote.win_price));
        expect(runner.price_spread_pct).toBeCloseTo((top / worst - 1) * 100, 1);
        sum += 100 / top;
      }
      const isOpen = lines.runners.some((runner: Wire) => runner.best_win === null);
      if (isOpen || sum === 0 || lines.runners.length < quotes.runners.length)
        expect(lines.market_percentage).toBeNull();
      else expect(Math.abs(lines.market_percentage - sum)).toBeLessThan(0.006);
    }),
    RUNS,
  );
});

test('ages are those of the quotes shown, stale by their tier’s threshold, and the oldest is the race’s', () => {
  fc.assert(
    fc.property(aBoard, (race) => {
      const quotes = next(race).runners.flatMap((runner: Wire) => runner.bookmakers);
      const ages = quotes.map((quote: Wire) => quote.age_seconds);
      const { data_age_seconds, freshest_age_seconds, stale_bookmakers } = next(race);
      expect(data_age_seconds).toBe(ages.length === 0 ? null : Math.max(...ages));
      expect(freshest_age_seconds).toBe(ages.length === 0 ? null : Math.min(...ages));
      for (const quote of quotes) {
        expect(quote.stale).toBe(quote.age_seconds > (quote.refresh_tier === 'live' ? 120 : 1800));
        expect(stale_bookmakers.includes(quote.key)).toBe(quote.stale);
      }
      const winning = best(race).runners.flatMap((runner: Wire) =>
        [runner.best_win, runner.best_place].flatMap((quote) => (quote === null ? [] : [quote.age_seconds])),
      );
      expect(best(race).data_age_seconds).toBe(winning.length === 0 ? null : Math.max(...winning));
    }),
    RUNS,
  );
});

test('Hong Kong is compared on win and place only (A 2.4 rule 7)', () => {
  fc.assert(
    fc.property(aBoard, (race) => {
      const here = best({ ...race, country: 'AU' });
      const there = best({ ...race, country: 'HK' });
      for (const [i, runner] of there.runners.entries()) {
        expect(runner).not.toHaveProperty('best_top2');
        expect(runner).toMatchObject({ best_win: here.runners[i].best_win, best_place: here.runners[i].best_place });
      }
    }),
    RUNS,
  );
});

test('in Hong Kong every operation shows win and place only: no tote, no other leg, no exotics (A 1, A 2.4 rule 7)', () => {
  const only = 'bookmaker age_basis age_seconds key last_update place_price refresh_tier source_url stale win_price';
  fc.assert(
    fc.property(aBoard, (board) => {
      const tote = Object.fromEntries(Array.from({ length: FIELD }, (_, i) => [i + 1, { PROV: 5 }]));
      const books = board.books.map((book) => ({ ...book, tote, top3: book.top2, top4: book.top2 }));
      const race = { ...board, books, country: 'HK', jumped_at: null, left_board_at: null };
      const quotes = next(race).runners.flatMap((runner: Wire) => runner.bookmakers);
      expect(only.split(' ')).toEqual(expect.arrayContaining([...new Set(quotes.flatMap(Object.keys))]));
      expect(quotes.every((quote: Wire) => quote.win_price !== null || 'place_price' in quote)).toBe(true);
      const markets: Wire = presentMarkets(race, null, MARKETS, NOW_MS);
      expectConforms('race_markets', markets);
      expect(markets.markets).toEqual(['win', 'place']);
      expect(markets).not.toHaveProperty('exotics');
      for (const one of [...markets.runners.map((runner: Wire) => runner.markets), ...markets.bookmakers]) {
        expect(Object.keys(one.runners_priced ?? one)).toEqual(['win', 'place']);
      }
    }),
    RUNS,
  );
  const quote = { name: 'Runner 1', number: 1, bookmaker: 'tab', sourceUrl: null, win: 4, place: 1.5 };
  const changed = {
    ...quote,
    top2: 3,
    top3: 2,
    top4: 1.5,
    changedAtMs: NOW_MS,
    turnedAtMs: null,
    bookChangedAtMs: null,
  };
  const legsOf = (country: string) => {
    const race = { ...boardRace({ country }), rewritten: false, scratched: [], quotes: [changed] };
    const [{ changed_runners }]: Wire = presentChanges([race], CUSTOMERS, REAL_TIME, null);
    const { win_price, place_price, top2_price, top3_price, top4_price } = changed_runners[0];
    return [win_price, place_price, top2_price, top3_price, top4_price];
  };
  expect([legsOf('AU'), legsOf('HK')]).toEqual([
    [4, 1.5, 3, 2, 1.5],
    [4, 1.5, null, null, null],
  ]);
});

test('a scratching removes its runner and changes no other: no price, no book, no age', () => {
  fc.assert(
    fc.property(aBoard, fc.integer({ min: 1, max: FIELD }), (race, number) => {
      const without = {
        ...race,
        runners: race.runners.map((runner) => (runner.number === number ? { ...runner, scratched: true } : runner)),
      };
      for (const render of [best, next]) {
        const others = render(race).runners.filter((runner: Wire) => runner.number !== number);
        expect(render(without).runners).toEqual(others);
        expect(render(without).data_age_seconds ?? 0).toBeLessThanOrEqual(render(race).data_age_seconds ?? 0);
      }
      expect(best(without).scratchings.map((one: Wire) => one.number)).toContain(number);
    }),
    RUNS,
  );
});
