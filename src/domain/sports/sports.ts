// The sports whose matches are priced (A 1, shapes 3.1), and the markets of a match. Data, not behaviour.

export interface Sport {
  readonly key: string;
  readonly title: string;
  readonly group: string;
  /** A match may end without a winner, and head-to-head books price it: three outcomes make the market whole, not two. */
  readonly draw: boolean;
  /** Two rows of one pair of teams whose starts are within this many hours are one match. */
  readonly joinWithinHours: number;
}

/** Less than a day: two teams may meet on consecutive days. */
const USUAL_HOURS = 10;
/** Two games in a day are usual, of split squads too; or the key has many competitions, whose women, men and youth meet on one day under the same names. */
const CLOSE = { joinWithinHours: 2 };

const sport = (key: string, title: string, group: string, more: Partial<Sport> = {}): Sport => ({
  key,
  title,
  group,
  draw: false,
  joinWithinHours: USUAL_HOURS,
  ...more,
});

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
export type Market = (typeof MARKETS)[number];

/**
 * A book's prices in one market of a match, turned to the match's own home side; null: not priced. Totals: `home` is Over, `away` Under, and
 * both points are the total (A 2.13).
 */
export interface MarketPrices {
  readonly home: number | null;
  readonly draw: number | null;
  readonly away: number | null;
  readonly homePoint: number | null;
  readonly awayPoint: number | null;
}
