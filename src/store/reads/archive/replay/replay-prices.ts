// All that the archive keeps of some races, for their replay: the card, the captured prices of runners on it, the jump
// and the result. Prices come from the archived paths alone, whether or not the ticks they were copied from still stand
// (D44).
import type { Pool } from 'pg';
import type { Instant } from '../../../../domain/race/race';
import { inSnapshot } from '../../../pg/transaction';
import { numbersOf } from '../../prices/number-list';
import { HEAD_COLUMNS, type RaceHead } from '../../races/race-window';
import { type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from '../../races/runners';
import { HAS_RESULTS_FEED, type ResultPlacing } from '../../results/results';
import { REPLAYED_RUNNER, type ReplayRace } from './replay-races';

/** The captured prices of one book on one runner: lists aligned to `atMs`. A leg that was not quoted is 0. */
export interface ReplaySeries {
  readonly number: number;
  readonly bookmaker: string;
  /** Epoch milliseconds, ascending. */
  readonly atMs: readonly number[];
  readonly win: readonly number[];
  /** Null, as the legs below: it was never quoted. */
  readonly place: readonly number[] | null;
  readonly top2: readonly number[] | null;
  readonly top3: readonly number[] | null;
  readonly top4: readonly number[] | null;
}

interface ReplayResult {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly placings: readonly ResultPlacing[];
  readonly resulted_at: Instant | null;
  readonly finalised_at: Instant | null;
}

export interface RaceToReplay {
  readonly raceId: string;
  /** As last known. */
  readonly head: RaceHead;
  /** By number; null: the card is gone. */
  readonly runners: readonly RunnerRow[];
  readonly jumpMs: number;
  readonly pathFacts: string;
  readonly cardFacts: string;
  readonly result: ReplayResult | null;
  /** By number, then bookmaker. */
  readonly series: readonly ReplaySeries[];
}

const FACTS = {
  name: 'replay-facts',
  text: `
  SELECT ${HEAD_COLUMNS}, ${runnersColumn()} AS runners, a.start_time AS "startTime", a.jump_at AS "jumpAt", a.path_facts AS "pathFacts", a.facts AS "cardFacts",
      CASE WHEN ${HAS_RESULTS_FEED} AND x.race_id IS NOT NULL THEN json_build_object('status', x.status, 'placings', x.placings,
        'resulted_at', x.resulted_at, 'finalised_at', x.finalised_at) END AS result
    FROM races r JOIN archived_races a USING (race_id) LEFT JOIN race_results x USING (race_id)
   WHERE r.race_id = ANY ($1)`,
};

interface FactsRow extends RaceHead {
  readonly runners: RunnerTuple[] | null;
  readonly startTime: Instant;
  readonly jumpAt: Instant;
  readonly pathFacts: string;
  readonly cardFacts: string;
  readonly result: ReplayResult | null;
}

const inTime = (value: string, name: string): string => `array_agg(${value} ORDER BY p.captured_at)::text AS ${name}`;
/** Most books quote no Top 2 to 4. */
const leg = (name: string): string =>
  `CASE WHEN count(p.${name}_price) > 0 THEN array_agg(COALESCE(p.${name}_price, 0) ORDER BY p.captured_at)::text END AS ${name}`;

/** Runners are joined to whole series, as in `price-history.ts`. */
const SERIES = {
  name: 'replay-series',
  text: `
  SELECT s.race_id AS "raceId", u.number, s.bookmaker, s.before, s.win, s.place, s.top2, s.top3, s.top4
    FROM (
      SELECT p.race_id, p.runner, p.bookmaker_key AS bookmaker, ${inTime("date_part('epoch', p.start_time - p.captured_at)", 'before')},
        ${inTime('p.win_price', 'win')}, ${['place', 'top2', 'top3', 'top4'].map(leg).join(', ')}
        FROM archived_price_paths p
       WHERE p.start_time >= $2 AND p.start_time <= $3 AND p.race_id = ANY ($1) AND ($4::text[] IS NULL OR p.bookmaker_key = ANY ($4))
       GROUP BY p.start_time, p.race_id, p.runner, p.bookmaker_key) s
    JOIN archived_runners u USING (race_id, runner)
   WHERE ${REPLAYED_RUNNER}
   ORDER BY s.race_id, u.number, s.bookmaker`,
};

interface SeriesRow {
  readonly raceId: string;
  readonly number: number;
  readonly bookmaker: string;
  /** Seconds before the start. */
  readonly before: string;
  readonly win: string;
  readonly place: string | null;
  readonly top2: string | null;
  readonly top3: string | null;
  readonly top4: string | null;
}

/** In the order of `races`, as of one moment; one that is no longer archived is absent. */
export async function readRacesToReplay(
  pool: Pool,
  races: readonly ReplayRace[],
  bookmakers: readonly string[] | null,
): Promise<readonly RaceToReplay[]> {
  const ids = races.map(({ raceId }) => raceId);
  const { facts, rows } = await inSnapshot(pool, async (client) => {
    const found = await client.query<FactsRow>({ ...FACTS, values: [ids] });
    const starts = found.rows.map(({ startTime }) => startTime).sort();
    const values = [ids, starts[0], starts.at(-1), bookmakers];
    const { rows } = await client.query<SeriesRow>({ ...SERIES, values });
    return { facts: new Map(found.rows.map((row) => [row.race_id, row])), rows };
  });
  const series = Map.groupBy(rows, ({ raceId }) => raceId);
  return ids.flatMap((id) => {
    const found = facts.get(id);
    return found ? [raceOf(found, series.get(id) ?? [])] : [];
  });
}

function raceOf(row: FactsRow, rows: readonly SeriesRow[]): RaceToReplay {
  const { runners, startTime, jumpAt, pathFacts, cardFacts, result, ...head } = row;
  const startMs = Date.parse(startTime);
  return {
    raceId: row.race_id,
    head: { ...head, start_time: startTime },
    runners: (runners ?? []).map(runnerOf),
    jumpMs: Date.parse(jumpAt),
    pathFacts,
    cardFacts,
    result,
    series: rows.map((one) => seriesOf(one, startMs)),
  };
}

const seriesOf = (row: SeriesRow, startMs: number): ReplaySeries => ({
  number: row.number,
  bookmaker: row.bookmaker,
  // As in `price-paths.ts`: whole microseconds, then cut to the millisecond.
  atMs: numbersOf(row.before).map((seconds) => startMs - Math.ceil(Math.round(seconds * 1e6) / 1000)),
  win: keptNumbers(row.win),
  place: legOf(row.place),
  top2: legOf(row.top2),
  top3: legOf(row.top3),
  top4: legOf(row.top4),
});

const legOf = (text: string | null): readonly number[] | null => (text === null ? null : keptNumbers(text));

/** A list that grew has room to grow further; it is kept for an hour of race time, and a copy has none. */
const keptNumbers = (text: string): readonly number[] => numbersOf(text).slice();
