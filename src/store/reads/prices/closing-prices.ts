// The price series in which closing lines are found (B 2.1), for runners of many races at once: captured prices, and when each book was last
// polled and last moved its price. Only ticks of the runner now under the number, and none older than the bound.
import type { Pool } from 'pg';
import type { PriceSeries } from '../../../domain/clv/closing-line';
import { countUpTo } from '../../../domain/market/intelligence/captured';
import type { Instant } from '../../../domain/race/race';
import { millis } from '../races/runners';
import { numbersOf } from './number-list';

/** One runner of one race. */
interface OneRunner {
  readonly raceId: string;
  readonly number: number;
}

interface ClosingRunner extends OneRunner {
  /** The race's jump, to which the closing line is measured. */
  readonly jumpMs: number;
}

export interface ClosingQuery {
  readonly runners: readonly ClosingRunner[];
  /** The only books whose prices are read. */
  readonly bookmakers: readonly string[];
  /** `captureBound` of the races' starts. */
  readonly from: Instant;
  /** Default: win. */
  readonly market?: ClosingMarket;
}

/** A place price is captured with each change of the win price, so its series has the instants of that one. */
type ClosingMarket = 'win' | 'place';

export interface BookSeries extends OneRunner, PriceSeries {
  readonly bookmaker: string;
}

/** A tick always has a win price; 0 here: it has no place price. */
const PRICE: Readonly<Record<ClosingMarket, string>> = { win: 'p.win_price', place: 'COALESCE(p.place_price, 0)' };

const inTime = (value: string): string => `array_agg(${value} ORDER BY p.captured_at)::text`;

/**
 * Scans the index of ticks once per race, in the chunks of its own days, and compares names once per series. Without `OFFSET 0` the server
 * would merge all chunks in order. `offered_at` is the last poll before the book's latest change. If the book has changed another price since,
 * the last poll at this runner's old price is found only as the book's last tick before the change (`captured`).
 */
const closing = (market: ClosingMarket): string => `WITH wanted AS (
      SELECT race_id, to_timestamp(max(jump_ms) / 1000.0) AS jump, array_agg(DISTINCT number) AS numbers
      FROM unnest($1::uuid[], $2::smallint[], $6::bigint[]) AS q (race_id, number, jump_ms) GROUP BY race_id)
    SELECT b.race_id AS "raceId", t.number, b.bookmaker_key AS bookmaker, t.prices, t.since,
      CASE WHEN b.market_status IS DISTINCT FROM 'CLOSED' THEN ${millis('b.polled_at')} END AS polled,
      ${millis('b.offered_at')} AS offered, b.${market}[at.place] AS shown,
      ${millis('b.win_changed_at[at.place]')} AS changed,
      CASE WHEN b.offered_at >= LEAST(a.jump, b.win_changed_at[at.place])
            AND (b.win_changed_at[at.place] > a.jump OR b.win[at.place] IS NULL) THEN (
        SELECT ${millis('max(p.captured_at)')} FROM price_ticks p
        WHERE p.race_id = a.race_id AND p.bookmaker_key = b.bookmaker_key AND p.captured_at >= $4
          AND p.captured_at > a.jump - interval '5 minutes' AND p.captured_at <= a.jump
          AND p.captured_at < b.win_changed_at[at.place]) END AS captured
    FROM wanted a JOIN races r USING (race_id) CROSS JOIN LATERAL (
      SELECT p.bookmaker_key, p.runner_number AS number, p.runner_key, ${inTime(PRICE[market])} AS prices,
        ${inTime("((date_part('epoch', p.captured_at) - $5) * 1000)::bigint")} AS since
      FROM (
        SELECT * FROM price_ticks
        WHERE race_id = a.race_id AND bookmaker_key = ANY ($3) AND runner_number = ANY (a.numbers) AND captured_at >= $4
          AND captured_at > r.start_time - interval '1 day' AND captured_at < r.start_time + interval '1 day' OFFSET 0) p
      GROUP BY p.bookmaker_key, p.runner_number, p.runner_key) t
    JOIN race_books b ON b.race_id = a.race_id AND b.bookmaker_key = t.bookmaker_key
    CROSS JOIN LATERAL (SELECT array_position(b.numbers, t.number) AS place) at
    WHERE b.runner_keys[at.place] = t.runner_key`;

export const CLOSING = { name: 'closing-prices', text: closing('win') };
const CLOSING_PLACE = { name: 'closing-prices-place', text: closing('place') };

interface Row {
  readonly raceId: string;
  readonly number: number;
  readonly bookmaker: string;
  readonly prices: string;
  /** Milliseconds since the query's `from`. */
  readonly since: string;
  readonly polled: string | null;
  readonly offered: string | null;
  readonly captured: string | null;
  readonly shown: number | null;
  readonly changed: string | null;
}

/** In no order; without series of books of which no price of the runner was captured. */
export async function readClosingPrices(pool: Pool, query: ClosingQuery): Promise<readonly BookSeries[]> {
  const { runners, bookmakers, from, market = 'win' } = query;
  const fromMs = Date.parse(from);
  const wanted = [runners.map(({ raceId }) => raceId), runners.map(({ number }) => number)];
  const jumps = runners.map(({ jumpMs }) => jumpMs);
  const values = [...wanted, bookmakers, from, fromMs / 1000, jumps];
  if (market === 'win') return (await pool.query<Row>({ ...CLOSING, values })).rows.map((row) => seriesOf(row, fromMs));
  const { rows } = await pool.query<Row>({ ...CLOSING_PLACE, values });
  const jumpOf = new Map(runners.map(({ raceId, number, jumpMs }) => [`${raceId} ${number}`, jumpMs]));
  return rows.flatMap((row) => quotedOnly(seriesOf(row, fromMs), jumpOf.get(`${row.raceId} ${row.number}`)!) ?? []);
}

/** Without the captures that had no place price; the first of them after the last price is its withdrawal. Null: none had one. */
function quotedOnly(series: BookSeries, jumpMs: number): BookSeries | null {
  const { atMs, prices } = series;
  const counted = countUpTo(atMs, jumpMs);
  // What was quoted again after the jump did not stand at it.
  const end = counted > 0 && prices[counted - 1] === 0 ? counted : prices.length;
  const quoted = [...prices.keys()].filter((at) => at < end && prices[at] !== 0);
  const last = quoted.at(-1);
  if (last === undefined) return null;
  const captured = { ...series, atMs: quoted.map((at) => atMs[at]!), prices: quoted.map((at) => prices[at]!) };
  if (last < end - 1) return { ...captured, shownPrice: null, changedMs: atMs[last + 1]! };
  return hasMovedAlone(series) ? { ...captured, polledMs: [] } : captured;
}

/** The book shows another price than the one captured last, though the win price stands: which poll saw the captured one last is not known. */
const hasMovedAlone = ({ atMs, prices, shownPrice, changedMs }: BookSeries): boolean =>
  shownPrice !== prices.at(-1) && (changedMs === null || changedMs <= atMs.at(-1)!);

function seriesOf(row: Row, fromMs: number): BookSeries {
  const { raceId, number, bookmaker, shown } = row;
  const polled = [row.polled, row.offered, row.captured].filter((ms) => ms !== null);
  return {
    raceId,
    number,
    bookmaker,
    atMs: numbersOf(row.since).map((ms) => fromMs + ms),
    prices: numbersOf(row.prices),
    polledMs: polled.map(Number),
    shownPrice: shown,
    changedMs: row.changed === null ? null : Number(row.changed),
  };
}
