// Which races a replay plays, and which of those selected it cannot: counted from the archive before its first byte
// (D69).
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../../../domain/race/race';
import { PAST } from '../../../archive/past';
import { HAS_RESULTS_FEED } from '../../results/results';

/** All present filters apply together. */
export interface ReplaySelection {
  /** By advertised start; `until` exclusive. */
  readonly from?: Instant;
  readonly until?: Instant;
  readonly meetingDate?: Day;
  readonly raceId?: string;
  /** Exact, in any case. */
  readonly venue?: string;
  readonly categories?: readonly Category[];
  readonly countries?: readonly string[];
  readonly bookmakers?: readonly string[];
}

/** Why a selected race is not played. `flagged`: it may have been stored as two races (`venue_split_suspect`). */
type LeftOutReason = 'on_board' | 'not_archived' | 'flagged' | 'no_prices';

/** Epoch milliseconds. */
export interface ReplayRace {
  readonly raceId: string;
  readonly startMs: number;
  /** Its first captured price of these books. */
  readonly firstMs: number;
  readonly jumpMs: number;
  /** Null: it has none with an instant. */
  readonly resultMs: number | null;
  /** Its prices differ from those of another value. */
  readonly pathFacts: string;
  /** The rest that is archived of it, too. */
  readonly cardFacts: string;
}

export interface ReplayRaces {
  /** By first price, then start and id. */
  readonly races: readonly ReplayRace[];
  readonly leftOut: readonly { readonly raceId: string; readonly reason: LeftOutReason }[];
  /** Keys of the books with a price. */
  readonly bookmakers: readonly string[];
}

const SELECTED = {
  name: 'replay-selected',
  text: `
  SELECT r.race_id AS "raceId", ${PAST} AS past, a.start_time AS "startTime", a.jump_at AS "jumpAt", a.path_facts AS "pathFacts", a.facts AS "cardFacts",
      a.venue_split_suspect AS flagged, CASE WHEN ${HAS_RESULTS_FEED} THEN COALESCE(x.finalised_at, x.resulted_at) END AS "resultAt"
    FROM races r LEFT JOIN archived_races a USING (race_id) LEFT JOIN race_results x USING (race_id)
   WHERE ($1::timestamptz IS NULL OR r.start_time >= $1) AND ($2::timestamptz IS NULL OR r.start_time < $2)
     AND ($3::date IS NULL OR r.meeting_date = $3) AND ($4::uuid IS NULL OR r.race_id = $4)
     AND ($5::text IS NULL OR lower(r.venue) = lower($5))
     AND ($6::text[] IS NULL OR r.category = ANY ($6)) AND ($7::text[] IS NULL OR r.country = ANY ($7))
   ORDER BY r.start_time, r.race_id`,
};

interface SelectedRow {
  readonly raceId: string;
  readonly past: boolean;
  /** Null, as the members below: it is not archived. */
  readonly startTime: Instant | null;
  readonly jumpAt: Instant;
  readonly pathFacts: string;
  readonly cardFacts: string;
  readonly flagged: boolean;
  readonly resultAt: Instant | null;
}

/** Over archived runners `u`: a runner off the card, or under a doubtful name, has no row of next-to-go. */
export const REPLAYED_RUNNER = 'u.name IS NOT NULL AND NOT u.name_fragment_suspect';

/** $2 and $3 are the first and the last start: the server then plans for the few chunks between them. */
const FIRST_PRICES = {
  name: 'replay-first-prices',
  text: `
  SELECT s.race_id AS "raceId", floor(extract(epoch FROM min(s.first)) * 1000)::float8 AS "firstMs"
    FROM (
      SELECT p.race_id, p.runner, min(p.captured_at) AS first FROM archived_price_paths p
       WHERE p.start_time >= $2 AND p.start_time <= $3 AND p.race_id = ANY ($1) AND ($4::text[] IS NULL OR p.bookmaker_key = ANY ($4))
       GROUP BY p.race_id, p.runner) s
    JOIN archived_runners u USING (race_id, runner)
   WHERE ${REPLAYED_RUNNER}
   GROUP BY s.race_id`,
};

const BOOKS = {
  name: 'replay-books',
  text: `
  SELECT DISTINCT series FROM archived_counts
   WHERE what = 'path' AND race_id = ANY ($1) AND ($2::text[] IS NULL OR series = ANY ($2)) ORDER BY series`,
};

type Archived = SelectedRow & { readonly startTime: Instant };

export async function readReplayRaces(pool: Pool, selection: ReplaySelection): Promise<ReplayRaces> {
  const { from, until, meetingDate, raceId, venue, categories, countries, bookmakers = null } = selection;
  const values = [from, until, meetingDate, raceId, venue, categories, countries].map((value) => value ?? null);
  const { rows } = await pool.query<SelectedRow>({ ...SELECTED, values });
  const playable = rows.filter((row): row is Archived => row.past && row.startTime !== null && !row.flagged);
  const ids = playable.map((row) => row.raceId);
  const firsts = await readFirstPrices(pool, playable, bookmakers);
  const books = await pool.query<{ series: string }>({ ...BOOKS, values: [ids, bookmakers] });
  const isPlayed = (id: string): boolean => firsts.has(id);
  return {
    races: playable
      .filter((row) => isPlayed(row.raceId))
      .map((row) => raceOf(row, firsts.get(row.raceId)!))
      .sort(byFirstPrice),
    leftOut: rows.filter((row) => !isPlayed(row.raceId)).map((row) => ({ raceId: row.raceId, reason: reasonOf(row) })),
    bookmakers: books.rows.map(({ series }) => series),
  };
}

/** Of races with a price up to their jump. */
async function readFirstPrices(
  pool: Pool,
  races: readonly Archived[],
  bookmakers: readonly string[] | null,
): Promise<ReadonlyMap<string, number>> {
  if (races.length === 0) return new Map();
  const starts = races.map(({ startTime }) => startTime).sort();
  const values = [races.map(({ raceId }) => raceId), starts[0], starts.at(-1), bookmakers];
  const { rows } = await pool.query<{ raceId: string; firstMs: number }>({ ...FIRST_PRICES, values });
  const jumps = new Map(races.map(({ raceId, jumpAt }) => [raceId, Date.parse(jumpAt)]));
  return new Map(
    rows.filter(({ raceId, firstMs }) => firstMs <= jumps.get(raceId)!).map(({ raceId, firstMs }) => [raceId, firstMs]),
  );
}

const raceOf = (
  { raceId, startTime, jumpAt, resultAt, pathFacts, cardFacts }: Archived,
  firstMs: number,
): ReplayRace => ({
  raceId,
  startMs: Date.parse(startTime),
  firstMs,
  jumpMs: Date.parse(jumpAt),
  resultMs: resultAt === null ? null : Date.parse(resultAt),
  pathFacts,
  cardFacts,
});

const byFirstPrice = (a: ReplayRace, b: ReplayRace): number =>
  a.firstMs - b.firstMs || a.startMs - b.startMs || (a.raceId < b.raceId ? -1 : 1);

function reasonOf({ past, startTime, flagged }: SelectedRow): LeftOutReason {
  if (!past) return 'on_board';
  if (startTime === null) return 'not_archived';
  return flagged ? 'flagged' : 'no_prices';
}
