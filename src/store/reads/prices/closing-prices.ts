// The price series in which closing lines are found (B 2.1), for runners of many races at once: captured prices, and
// how long each was on offer. Only for the runner now under the number, and nothing older than the bound.
import type { Pool } from 'pg';
import type { PriceSeries } from '../../../domain/clv/closing-line';
import { type SeriesChange, standsOf } from '../../../domain/clv/stands';
import { oldestCaptureMs } from '../../../domain/market/intelligence/captured';
import type { Instant } from '../../../domain/race/race';
import { millis } from '../races/runners';
import { numbersOf } from './number-list';

/** One runner of one race. */
interface OneRunner {
  readonly raceId: string;
  readonly number: number;
}

export interface ClosingQuery {
  readonly runners: readonly OneRunner[];
  /** The only books whose prices are read. */
  readonly bookmakers: readonly string[];
  /** `captureBound` of the races' starts, so that older chunks are not opened. */
  readonly from: Instant;
  /** Default: win. */
  readonly market?: ClosingMarket;
}

/** A place price is captured with each change of the win price, so its series has the same instants. */
type ClosingMarket = 'win' | 'place';

export interface BookSeries extends OneRunner, PriceSeries {
  readonly bookmaker: string;
}

/** Instead of a price: the book stopped showing the captured price; it shows it again. */
export const GONE = -1;
export const BACK = -2;

/** A tick always has a win price; 0 here: it has no place price. */
const PRICE: Readonly<Record<ClosingMarket, string>> = { win: 'p.win_price', place: 'COALESCE(p.place_price, 0)' };

const inTime = (value: string): string => `array_agg(${value} ORDER BY p.at)::text`;
const since = (value: string): string => inTime(`COALESCE(((date_part('epoch', ${value}) - $5) * 1000)::bigint, 0)`);

/**
 * Over `race_books b` and the runner's position `place` among its numbers: the last poll that saw what the last change
 * left on offer.
 */
export const LAST_SEEN = millis(`CASE
        WHEN b.market_status IS DISTINCT FROM 'CLOSED' AND b.win[at.place] = b.ticked_win[at.place] THEN b.polled_at
        WHEN b.win[at.place] = b.ticked_win[at.place] OR b.offered_at < b.win_changed_at[at.place] THEN b.offered_at END`);

/** Seconds before its start: no race depends on which others are read with it. */
const OLDEST_SECONDS = -oldestCaptureMs(0) / 1000;

/** `columns` of a table of ticks or breaks, as far as they count to a race. */
const changesIn = (table: string, at: string, columns: string): string => `
        SELECT p.bookmaker_key, p.runner_number, p.runner_key, p.${at} AS at, ${columns} AS price, p.seen_before FROM ${table} p
         WHERE p.race_id = a.race_id AND p.bookmaker_key = ANY ($3) AND p.runner_number = ANY (a.numbers) AND p.${at} >= $4
           AND p.${at} >= r.start_time - interval '${OLDEST_SECONDS} seconds' AND p.${at} < r.start_time + interval '1 day'`;

/** Each once, including those kept for days whose ticks are gone (D48): a race may be archived after they went. */
const changes = (market: ClosingMarket): string =>
  ['price', 'kept']
    .flatMap((tables) => [
      changesIn(`${tables}_ticks`, 'captured_at', PRICE[market]),
      changesIn(`${tables}_breaks`, 'at', `CASE WHEN p.shown THEN ${BACK} ELSE ${GONE} END`),
    ])
    .join(' UNION ');

/**
 * Scans the indexes of ticks and breaks once per race, in the chunks of its own days, and compares names once per
 * series. Without `OFFSET 0` the server would merge all chunks in order. Races that jumped before breaks were stored
 * have only `offered_at`, the last poll before the book's latest change, for a price that is no longer shown.
 */
