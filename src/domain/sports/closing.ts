// Closing prices of a match, and their consensus (A 2.13).
import { halfUp } from '../half-up';
import { median } from '../market/median';
import type { Instant } from '../race/race';
import { commonFirst } from './lines/main-lines';
import { STALE_AFTER_SECONDS } from './match';
import type { MarketPrices, MatchMarket, Sport } from './sports';

/** A book's last prices in a market before the start. */
export interface ClosingPrices extends MarketPrices {
  readonly bookmaker: string;
  readonly market: MatchMarket;
  /** When they reached these values. */
  readonly recordedAt: Instant;
  /** The last push before the start that listed them. */
  readonly lastSeenAt: Instant;
}

export interface ConsensusPrices extends MarketPrices {
  readonly books: number;
}

export const secsToStart = ({ lastSeenAt }: ClosingPrices, startMs: number): number =>
  Math.max(0, Math.floor((startMs - Date.parse(lastSeenAt)) / 1000));

/** A price that was not seen in the last 30 minutes may have been gone long before the start. */
export const isClosing = (quote: ClosingPrices, startMs: number): boolean =>
  secsToStart(quote, startMs) <= STALE_AFTER_SECONDS;

/**
 * Of closing prices with both sides: the median of each side; of a line the most common one and the medians at it. Of
 * lines that are equally common the one nearest to the median line, then the lower. Head to head only of books with the
 * sport's own outcomes, or, if there is none, with the others. Null: there is none.
 */
export function closingConsensus(
  quotes: readonly ClosingPrices[],
  market: MatchMarket,
  sport: Sport,
  startMs: number,
): ConsensusPrices | null {
  const whole = quotes.filter(
    (one) => one.market === market && one.home !== null && one.away !== null && isClosing(one, startMs),
  );
  const compared = market === 'h2h' ? ofOneKind(whole, sport) : atCommonLine(whole);
  const [first] = compared;
  if (!first) return null;
  const middle = (side: 'home' | 'draw' | 'away'): number | null => {
    const value = median(compared.flatMap((one) => one[side] ?? []));
    return value === null ? null : halfUp(value, 10_000);
  };
  return {
    home: middle('home'),
    draw: middle('draw'),
    away: middle('away'),
    homePoint: first.homePoint,
    awayPoint: first.awayPoint,
    books: compared.length,
  };
}

function ofOneKind(quotes: readonly ClosingPrices[], { draw }: Sport): readonly ClosingPrices[] {
  const usual = quotes.filter((one) => (one.draw !== null) === draw);
  return usual.length > 0 ? usual : quotes;
}

function atCommonLine(quotes: readonly ClosingPrices[]): readonly ClosingPrices[] {
  const [line] = commonFirst(quotes.map(({ homePoint }) => homePoint!));
  return quotes.filter(({ homePoint }) => homePoint === line);
}
