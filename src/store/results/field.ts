// Writes the full field of a result and its coverage (A 2.11). Only a fill writes `complete`, which is the last status;
// `not_applicable` never changes, nor does `unsupported` while no collector exists. No status ever goes back (A 3).
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { contradictsPlacings } from '../../domain/results/field-agreement';
import { CONTRADICTED, type FieldState, fieldSource } from '../../domain/results/field-coverage';
import type { ResultRunner } from '../../domain/results/result';
import { inTransaction } from '../pg/transaction';
import { lockRace, type ResultRace, readResult, type StoredResultRow } from './sources';

/**
 * The outcome of writing a published field. `already_stored`: a field that agrees with the placings exists.
 * `no_result`, `abandoned`, `unsupported`: the row has no field, or there is no row yet. `contradicted`: its order of
 * finish differs from our placings. Only `filled` writes.
 */
export type FieldVerdict = 'filled' | 'already_stored' | 'no_result' | 'abandoned' | 'unsupported' | 'contradicted';

/**
 * A workflow that was reset, or whose write comes late, never moves the status back. `unsupported` changes only if the
 * country of the race became known after its result.
 */
const SAVE_STATE = `
  UPDATE race_results
     SET field_status = $2, field_source = $3, field_note = $4, field_expected_at = $5,
         field_last_pass_at = GREATEST(field_last_pass_at, $6::timestamptz), updated_at = $7
   WHERE race_id = $1
     AND array_position(ARRAY['unsupported', 'pending', 'overdue', 'unavailable'], field_status)
         <= array_position(ARRAY['unsupported', 'pending', 'overdue', 'unavailable'], $2)
     AND (field_status, field_source, field_note, field_expected_at, field_last_pass_at)
         IS DISTINCT FROM ($2, $3, $4, $5::timestamptz, GREATEST(field_last_pass_at, $6::timestamptz))`;

export async function saveFieldState(
  pool: Pool,
  raceId: string,
  { status, source, note, expectedAt }: FieldState,
  at: Instant,
  lastPassAt: Instant | null,
): Promise<void> {
  if (status === 'complete') return;
  await pool.query(SAVE_STATE, [raceId, status, source, note, expectedAt, lastPassAt, at]);
}

const FILL = `
  UPDATE race_results
     SET runners = $2, field_status = 'complete', field_source = COALESCE($3, field_source), field_note = $4,
         field_expected_at = NULL, updated_at = $5
   WHERE race_id = $1 AND (runners, field_source) IS DISTINCT FROM ($2::jsonb, COALESCE($3, field_source))`;

/** An operator's fill is written even if it contradicts the placings; the note then records it. */
export async function fillField(
  pool: Pool,
  raceId: string,
  runners: readonly ResultRunner[],
  source: FieldState['source'],
  at: Instant,
): Promise<void> {
  if (runners.length === 0) throw new Error('a full field has runners');
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    const stored = await readResult(client, raceId);
    const why = stored === null ? 'it has no result' : takesNone(race, stored);
    if (stored === null || why !== null) throw new Error(`race ${raceId} takes no field: ${why}`);
    const note = contradictsPlacings(runners, stored.placings) ? CONTRADICTED : null;
    await client.query(FILL, [raceId, JSON.stringify(runners), source, note, at]);
  });
}

export function acceptField(
  pool: Pool,
  raceId: string,
  runners: readonly ResultRunner[],
  source: FieldState['source'],
  at: Instant,
): Promise<FieldVerdict> {
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    const stored = await readResult(client, raceId);
    const why = stored === null ? 'no_result' : (takesNone(race, stored) ?? objection(stored, runners));
    if (why === null) await client.query(FILL, [raceId, JSON.stringify(runners), source, null, at]);
    return why ?? 'filled';
  });
}

/** Judged by the race's current country: the row may still be `unsupported` from when it was unknown. */
function takesNone({ category, country }: ResultRace, { status }: StoredResultRow): 'abandoned' | 'unsupported' | null {
  if (status === 'abandoned') return 'abandoned';
  return fieldSource(category, country) === null ? 'unsupported' : null;
}

/**
 * The field is official, and bets were settled on the placings. Where they differ, one of them is being corrected (a
 * protest, a disqualification, a book's mistake): neither is changed, and every later reading offers the field again
 * until both agree.
 */
function objection({ placings, runners: before }: StoredResultRow, runners: readonly ResultRunner[]) {
  if (before !== null && !contradictsPlacings(before, placings)) return 'already_stored';
  return contradictsPlacings(runners, placings) ? 'contradicted' : null;
}
