// Matches of several sports and books for properties: prices that agree or not, draws that a book leaves out, main
// lines and alternates, old and future times. By start, as a source returns them.
import fc from 'fast-check';
import type { PricedBook, PricedMarket, PricedMatch } from '../../../src/domain/sports/match';
import { book, NOW_MS, priced, pricedLine, pricedMatch } from './matches';

const KEYS = ['betright', 'neds', 'pointsbetau', 'sportsbet', 'tab', 'unibet'] as const;
const SPORT_KEYS = ['nrl', 'nba', 'soccer_epl'] as const;
const HOUR_MS = 3_600_000;

const price = fc.integer({ min: 160, max: 245 }).map((hundredths) => hundredths / 100);
/** Of a book that sells at about its margin: close enough that two books often make an arb. */
const pair = fc.tuple(price, price).filter(([a, b]) => 1 / a + 1 / b > 0.99 && 1 / a + 1 / b < 1.08);
const h2h = fc.oneof(
  { weight: 8, arbitrary: pair },
  fc.tuple(price, fc.constant(null)),
  fc.tuple(fc.constant(null), price),
);
const seconds = fc.oneof(
  fc.integer({ min: 0, max: 1795 }),
  fc.integer({ min: 1796, max: 1806 }),
  fc.integer({ min: -300, max: 21_000 }),
);

const offer = fc.record({
  h2h,
  draw: fc.option(
    fc.integer({ min: 300, max: 420 }).map((n) => n / 100),
    { freq: 2 },
  ),
  line: fc.option(fc.tuple(fc.integer({ min: -2, max: 0 }), pair)),
  total: fc.option(fc.tuple(fc.integer({ min: 40, max: 41 }), pair)),
  alternate: fc.option(fc.tuple(fc.integer({ min: 42, max: 43 }), pair)),
  ageSeconds: seconds,
  /** Of the source's own time, younger or older than the push. */
  ownAgeSeconds: fc.option(seconds),
});
type Offer = typeof offer extends fc.Arbitrary<infer T> ? T : never;

function bookOf(
  key: string,
  { h2h: [home, away], draw, line, total, alternate, ageSeconds, ownAgeSeconds }: Offer,
): PricedBook {
  const sourceUpdatedAtMs = ownAgeSeconds === null ? null : NOW_MS - ownAgeSeconds * 1000;
  const markets: PricedMarket[] = [];
  if ((home ?? draw ?? away) !== null) markets.push(priced('h2h', { home, away, draw }));
  if (line) {
    const [n, [a, b]] = line;
    markets.push(priced('spreads', { home: a, away: b, homePoint: n + 0.5, awayPoint: 0 - (n + 0.5) }));
  }
  const totals = (market: 'totals' | 'alternate_totals', [n, [a, b]]: readonly [number, readonly [number, number]]) =>
    pricedLine(market, { home: a, away: b, homePoint: n + 0.5, awayPoint: n + 0.5 });
  if (total) markets.push(totals('totals', total));
  if (total && alternate) markets.push(totals('alternate_totals', alternate));
  return book(
    key,
    markets.map((one) => ({ ...one, sourceUpdatedAtMs })),
    { homeName: 'Home side', awayName: 'Away side', observedAtMs: NOW_MS - ageSeconds * 1000 },
  );
}

const match = fc.record({
  sportKey: fc.constantFrom(...SPORT_KEYS),
  startsIn: fc.oneof(fc.integer({ min: 1, max: 8000 }), fc.integer({ min: 1, max: 40 * HOUR_MS })),
  competition: fc.constantFrom(null, 'First', 'Second'),
  offers: fc.array(offer, { minLength: 1, maxLength: KEYS.length }),
});

const idOf = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;

/** All start after `NOW_MS`. */
export const anyRound: fc.Arbitrary<readonly PricedMatch[]> = fc.array(match, { maxLength: 8 }).map((all) =>
  all
    .map(({ sportKey, startsIn, competition, offers }, i) =>
      pricedMatch(
        offers.map((one, at) => bookOf(KEYS[at]!, one)).filter(({ markets }) => markets.length > 0),
        {
          ...{ eventId: idOf(i), canonicalId: idOf(i), sportKey, competition },
          ...{ homeTeam: `Home ${i}`, awayTeam: `Away ${i}` },
          commenceTime: new Date(NOW_MS + startsIn).toISOString(),
        },
      ),
    )
    .filter(({ books }) => books.length > 0)
    .sort((a, b) => (a.commenceTime < b.commenceTime ? -1 : a.commenceTime > b.commenceTime ? 1 : 0)),
);
