// A round of sports over seven books, written as pushes are: a best price, an arb, a stale book, a probably wrong
// price, a book without the draw, other starts and names, a match that has started. In a board world's afternoon.
import { type OfferedMarket, sportOf } from '../../../src/domain/sports/sports';
import { createStores } from '../../../src/store/create-stores';
import type { PushedEvent } from '../../../src/store/sports/pushed-event';
import type { TestDatabase } from '../servers/database';
import { priced, pricedLine } from './matches';

type Pair = readonly [home: number, away: number];
type Line = readonly [point: number, home: number, away: number];

interface Offer {
  readonly h2h: readonly [home: number, away: number, draw?: number];
  readonly line?: Line;
  readonly total?: Line;
  readonly otherTotals?: readonly Line[];
}

interface Fixture {
  readonly sportKey: string;
  readonly teams: readonly [string, string];
  readonly competition: string | null;
  readonly start: string;
}

const at = (time: string): string => `2026-11-21T${time}:00.000Z`;
const fixture = (
  sportKey: string,
  home: string,
  away: string,
  start: string,
  competition: string | null = null,
): Fixture => ({ sportKey, teams: [home, away], competition, start });

const BRONCOS = fixture('nrl', 'Brisbane Broncos', 'Melbourne Storm', at('09:00'), 'NRL');
const EELS = fixture('nrl', 'Parramatta Eels', 'Penrith Panthers', at('02:30'), 'NRL');
const ROOSTERS = fixture('nrl', 'Sydney Roosters', 'South Sydney Rabbitohs', at('05:15'), 'NRL');
const ARSENAL = fixture('soccer_epl', 'Arsenal', 'Chelsea', at('15:00'), 'English Premier League');
const LAKERS = fixture('nba', 'Los Angeles Lakers', 'Boston Celtics', '2026-11-22T02:30:00.000Z', 'NBA');

/** One match, under names that no table knows as one: of two books. */
const CATS = fixture('basketball_other', 'Perth Cats', 'Cairns Snakes', at('08:00'));
const FELINES = fixture('basketball_other', 'Perth Felines', 'Cairns Serpents', at('08:00'));

function offered(
  { sportKey, teams, competition, start }: Fixture,
  { h2h, line, total, otherTotals = [] }: Offer,
): PushedEvent {
  const [home, away, draw = null] = h2h;
  const lined = (market: OfferedMarket, [point, a, b]: Line) => ({
    market,
    prices: pricedLine(market, {
      ...{ home: a, away: b, homePoint: point },
      awayPoint: market === 'spreads' ? 0 - point : point,
    }),
  });
  return {
    sport: sportOf(sportKey)!,
    sourceId: null,
    homeTeam: teams[0],
    awayTeam: teams[1],
    competition,
    commenceTime: start,
    markets: [
      { market: 'h2h', prices: priced('h2h', { home, away, draw }) },
      ...(line ? [lined('spreads', line)] : []),
      ...(total ? [lined('totals', total)] : []),
      ...otherTotals.map((one) => lined('alternate_totals', one)),
    ],
  };
}

const even = (pair: Pair, line: Line, total: Line): Offer => ({ h2h: pair, line, total });

/** Soccer, so many matches that they take two pages. */
const MANY = Array.from({ length: 44 }, (_, i) =>
  fixture(
    'soccer_other',
    `Northern ${i + 1}`,
    `Southern ${i + 1}`,
    at(`${10 + (i % 8)}:15`),
    `Division ${1 + (i % 3)}`,
  ),
);

const LISTS: Readonly<Record<string, readonly PushedEvent[]>> = {
  sportsbet: [
    offered(EELS, { h2h: [1.8, 2.05] }),
    offered(BRONCOS, even([1.72, 2.14], [-2.5, 1.9, 1.92], [40.5, 1.9, 1.9])),
    offered(ROOSTERS, even([1.5, 2.6], [-5.5, 1.92, 1.9], [42.5, 1.88, 1.94])),
    offered(ARSENAL, { h2h: [2.05, 3.6, 3.5], total: [2.5, 1.85, 1.97] }),
    offered(LAKERS, even([1.9, 1.9], [-1.5, 1.91, 1.91], [224.5, 1.91, 1.91])),
    ...MANY.map((one) => offered(one, { h2h: [2.4, 2.9, 3.3] })),
  ],
  tab: [
    offered(EELS, { h2h: [1.85, 2.0] }),
    offered(BRONCOS, even([1.88, 2.0], [-2.5, 2.02, 1.8], [40.5, 1.87, 1.95])),
    offered(ROOSTERS, {
      ...even([1.52, 2.5], [-5.5, 1.9, 1.9], [42.5, 1.9, 1.9]),
      otherTotals: [
        [41.5, 1.82, 1.98],
        [43.5, 1.98, 1.82],
      ],
    }),
    offered(ARSENAL, { h2h: [2.1, 3.5, 3.4] }),
    offered(LAKERS, even([1.92, 1.88], [-1.5, 1.93, 1.89], [225.5, 1.91, 1.91])),
    ...MANY.map((one) => offered(one, { h2h: [2.45, 2.8, 3.25] })),
  ],
  neds: [
    offered({ ...BRONCOS, teams: ['Broncos', 'Storm'] }, even([1.75, 2.12], [-3.5, 1.8, 2.06], [41.5, 1.9, 1.9])),
    offered(ROOSTERS, even([1.48, 2.66], [-5.5, 1.95, 1.87], [42.5, 1.92, 1.9])),
    offered(ARSENAL, { h2h: [2.08, 3.55, 3.45] }),
    offered(CATS, { h2h: [1.7, 2.1] }),
  ],
  ladbrokes_au: [
    offered({ ...BRONCOS, start: at('09:05') }, even([1.75, 2.1], [-2.5, 1.93, 1.89], [41.5, 1.92, 1.88])),
    offered(ROOSTERS, { h2h: [1.5, 2.6] }),
    offered(FELINES, { h2h: [1.72, 2.05] }),
    // Without the draw: another bet.
    offered(ARSENAL, { h2h: [1.55, 2.4] }),
  ],
  pointsbetau: [
    offered({ ...BRONCOS, teams: ['Melbourne Storm', 'Brisbane Broncos'] }, { h2h: [2.08, 1.76] }),
    offered(LAKERS, { h2h: [1.91, 1.89] }),
  ],
  unibet: [offered(BRONCOS, { h2h: [1.74, 2.1] }), offered(LAKERS, { h2h: [1.88, 1.92] })],
  playup: [offered(LAKERS, { h2h: [1.9, 1.91] })],
};

/** Written at 02:10, before the first match started. Unibet has pushed nothing since. */
const FIRST = at('02:10');
const LATER: Readonly<Record<string, string>> = {
  sportsbet: at('02:58'),
  tab: at('02:55'),
  neds: at('02:50'),
  ladbrokes_au: at('02:46'),
  pointsbetau: at('02:52'),
  playup: at('02:57'),
};

export async function addRound(db: TestDatabase): Promise<void> {
  const { sportIngest } = createStores(db.pool);
  for (const [bookmakerKey, events] of Object.entries(LISTS))
    await sportIngest.push({ bookmakerKey, observedAt: FIRST, events }, FIRST);
  for (const [bookmakerKey, observedAt] of Object.entries(LATER)) {
    const events = LISTS[bookmakerKey]!;
    // A misprint of a book that listed the match with prices that agreed.
    const sent = bookmakerKey === 'playup' ? [offered(LAKERS, { h2h: [19, 1.01] })] : events;
    await sportIngest.push({ bookmakerKey, observedAt, events: sent }, observedAt);
  }
}
