// The captured prices of one race (B 2.4): from the ticks of existing days, from the archive for deleted ones (D44).
// Both give the same, which a property test shows: one reading of whose prices a series is, one jump to count to.
import type { Pool } from 'pg';
import { archivedRunners } from '../../../domain/archive/archived-runners';
import { visibleToCustomers } from '../../../domain/bookmakers';
import { jumpMsOf } from '../../../domain/clv/closing-line';
import type { Instant } from '../../../domain/race/race';
import { type ArchiveFacts, CAPTURE_COLUMNS } from '../../archive/read-race';
import { layPrice } from '../../archive/write-rows';
import { numbersOf } from '../prices/number-list';
import { shownOn } from '../races/shown';

export interface PriceHistory {
  /** The instant that seconds count to (D24); epoch milliseconds, as all below. */
  readonly jumpMs: number;
  /** Prices captured later are seen late (D63). Unlimited while a race is late and has not jumped. */
  readonly countsToMs: number;
  /** The start from which `open_is_baseline` is judged. */
  readonly startMs: number;
  readonly source: 'ticks' | 'archive';
  /** By runner number and key, then bookmaker. */
  readonly series: readonly HistorySeries[];
}

export interface HistorySeries {
  readonly number: number;
  readonly runnerKey: string;
  /** Null: not on the card. */
  readonly name: string | null;
  readonly bookmaker: string;
  /** Ascending, aligned to `prices` and `lays`. */
  readonly atMs: readonly number[];
  readonly prices: readonly number[];
  /** The exchange's only; 0: none was offered. */
  readonly lays: readonly number[] | null;
}

const EXCHANGE = 'betfair_ex_au';

/**
 * Null: there is no such race. Only these books' prices are read. `at`: race time, of the request; null: the race has
 * run.
 */
export async function readPriceHistory(
  pool: Pool,
  raceId: string,
  bookmakers: readonly string[],
  at: Instant | null,
): Promise<PriceHistory | null> {
  const [race] = (await pool.query<Capture>({ ...CAPTURE, values: [raceId, at] })).rows;
  if (!race) return null;
  const ticks = await readTicks(pool, race, bookmakers);
  // In this order, so that ticks deleted in between were read.
  const [archived] = (await pool.query<ArchivedAs>({ ...DROPPED, values: [raceId] })).rows;
  if (!archived) {
    const jumpMs = jumpMsOf(race.startTime, race.marketClosedAt);
    const countsToMs = race.isAhead && at !== null ? Number.POSITIVE_INFINITY : jumpMs;
    return { jumpMs, countsToMs, startMs: Date.parse(race.startTime), source: 'ticks', series: merged(ticks) };
  }
  const { startTime, jumpAt } = archived;
  const statement = bookmakers.every(visibleToCustomers) ? ARCHIVED : ARCHIVED_WITH_WITHHELD;
  const { rows } = await pool.query<Row>({ ...statement, values: [raceId, startTime, bookmakers] });
  const series = merged([...ticks, ...without(daysOf(ticks), rows.map(seriesOf))]);
  const jumpMs = Date.parse(jumpAt);
  return { jumpMs, countsToMs: jumpMs, startMs: Date.parse(startTime), source: 'archive', series };
}

interface Capture extends Pick<ArchiveFacts, 'raceId' | 'startTime' | 'marketClosedAt' | 'from' | 'until' | 'card'> {
  /** It has not jumped, though its start may have passed (D63). */
  readonly isAhead: boolean;
}

const CAPTURE = {
  name: 'history-race',
  text: `SELECT ${CAPTURE_COLUMNS}, ${shownOn('current', 'r', '$2')} AS "isAhead" FROM races r WHERE r.race_id = $1`,
};

interface ArchivedAs {
  readonly startTime: Instant;
  readonly jumpAt: Instant;
}

const DROPPED = {
  name: 'history-source',
  text: `SELECT start_time AS "startTime", jump_at AS "jumpAt" FROM archived_races WHERE race_id = $1 AND ticks_dropped_at IS NOT NULL`,
};

const POINTS = `array_agg(floor(extract(epoch FROM p.captured_at) * 1000)::bigint ORDER BY p.captured_at)::text AS at,
      array_agg(p.win_price ORDER BY p.captured_at)::text AS prices`;
const LAYS = 'array_agg(COALESCE(p.lay_price, 0) ORDER BY p.captured_at)::text AS lays';

const TICK = 'bookmaker_key, runner_number, runner_key, captured_at, win_price';

/**
 * Including those that are kept because the archive lacks them (D48), and the exchange's lay prices from its own ticks
 * (D42).
 */
const ticked = (lay: string): string => `
  SELECT s.*, (b.runner_keys[array_position(b.numbers, s.number)] = s."runnerKey") IS TRUE AS current
    FROM (
      SELECT p.bookmaker_key AS bookmaker, p.runner_number AS number, p.runner_key AS "runnerKey", ${POINTS}${lay && `, ${LAYS}`}
        FROM (SELECT t.*${lay && `, CASE WHEN bookmaker_key = '${EXCHANGE}' THEN ${lay} END AS lay_price`} FROM (
                SELECT ${TICK} FROM price_ticks WHERE race_id = $1 AND bookmaker_key = ANY ($2) AND captured_at >= $3 AND captured_at < $4
                UNION SELECT ${TICK} FROM kept_ticks WHERE race_id = $1 AND bookmaker_key = ANY ($2)) t) p
       GROUP BY p.bookmaker_key, p.runner_number, p.runner_key) s
    JOIN race_books b ON b.race_id = $1 AND b.bookmaker_key = s.bookmaker
   ORDER BY s.bookmaker, s.number, s."runnerKey"`;

