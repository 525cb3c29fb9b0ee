// Reads everything that the archive of one race is computed from, inside the transaction that writes it. Its pollers
// are fenced by then, so its prices no longer change.
import type { ClientBase } from 'pg';
import type { CardRunner, Legs, StoredOutcome, StoredRace, StoredSeries } from '../../domain/archive/stored-race';
import type { Day, Instant } from '../../domain/race/race';
import { BACK, type Changes, changesOf, GONE, LAST_SEEN } from '../reads/prices/closing-prices';
import { numbersOf } from '../reads/prices/number-list';
import { domestic } from '../reads/races/international';
import { millis } from '../reads/races/runners';
import { HAS_RESULTS_FEED } from '../reads/results/results';

/** The facts of a race, with those that only its archive row has. */
export interface ArchiveFacts extends Omit<StoredRace, 'series' | 'gaps'> {
  readonly meetingDate: Day;
  readonly venue: string;
  readonly venueId: string;
  readonly venueSite: string;
  readonly raceNumber: number;
  readonly country: string | null;
  /** Null: no result at all. */
  readonly resultStatus: string | null;
  readonly venueSplitSuspect: boolean;
  /** `archive_facts_with_marks`. */
  readonly facts: string;
  /** Null: it is not archived yet. */
  readonly archived: ArchivedAs | null;
  /** It has left the board, and no poller may write it. */
  readonly past: boolean;
  /** No captured price is older or newer. */
  readonly from: Instant;
  readonly until: Instant;
}

/** The contents of its archive row. */
export interface ArchivedAs {
  readonly startTime: Instant;
  readonly jumpAt: Instant;
  readonly facts: string;
  readonly pathFacts: string;
  /** Null: its ticks still exist. */
  readonly ticksDroppedAt: Instant | null;
}

/** Decides whose its captured prices are, when they were captured and to what they count. Over `races r`. */
export const CAPTURE_COLUMNS = `r.race_id AS "raceId", r.start_time AS "startTime",
      CASE WHEN market_state_shown(r.market_state_source) THEN r.market_closed_at END AS "marketClosedAt",
      LEAST(r.first_seen_at, r.start_time - interval '1 day') AS from, GREATEST(r.left_board_at, r.updated_at, r.start_time) + interval '1 day' AS until,
      COALESCE((SELECT json_agg(json_build_object('number', u.number, 'name', u.name, 'runnerKey', u.runner_key,
          'runnerRef', ${domestic('u.runner_ref')}, 'emergency', u.emergency, 'scratched', u.scratched,
          'scratchedAt', to_char(u.scratched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY u.number)
        FROM race_runners u WHERE u.race_id = r.race_id), '[]') AS card`;

const FACTS = {
  name: 'archive-facts',
  text: `SELECT ${CAPTURE_COLUMNS}, r.category, r.meeting_date AS "meetingDate", r.venue, r.venue_id AS "venueId",
      r.venue_site AS "venueSite", r.race_number AS "raceNumber", r.country, r.status = 'abandoned' AS abandoned,
      r.left_board_at IS NOT NULL AND COALESCE(c.tier, 'none') = 'none' AS past,
      CASE WHEN ${HAS_RESULTS_FEED} THEN x.status END AS "resultStatus",
      CASE WHEN x.race_id IS NOT NULL AND ${HAS_RESULTS_FEED} THEN json_build_object('placings', x.placings, 'runners', x.runners) END AS result,
      venue_split_suspect(r.race_id) AS "venueSplitSuspect", archive_facts_with_marks(r.race_id) AS facts,
      a.start_time AS "archivedStart", a.jump_at AS "archivedJump", a.facts AS "archivedFacts", a.path_facts AS "archivedPathFacts",
      a.ticks_dropped_at AS "ticksDroppedAt"
    FROM races r LEFT JOIN race_control c USING (race_id) LEFT JOIN race_results x USING (race_id) LEFT JOIN archived_races a USING (race_id)
    WHERE r.race_id = $1`,
};

interface FactsRow extends Omit<ArchiveFacts, 'card' | 'result' | 'archived'> {
  readonly card: readonly CardRunner[];
  readonly result: StoredOutcome | null;
  readonly archivedStart: Instant | null;
  readonly archivedJump: Instant;
  readonly archivedFacts: string;
  readonly archivedPathFacts: string;
  readonly ticksDroppedAt: Instant | null;
}

/** Null: there is no such race. */
export async function readFacts(client: ClientBase, raceId: string): Promise<ArchiveFacts | null> {
  const { rows } = await client.query<FactsRow>({ ...FACTS, values: [raceId] });
  const [row] = rows;
  if (!row) return null;
  const { archivedStart, archivedJump, archivedFacts, archivedPathFacts, ticksDroppedAt, ...facts } = row;
  if (archivedStart === null) return { ...facts, archived: null };
  const archived = {
    startTime: archivedStart,
    jumpAt: archivedJump,
    facts: archivedFacts,
    pathFacts: archivedPathFacts,
  };
  return { ...facts, archived: { ...archived, ticksDroppedAt } };
}

