// The book table (D19, D21): which books there are, how they reach us, their horizons. Data, not behaviour.
import { type BetslipRoute, ENTAIN_ROUTE, TAB_ROUTE, UNIBET_ROUTE } from './prices/betslip';

export interface Bookmaker {
  readonly key: string;
  readonly title: string;
  /** Retired books are still accepted in `bookmakers=` (A 1). */
  readonly status: 'active' | 'planned' | 'retired';
  readonly kind: 'bookmaker' | 'exchange' | 'reference';
  readonly reach: 'polled' | 'pushed' | 'none';
  /** Country of licence; only `AU` books are compared (A 1). */
  readonly licence: string;
  /**
   * A book that refreshes slowly is `live` only inside this many minutes of the jump (D21). Null: the race's own tier.
   */
  readonly liveInsideMinutes: number | null;
  /** The limit for all workers together: calls a second, and how many at once after a quiet spell. */
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /**
   * One poll of one race, all its calls together, takes no longer than this (wall): a book that hangs costs the race
   * nothing.
   */
  readonly deadlineMs: number;
  /** Its market state is published as the race's (D20). */
  readonly marketStateSource: boolean;
  /** Precedence for advertised start, names and race facts; lower first. Null: never used. */
  readonly factsRank: number | null;
  /** Its settled fixed prices are the `win_price`/`place_price` of placings (A 2.11 rule 3); lower first. */
  readonly settlesRank: number | null;
  /** How a runner is put on its betslip; null: it has no route (A 2.4 rule 6). */
  readonly betslip: BetslipRoute | null;
}

const book = (key: string, title: string, more: Partial<Bookmaker> = {}): Bookmaker => ({
  key,
  title,
  status: 'planned',
  kind: 'bookmaker',
  reach: 'polled',
  licence: 'AU',
  liveInsideMinutes: null,
  rate: { perSecond: 20, burst: 40 },
  deadlineMs: 5000,
  marketStateSource: false,
  factsRank: null,
  settlesRank: null,
  betslip: null,
  ...more,
});

/** No longer collected, but its key stays valid (A 1): its stored data can still be requested. */
const retired = (key: string, title: string): Bookmaker => book(key, title, { status: 'retired', reach: 'none' });

/** Published clients name it; it is not collected. */
const foreign = (key: string, title: string, licence: string): Bookmaker =>
  book(key, title, { reach: 'none', licence });

export const BOOKMAKERS: readonly Bookmaker[] = [
  // Eleven single cards a second got a client blocked, three to four calls did not (September 2026).
  book('sportsbet', 'Sportsbet', { status: 'active', rate: { perSecond: 4, burst: 8 } }),
  book('tab', 'TAB', { status: 'active', factsRank: 3, settlesRank: 3, betslip: TAB_ROUTE }),
  book('tabtouch', 'TABtouch', { status: 'active' }),
  book('ladbrokes_au', 'Ladbrokes', { status: 'active', factsRank: 1, settlesRank: 1, betslip: ENTAIN_ROUTE }),
  book('neds', 'Neds', { status: 'active', factsRank: 2, settlesRank: 2, betslip: ENTAIN_ROUTE }),
  book('pointsbetau', 'PointsBet', { status: 'active', marketStateSource: true, factsRank: 4 }),
  book('betr_au', 'Betr', { status: 'active', liveInsideMinutes: 30, rate: { perSecond: 30, burst: 30 } }),
  book('betright', 'BetRight', { status: 'active' }),
  // The one published client limits itself to five.
  book('unibet', 'Unibet', { status: 'active', rate: { perSecond: 5, burst: 10 }, betslip: UNIBET_ROUTE }),
  book('playup', 'PlayUp', { status: 'active', liveInsideMinutes: 6 }),
  book('palmerbet', 'Palmerbet', { status: 'active' }),
  book('betdeluxe', 'BetDeluxe', { status: 'active' }),
  book('betgold', 'BetGold', { status: 'active', reach: 'pushed' }),
  book('boostbet', 'BoostBet', { status: 'active', reach: 'pushed' }),
  book('dabble_au', 'Dabble', { status: 'active' }),
  book('betfair_ex_au', 'Betfair Exchange', { status: 'active', kind: 'exchange' }),
  book('pinnacle', 'Pinnacle', { kind: 'reference', reach: 'none', licence: 'CW' }),
  foreign('ladbrokes_uk', 'Ladbrokes (UK)', 'GB'),
  foreign('williamhill', 'William Hill', 'GB'),
  foreign('betway_uk', 'Betway (UK)', 'GB'),
  retired('realbookie', 'RealBookie'),
  retired('winnersbet', 'WinnersBet'),
  retired('dafabet', 'Dafabet'),
  retired('premiumbet', 'PremiumBet'),
  retired('ponybet', 'PonyBet'),
  retired('stablebet', 'StableBet'),
];

const BY_KEY: ReadonlyMap<string, Bookmaker> = new Map(BOOKMAKERS.map((b) => [b.key, b]));

export function bookmaker(key: string): Bookmaker | undefined {
  return BY_KEY.get(key);
}

/** Books that should send prices, polled or pushed. */
export const EXPECTED_BOOKS: readonly string[] = BOOKMAKERS.filter(
  ({ status, reach }) => status === 'active' && reach !== 'none',
).map((book) => book.key);

/**
 * Whether customers may see this book's values: never an exchange's or a reference book's (A 1). This is the only
 * definition of the rule.
 */
export function visibleToCustomers(key: string): boolean {
  return BY_KEY.get(key)?.kind === 'bookmaker';
}

/**
 * Whether its prices may be compared with other books': never a foreign or a reference book (A 1), never a retired one.
 */
export function isCompared(key: string): boolean {
  const found = BY_KEY.get(key);
  return found !== undefined && found.licence === 'AU' && found.kind !== 'reference' && found.status !== 'retired';
}

/** Books whose prices customers see side by side. */
export const COMPARED_BOOKS: readonly string[] = EXPECTED_BOOKS.filter(
  (key) => visibleToCustomers(key) && isCompared(key),
);

/** Books that may push the prices of sports: those whose prices are compared. */
export const SPORT_BOOKS: readonly string[] = BOOKMAKERS.filter(
  ({ key, kind, status }) => kind === 'bookmaker' && status === 'active' && isCompared(key),
).map(({ key }) => key);

/** Keys a customer may name in `bookmakers=`, retired ones included. */
export const CUSTOMER_BOOKMAKER_KEYS: readonly string[] = BOOKMAKERS.filter((b) => b.kind === 'bookmaker').map(
  (b) => b.key,
);
