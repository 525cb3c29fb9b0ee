// The captured prices of one race (B 2.4): from the ticks while they stand, from the archive once any of them is gone (D44). Both give the same, which a
// property shows: one reading of whose prices a series is, one jump to count to.
import type { Pool } from 'pg';
import { archivedRunners } from '../../../domain/archive/archived-runners';
import { jumpMsOf } from '../../../domain/clv/closing-line';
import type { Instant } from '../../../domain/race/race';
import { type RaceFacts, readFacts, readSeries } from '../../archive/read-race';
import { numbersOf } from '../prices/number-list';

export interface PriceHistory {
  readonly race: RaceFacts;
  /** To which seconds count (D24); epoch milliseconds, as all below. */
  readonly jumpMs: number;
  /** The start from which `open_is_baseline` is judged. */
  readonly startMs: number;
  readonly source: 'ticks' | 'archive';
  /** By runner number and key, then bookmaker. */
  readonly series: readonly HistorySeries[];
}

interface HistorySeries {
  readonly number: number;
  readonly runnerKey: string;
  /** Null: not on the card. */
  readonly name: string | null;
  readonly bookmaker: string;
  /** Ascending, aligned to `prices`. */
  readonly atMs: readonly number[];
  readonly prices: readonly number[];
}

interface ArchivedAs {
  readonly startTime: Instant;
  readonly jumpAt: Instant;
}

const DROPPED = {
  name: 'history-source',
  text: `SELECT start_time AS "startTime", jump_at AS "jumpAt" FROM archived_races WHERE race_id = $1 AND ticks_dropped_at IS NOT NULL`,
};

/** Null: there is no such race. Only these books' prices are read. */
export async function readPriceHistory(
  pool: Pool,
  raceId: string,
  bookmakers: readonly string[],
): Promise<PriceHistory | null> {
  const client = await pool.connect();
  try {
    const race = await readFacts(client, raceId);
    if (race === null) return null;
    const [archived] = (await client.query<ArchivedAs>({ ...DROPPED, values: [raceId] })).rows;
    if (archived) {
      const jumpMs = Date.parse(archived.jumpAt);
      const values = [raceId, archived.startTime, bookmakers];
      const { rows } = await client.query<Row>({ ...ARCHIVED, values });
      return { race, jumpMs, startMs: Date.parse(archived.startTime), source: 'archive', series: rows.map(seriesOf) };
    }
    const series = await readSeries(client, race);
    const { of } = archivedRunners({ card: race.card, series });
    const found = series.flatMap(({ bookmaker, changes }, i): HistorySeries[] => {
      if (!bookmakers.includes(bookmaker)) return [];
      const captured = changes.filter(({ what }) => typeof what === 'number');
      const { number, runnerKey, card } = of[i]!;
      const prices = captured.map(({ what }) => what as number);
      return [
        { number, runnerKey, name: card?.name ?? null, bookmaker, atMs: captured.map(({ atMs }) => atMs), prices },
      ];
    });
    const jumpMs = jumpMsOf(race.startTime, race.marketClosedAt);
    return { race, jumpMs, startMs: Date.parse(race.startTime), source: 'ticks', series: merged(found) };
  } finally {
    client.release();
  }
}

/** A book that spelled a runner in two ways has one series of it, as in the archive. */
function merged(all: readonly HistorySeries[]): HistorySeries[] {
  const series = new Map<string, HistorySeries>();
  for (const one of all) {
    const key = `${String(one.number).padStart(4, '0')} ${one.runnerKey} ${one.bookmaker}`;
    const other = series.get(key);
    series.set(key, other ? both(other, one) : one);
  }
  return [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function both(a: HistorySeries, b: HistorySeries): HistorySeries {
  const points = [a, b].flatMap(({ atMs, prices }) => atMs.map((at, i) => [at, prices[i]!] as const));
  points.sort(([x], [y]) => x - y);
  return { ...a, atMs: points.map(([at]) => at), prices: points.map(([, price]) => price) };
}

const ARCHIVED = {
  name: 'history-archived',
  text: `SELECT u.number, u.runner_key AS "runnerKey", u.name, p.bookmaker_key AS bookmaker,
      array_agg(floor(extract(epoch FROM p.captured_at) * 1000)::bigint ORDER BY p.captured_at)::text AS at,
      array_agg(p.win_price ORDER BY p.captured_at)::text AS prices
    FROM (SELECT race_id, runner, bookmaker_key, captured_at, win_price FROM archived_price_paths
           WHERE race_id = $1 AND start_time = $2 AND bookmaker_key = ANY ($3)
          UNION ALL
          SELECT race_id, runner, bookmaker_key, captured_at, win_price FROM withheld_price_paths
           WHERE race_id = $1 AND start_time = $2 AND bookmaker_key = ANY ($3)) p
    JOIN archived_runners u USING (race_id, runner)
    GROUP BY u.runner, u.number, u.runner_key, u.name, p.bookmaker_key ORDER BY u.runner, p.bookmaker_key`,
};

interface Row extends Omit<HistorySeries, 'atMs' | 'prices'> {
  readonly at: string;
  readonly prices: string;
}

const seriesOf = ({ at, prices, ...row }: Row): HistorySeries => ({
  ...row,
  atMs: numbersOf(at),
  prices: numbersOf(prices),
});
