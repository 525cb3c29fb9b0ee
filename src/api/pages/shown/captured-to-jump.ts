// The captured prices of a past race as its page shows them: up to the jump, for the runners of the card, each as long
// as a poll saw it. Pure.
import { type CapturedPrices, countUpTo } from '../../../domain/market/intelligence/captured';
import type { ClosingLineRow } from '../../../store/reads/archive/closing-lines';
import type { PriceHistory } from '../../../store/reads/archive/price-history';

type Close = Pick<
  ClosingLineRow,
  'bookmaker_key' | 'runner_number' | 'runner_key' | 'is_closing_line' | 'close_secs_to_jump'
>;

/**
 * A price without a closing line stood no longer than to its last observation: the book withdrew it, or was not read
 * again. The archive does not record that a book withdrew a price and offered it again later.
 */
export function capturedToJump(
  { series, jumpMs }: Pick<PriceHistory, 'series' | 'jumpMs'>,
  closes: readonly Close[],
): CapturedPrices[] {
  const lastSeenMs = new Map(
    closes.flatMap((row) =>
      row.is_closing_line
        ? []
        : [[keyOf(row.bookmaker_key, row.runner_number, row.runner_key), jumpMs - 1000 * row.close_secs_to_jump]],
    ),
  );
  const named = series.flatMap(({ number, runnerKey, name, bookmaker, atMs, prices }) => {
    const count = countUpTo(atMs, jumpMs);
    if (name === null || count === 0) return [];
    const withdrawnAtMs = lastSeenMs.get(keyOf(bookmaker, number, runnerKey)) ?? null;
    const runner = { number, atMs: atMs.slice(0, count), prices: prices.slice(0, count), withdrawnAtMs };
    return [{ bookmaker, runner }];
  });
  const byBook = Map.groupBy(named, ({ bookmaker }) => bookmaker);
  return [...byBook].map(([bookmaker, own]) => ({ bookmaker, runners: own.map(({ runner }) => runner) }));
}

const keyOf = (bookmaker: string, number: number, runnerKey: string): string => `${bookmaker} ${number} ${runnerKey}`;
