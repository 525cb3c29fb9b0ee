// Our races as the collectors need them: which of them still need something from a registry, and the stored state of
// each. Reads only.
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../domain/race/race';
import type { CardRunner } from '../../domain/results/field-agreement';
import type { FieldStatus } from '../../domain/results/field-coverage';

/** A race of ours; `fieldStatus` and what goes with it are null while there is no result. */
export interface CollectedRace {
  readonly raceId: string;
  readonly meetingDate: Day;
  readonly category: Category;
  readonly country: string | null;
  readonly venueId: string;
  readonly card: number;
  readonly raceNumber: number;
  readonly startTime: Instant;
  readonly resultStatus: 'interim' | 'final' | 'abandoned' | null;
  readonly fieldStatus: FieldStatus | null;
  readonly fieldLastPassAt: Instant | null;
  /** The stored field's order of finish is not that of the placings. */
  readonly contradicted: boolean;
  /** The result is interim and a book reports a protest. */
  readonly underProtest: boolean;
  readonly resultedAt: Instant | null;
}

export interface CollectedRaceReads {
  race(raceId: string): Promise<CollectedRace | null>;
  /**
   * Australian races of one code and these meeting days that still need the registry: without a result, with a field
   * that is awaited or that the placings contradict, under protest, abandoned (the registry may report why), or with a
   * notice that the registry may withdraw.
   */
  wanting(category: Category, from: Day, to: Day): Promise<readonly CollectedRace[]>;
  /** All Australian races of one code and day. */
  racesOn(category: Category, day: Day): Promise<readonly CollectedRace[]>;
  /**
   * Every race whose stored field status is pending or overdue, however old, or unsupported only because its country
   * was unknown when it resulted.
   */
  awaitingField(): Promise<readonly CollectedRace[]>;
  cardOf(raceId: string): Promise<readonly CardRunner[]>;
}

export function createCollectedRaceReads(pool: Pool): CollectedRaceReads {
  const read = async (where: string, values: readonly unknown[]): Promise<readonly CollectedRace[]> =>
    (await pool.query<CollectedRace>(`${RACE} ${where} ORDER BY r.start_time DESC, r.race_id`, [...values])).rows;
  return {
    race: async (raceId) => (await read('WHERE r.race_id = $1', [raceId]))[0] ?? null,
    wanting: (category, from, to) => read(WANTING, [category, from, to]),
    racesOn: (category, day) => read(OF_DAYS, [category, day, day]),
    awaitingField: () => read(AWAITING, []),
    cardOf: (raceId) => cardOf(pool, raceId),
  };
}

const RACE = `
  SELECT r.race_id AS "raceId", r.meeting_date AS "meetingDate", r.category, r.country, r.venue_id AS "venueId", r.card,
         r.race_number AS "raceNumber", r.start_time AS "startTime", x.status AS "resultStatus",
         x.field_status AS "fieldStatus", x.field_last_pass_at AS "fieldLastPassAt", x.resulted_at AS "resultedAt",
         -- The only note of a complete field.
         x.field_status IS NOT DISTINCT FROM 'complete' AND x.field_note IS NOT NULL AS contradicted,
         COALESCE(x.status = 'interim' AND x.protest, false) AS "underProtest"
    FROM races r LEFT JOIN race_results x USING (race_id)`;

const OF_DAYS = `WHERE r.category = $1 AND r.country = 'AU' AND r.meeting_date BETWEEN $2 AND $3`;

const WANTING = `${OF_DAYS}
     AND (x.race_id IS NULL OR x.field_status IN ('pending', 'overdue') OR x.status = 'abandoned'
          OR (x.field_status = 'complete' AND x.field_note IS NOT NULL) OR (x.status = 'interim' AND x.protest)
          OR EXISTS (SELECT FROM abandonment_notices n WHERE n.race_id = r.race_id))`;

const AWAITING = `WHERE x.field_status IN ('pending', 'overdue')
     OR (x.field_status = 'unsupported' AND r.country = 'AU' AND r.category <> 'harness')`;

async function cardOf(pool: Pool, raceId: string): Promise<readonly CardRunner[]> {
  const { rows } = await pool.query<CardRunner>(
    'SELECT number, name, scratched, emergency FROM race_runners WHERE race_id = $1 ORDER BY number',
    [raceId],
  );
  return rows;
}