const inTime = (value: string): string => `array_agg(${value} ORDER BY p.at)::text`;
const since = (value: string): string => inTime(`COALESCE(((date_part('epoch', ${value}) - $4) * 1000)::bigint, 0)`);
const MILLIS = `((date_part('epoch', p.at) - $4) * 1000)::bigint`;
/** Separate, because few books quote them: milliseconds and three prices, 0 if there is none. */
const TOPS = `string_agg(concat_ws(' ', ${MILLIS}, COALESCE(p.top2_price, 0), COALESCE(p.top3_price, 0), COALESCE(p.top4_price, 0)), ',')
      FILTER (WHERE COALESCE(p.top2_price, p.top3_price, p.top4_price) IS NOT NULL)`;

const SERIES = {
  name: 'archive-series',
  text: `SELECT t.*, (b.runner_keys[at.place] = t."runnerKey") IS TRUE AS current, ${millis('b.polled_at')} AS polled,
      CASE WHEN b.runner_keys[at.place] = t."runnerKey" THEN ${LAST_SEEN} END AS seen, b.place[at.place] AS "placeShown"
    FROM (
      SELECT p.bookmaker_key AS bookmaker, p.runner_number AS number, p.runner_key AS "runnerKey", ${inTime('p.price')} AS prices,
        ${since('p.at')} AS since, ${since('p.seen_before')} AS before, ${inTime('COALESCE(p.place_price, 0)')} AS place, ${TOPS} AS tops
      FROM (
        SELECT bookmaker_key, runner_number, runner_key, captured_at AS at, win_price AS price, seen_before, place_price, top2_price,
               top3_price, top4_price
          FROM race_ticks($1, $2, $3)
        UNION ALL
        SELECT bookmaker_key, runner_number, runner_key, at, CASE WHEN shown THEN ${BACK} ELSE ${GONE} END, seen_before, NULL, NULL, NULL, NULL
          FROM race_breaks($1, $2, $3)
      ) p
      GROUP BY p.bookmaker_key, p.runner_number, p.runner_key
      HAVING bool_or(p.price > 0)) t
    JOIN race_books b ON b.race_id = $1 AND b.bookmaker_key = t.bookmaker
    CROSS JOIN LATERAL (SELECT array_position(b.numbers, t.number) AS place) at
    ORDER BY t.bookmaker, t.number, t."runnerKey"`,
};

interface SeriesRow
  extends Changes,
    Pick<StoredSeries, 'bookmaker' | 'number' | 'runnerKey' | 'current' | 'placeShown'> {
  readonly place: string;
  readonly tops: string | null;
  /** Epoch milliseconds. */
  readonly polled: string | null;
  readonly seen: string | null;
}

/** By book, number and name; a series without a captured price is left out. */
export async function readSeries(
  client: ClientBase,
  { raceId, from, until }: ArchiveFacts,
): Promise<readonly StoredSeries[]> {
  const fromMs = Date.parse(from);
  const { rows } = await client.query<SeriesRow>({ ...SERIES, values: [raceId, from, until, fromMs / 1000] });
  return rows.map((row) => seriesOf(row, fromMs));
}

function seriesOf(row: SeriesRow, fromMs: number): StoredSeries {
  const { bookmaker, number, runnerKey, current, placeShown } = row;
  const numberOf = (text: string | null): number => (text === null ? Number.NaN : Number(text));
  return {
    bookmaker,
    number,
    runnerKey,
    current,
    changes: changesOf(row, fromMs),
    legs: legsOf(row),
    seenMs: numberOf(row.seen),
    placeShown,
    polledMs: numberOf(row.polled),
  };
}

const quoted = (price: number): number | null => (price === 0 ? null : price);

/** From the captures alone, which have a price. */
function legsOf({ prices, since, place, tops }: SeriesRow): Legs[] {
  const captured = numbersOf(prices);
  const atMs = tops === null ? [] : numbersOf(since);
  const more = new Map(tops?.split(',').map((each) => topsOf(each.split(' ').map(Number))));
  return numbersOf(place).flatMap((price, i): Legs[] =>
    captured[i]! > 0 ? [{ place: quoted(price), ...(more.get(atMs[i]!) ?? NO_TOPS) }] : [],
  );
}

type Tops = Omit<Legs, 'place'>;

const NO_TOPS: Tops = { top2: null, top3: null, top4: null };

const topsOf = ([at, top2, top3, top4]: readonly number[]): [number, Tops] => [
  at!,
  { top2: quoted(top2!), top3: quoted(top3!), top4: quoted(top4!) },
];