const closing = (market: ClosingMarket): string => `WITH wanted AS (
      SELECT race_id, array_agg(DISTINCT number) AS numbers
      FROM unnest($1::uuid[], $2::smallint[]) AS q (race_id, number) GROUP BY race_id)
    SELECT b.race_id AS "raceId", t.number, b.bookmaker_key AS bookmaker, t.prices, t.since, t.before, b.${market}[at.place] AS shown,
      ${LAST_SEEN} AS seen
    FROM wanted a JOIN races r USING (race_id) CROSS JOIN LATERAL (
      SELECT p.bookmaker_key, p.runner_number AS number, p.runner_key, ${inTime('p.price')} AS prices, ${since('p.at')} AS since,
        ${since('p.seen_before')} AS before
      FROM (${changes(market)}
        OFFSET 0) p
      GROUP BY p.bookmaker_key, p.runner_number, p.runner_key) t
    JOIN race_books b ON b.race_id = a.race_id AND b.bookmaker_key = t.bookmaker_key
    CROSS JOIN LATERAL (SELECT array_position(b.numbers, t.number) AS place) at
    WHERE b.runner_keys[at.place] = t.runner_key`;

export const CLOSING = { name: 'closing-prices', text: closing('win') };
const CLOSING_PLACE = { name: 'closing-prices-place', text: closing('place') };

/** The changes of one series in time, as PostgreSQL prints arrays. */
export interface Changes {
  /** Or `GONE`, `BACK`. */
  readonly prices: string;
  /** Milliseconds since the query's `from`, of the changes and of the polls before them; 0 there: unknown. */
  readonly since: string;
  readonly before: string;
}

interface Row extends Changes {
  readonly raceId: string;
  readonly number: number;
  readonly bookmaker: string;
  readonly seen: string | null;
  readonly shown: number | null;
}

/** Unordered; without series of books that have no captured price of the runner. */
export async function readClosingPrices(pool: Pool, query: ClosingQuery): Promise<readonly BookSeries[]> {
  const { runners, bookmakers, from, market = 'win' } = query;
  const fromMs = Date.parse(from);
  const wanted = [runners.map(({ raceId }) => raceId), runners.map(({ number }) => number)];
  const { rows } = await pool.query<Row>({
    ...(market === 'win' ? CLOSING : CLOSING_PLACE),
    values: [...wanted, bookmakers, from, fromMs / 1000],
  });
  return rows.flatMap((row) => seriesOf(row, fromMs, market) ?? []);
}

/** Null: nothing was captured since the bound, or never with a place price. */
function seriesOf(row: Row, fromMs: number, market: ClosingMarket): BookSeries | null {
  const { raceId, number, bookmaker, shown } = row;
  const changes = changesOf(row, fromMs);
  const captured = changes.filter(({ what }) => typeof what === 'number');
  if (captured.length === 0) return null;
  const prices = captured.map(({ what }) => what as number);
  // A place price that moved alone is not stored, so it is unknown which poll last saw the captured one.
  const seenMs = row.seen === null || (market === 'place' && shown !== prices.at(-1)) ? Number.NaN : Number(row.seen);
  return {
    raceId,
    number,
    bookmaker,
    atMs: captured.map(({ atMs }) => atMs),
    prices,
    stands: standsOf(changes, seenMs),
  };
}

/** A capture without a place price ends the previous one; everything before the first price is left out. */
export function changesOf({ prices, since, before }: Changes, fromMs: number): SeriesChange[] {
  const atMs = numbersOf(since);
  const seenBeforeMs = numbersOf(before);
  let quoted = false;
  return numbersOf(prices).flatMap((price, i): SeriesChange[] => {
    const isPrice = price > 0;
    if (isPrice || price === 0) quoted = isPrice;
    else if (!quoted) return [];
    const what = isPrice ? price : price === BACK ? 'back' : 'gone';
    return [{ atMs: fromMs + atMs[i]!, what, seenBeforeMs: fromMs + seenBeforeMs[i]! }];
  });
}
