// The sports whose matches are priced (A 1, shapes 3.1), and the markets of a match. Data, not behaviour.

export interface Sport {
  readonly key: string;
  readonly title: string;
  readonly group: string;
  /**
   * A match may end without a winner, and head-to-head books price it: three outcomes make the market whole, not two.
   */
  readonly draw: boolean;
  /** Two rows of one pair of teams whose starts are within this many hours are one match. */
  readonly joinWithinHours: number;
  /** How far a point moves the chance of a line. */
  readonly scale: LineScale;
}

/**
 * In points: the margin and the total of a match are about logistic, so that a line moved by one `scale` multiplies the
 * odds of a side by e. 0.63 of the standard deviation of results, as steep at even money as a normal distribution
 * (Stern 1991 for the NFL: 13.9 points); where results of a sport differ by competition, of its wildest.
 */
interface LineScale {
  readonly spreads: number;
  readonly totals: number;
}

/** Less than a day: two teams may meet on consecutive days. */
const USUAL_HOURS = 10;
/**
 * Two games in a day are usual, of split squads too; or the key has many competitions, whose women, men and youth meet
 * on one day under the same names.
 */
const CLOSE = { joinWithinHours: 2 };

const sport = (key: string, title: string, group: string, more: Partial<Sport> = {}): Sport => ({
  key,
  title,
  group,
  draw: false,
  joinWithinHours: USUAL_HOURS,
  scale: SCALES[group]!,
  ...more,
});

/** By group. */
const SCALES: Readonly<Record<string, LineScale>> = {
  'Australian Rules': { spreads: 22, totals: 16 },
  'Rugby League': { spreads: 10, totals: 8 },
  'Rugby Union': { spreads: 10, totals: 9 },
  Basketball: { spreads: 8, totals: 11 },
  'American Football': { spreads: 9, totals: 9 },
  Baseball: { spreads: 2.7, totals: 2.8 },
  'Ice Hockey': { spreads: 1.6, totals: 1.5 },
  MMA: { spreads: 1, totals: 1 },
  Tennis: { spreads: 3.3, totals: 4.5 },
  Cricket: { spreads: 30, totals: 30 },
  Soccer: { spreads: 1.05, totals: 1 },
};

const DRAWN = { draw: true };

export const SPORTS: readonly Sport[] = [
  sport('afl', 'AFL', 'Australian Rules'),
  sport('aflw', 'AFLW', 'Australian Rules'),
  sport('nrl', 'NRL', 'Rugby League'),
  sport('nrlw', 'NRLW', 'Rugby League'),
  sport('super_league', 'Super League', 'Rugby League'),
  sport('nba', 'NBA', 'Basketball'),
  sport('wnba', 'WNBA', 'Basketball'),
  sport('basketball_other', 'Basketball (other)', 'Basketball', CLOSE),
  sport('nfl', 'NFL', 'American Football'),
  sport('ncaaf', 'NCAA Football', 'American Football'),
  sport('mlb', 'MLB', 'Baseball', CLOSE),
  sport('nhl', 'NHL', 'Ice Hockey', CLOSE),
  sport('mma', 'MMA', 'MMA'),
  sport('tennis_atp', 'Tennis ATP', 'Tennis'),
  sport('tennis_wta', 'Tennis WTA', 'Tennis'),
  sport('cricket_test', 'Test Cricket', 'Cricket', DRAWN),
  sport('cricket_other', 'Cricket (other)', 'Cricket', CLOSE),
  sport('rugby_union', 'Rugby Union', 'Rugby Union', CLOSE),
  sport('soccer_epl', 'Soccer EPL', 'Soccer', DRAWN),
  sport('soccer_other', 'Soccer (other)', 'Soccer', { ...DRAWN, ...CLOSE }),
];

export const SPORT_KEYS: readonly string[] = SPORTS.map(({ key }) => key);

const BY_KEY: ReadonlyMap<string, Sport> = new Map(SPORTS.map((one) => [one.key, one]));

export const sportOf = (key: string): Sport | undefined => BY_KEY.get(key);

export const MARKETS = ['h2h', 'spreads', 'totals'] as const;
export type MatchMarket = (typeof MARKETS)[number];

/** Markets of which a book has a main line, and may have others. */
export const LINE_MARKETS = ['spreads', 'totals'] as const;
export type LineMarket = (typeof LINE_MARKETS)[number];

/** A book's other lines of a market, as a separate market (D66). */
export const ALTERNATES = { spreads: 'alternate_spreads', totals: 'alternate_totals' } as const;
export type Alternate = (typeof ALTERNATES)[LineMarket];

export type OfferedMarket = MatchMarket | Alternate;
export const OFFERED_MARKETS: readonly OfferedMarket[] = [...MARKETS, ...Object.values(ALTERNATES)];

/** The line market that these lines belong to; null: head to head. */
export const lineMarketOf = (market: OfferedMarket): LineMarket | null =>
  market === 'h2h' ? null : market === 'spreads' || market === 'alternate_spreads' ? 'spreads' : 'totals';

/**
 * A book's prices in one market of a match, turned to the match's own home side; null: not priced. Totals: `home` is
 * Over, `away` Under, and both points are the total (A 2.13).
 */
export interface MarketPrices {
  readonly home: number | null;
  readonly draw: number | null;
  readonly away: number | null;
  readonly homePoint: number | null;
  readonly awayPoint: number | null;
}

export const isAlternate = (market: OfferedMarket): market is Alternate =>
  market !== lineMarketOf(market) && market !== 'h2h';