/**
 * The exchange's ticks may be gone while the book's are kept, and kept if the archive has another lay price. OFFSET 0:
 * a plain join would unpack the withheld paths of all races.
 */
const ARCHIVED_LAY = `(
  SELECT w.lay_price FROM archived_races a CROSS JOIN LATERAL (
           SELECT w.runner, w.lay_price FROM withheld_price_paths w
            WHERE w.start_time = a.start_time AND w.race_id = a.race_id AND w.bookmaker_key = '${EXCHANGE}' AND w.captured_at = t.captured_at OFFSET 0) w
    JOIN archived_runners u ON u.race_id = a.race_id AND u.runner = w.runner
   WHERE a.race_id = $1 AND u.number = t.runner_number)`;
const LAY = `COALESCE(${layPrice('t.runner_number', 't.captured_at')}, ${ARCHIVED_LAY})`;

const TICKS = { name: 'history-ticks', text: ticked('') };
const TICKS_WITH_LAYS = { name: 'history-ticks-lays', text: ticked(LAY) };

interface TickRow {
  readonly bookmaker: string;
  readonly number: number;
  readonly runnerKey: string;
  /** The book now has this name under the number. */
  readonly current: boolean;
  readonly at: string;
  readonly prices: string;
  readonly lays?: string | null;
}

/** For the runners that the archive assigns them to. */
async function readTicks(pool: Pool, race: Capture, bookmakers: readonly string[]): Promise<HistorySeries[]> {
  const statement = bookmakers.includes(EXCHANGE) ? TICKS_WITH_LAYS : TICKS;
  const values = [race.raceId, bookmakers, race.from, race.until];
  const { rows } = await pool.query<TickRow>({ ...statement, values });
  const { of } = archivedRunners({ card: race.card, series: rows });
  return rows.map((row, i) => {
    const { number, runnerKey, card: listed } = of[i]!;
    return seriesOf({ ...row, number, runnerKey, name: listed?.name ?? null });
  });
}

const DAY_MS = 86_400_000;
/** Ticks are deleted by UTC days. */
const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);
const daysOf = (all: readonly HistorySeries[]): ReadonlySet<number> =>
  new Set(all.flatMap(({ atMs }) => atMs.map(dayOf)));

function without(days: ReadonlySet<number>, all: readonly HistorySeries[]): HistorySeries[] {
  return all.flatMap((one) => {
    const left = one.atMs.flatMap((at, i) => (days.has(dayOf(at)) ? [] : [i]));
    if (left.length === 0) return [];
    const of = (values: readonly number[]): number[] => left.map((i) => values[i]!);
    return [{ ...one, atMs: of(one.atMs), prices: of(one.prices), lays: one.lays && of(one.lays) }];
  });
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
  const points = [a, b].flatMap(({ atMs, prices, lays }) =>
    atMs.map((at, i) => ({ at, price: prices[i]!, lay: lays?.[i] ?? 0 })),
  );
  points.sort((x, y) => x.at - y.at);
  return {
    ...a,
    atMs: points.map(({ at }) => at),
    prices: points.map(({ price }) => price),
    lays: a.lays && points.map(({ lay }) => lay),
  };
}

const KEPT_LAY = `CASE WHEN p.bookmaker_key = '${EXCHANGE}' THEN ${layPrice('u.number', 'p.captured_at')} END`;
const ARCHIVED_LAYS = `array_agg(COALESCE(${KEPT_LAY}, p.lay_price, 0) ORDER BY p.captured_at)::text AS lays`;

const pathsOf = (from: string, lays: string): string => `
      SELECT p.runner, p.bookmaker_key AS bookmaker, ${POINTS}, ${lays} FROM ${from}
       WHERE p.race_id = $1 AND p.start_time = $2 AND p.bookmaker_key = ANY ($3) GROUP BY p.runner, p.bookmaker_key`;

const CUSTOMERS_PATHS = pathsOf('archived_price_paths p', 'NULL::text AS lays');
const WITHHELD_PATHS = pathsOf(
  'withheld_price_paths p JOIN archived_runners u ON u.race_id = $1 AND u.runner = p.runner',
  ARCHIVED_LAYS,
);

/**
 * Runners are joined to whole series: the planner expects few prices per race, and would look up the runner of each.
 */
const archived = (paths: string): string => `
  SELECT u.number, u.runner_key AS "runnerKey", u.name, s.bookmaker, s.at, s.prices, s.lays FROM (${paths}) s
    JOIN archived_runners u ON u.race_id = $1 AND u.runner = s.runner ORDER BY u.runner, s.bookmaker`;

const ARCHIVED = { name: 'history-archived', text: archived(CUSTOMERS_PATHS) };
const ARCHIVED_WITH_WITHHELD = {
  name: 'history-archived-withheld',
  text: archived(`${CUSTOMERS_PATHS} UNION ALL ${WITHHELD_PATHS}`),
};

interface Row extends Omit<TickRow, 'current'> {
  readonly name: string | null;
}

function seriesOf({ bookmaker, number, runnerKey, name, at, prices, lays }: Row): HistorySeries {
  const own = { number, runnerKey, name, bookmaker, atMs: numbersOf(at), prices: numbersOf(prices) };
  return { ...own, lays: bookmaker === EXCHANGE && lays ? numbersOf(lays) : null };
}
