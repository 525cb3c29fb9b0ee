// Which price of a runner makes a price alert true: the best one that the page of the race shows and that can be
// taken. Never a placeholder, a stale price, a price of a suspended market or one of a book that is not compared (A 1,
// A 2.4). Pure.
import { bookmaker, isCompared, visibleToCustomers } from '../bookmakers';
import { tierAt } from '../time/cadence';
import { ageSeconds, isStale } from '../time/staleness';
import { bestWin } from './best-price';

export const ALERT_MARKETS = ['win', 'place'] as const;
export type AlertMarket = (typeof ALERT_MARKETS)[number];

/** A race ahead of its jump, with the books that customers may see. */
interface AlertRace {
  readonly startMs: number;
  readonly market_status: string | null;
  readonly market_state_source: string | null;
  readonly books: readonly AlertBook[];
}

interface AlertBook {
  readonly bookmaker: string;
  readonly polledAtMs: number;
  /** `win` and `place` are aligned to them. */
  readonly numbers: readonly number[];
  readonly win: readonly (number | null)[];
  readonly place: readonly (number | null)[];
}

/** What an owner is mailed about. */
export interface SeenPrice {
  readonly bookmaker: string;
  readonly price: number;
  /** When the book was polled for it. */
  readonly polledAtMs: number;
}

/** Null: no price of the runner can be taken at this instant, as far as is known. */
export function alertPrice(race: AlertRace, number: number, market: AlertMarket, nowMs: number): SeenPrice | null {
  if (!isOpen(race)) return null;
  const quotes = race.books.flatMap(({ bookmaker: key, polledAtMs, numbers, [market]: prices }) => {
    const price = prices[numbers.indexOf(number)];
    if (price == null || !visibleToCustomers(key)) return [];
    return [{ bookmaker: key, price, polledAtMs, ageSeconds: ageSeconds(polledAtMs, nowMs) }];
  });
  // Placeholders are judged among all books, as the page does, and once more among those that are left.
  const { suspects } = bestWin(quotes);
  const { best } = bestWin(
    quotes.filter(
      (quote) =>
        isCompared(quote.bookmaker) &&
        !isStale(quote.ageSeconds, tierOf(quote.bookmaker, race, nowMs)) &&
        !suspects.some((suspect) => suspect.bookmaker === quote.bookmaker),
    ),
  );
  return best && { bookmaker: best.bookmaker, price: best.price, polledAtMs: best.polledAtMs };
}

/** A market state that customers may not see counts for no one. */
const isOpen = ({ market_status: status, market_state_source: source }: AlertRace): boolean =>
  status === null || status === 'OPEN' || source === null || !visibleToCustomers(source);

const tierOf = (key: string, { startMs }: AlertRace, nowMs: number) =>
  tierAt(Math.floor((startMs - nowMs) / 1000), bookmaker(key));
