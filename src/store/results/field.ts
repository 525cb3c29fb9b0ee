// The full field of a result (A 2.11): what is known of it, and its being written. `complete` is written by a fill alone and nothing follows
// it; `not_applicable` has no moves, nor has `unsupported` while no collector exists; no status ever goes back (A 3).
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { contradictsPlacings } from '../../domain/results/field-agreement';
import { CONTRADICTED, type FieldState, fieldSource } from '../../domain/results/field-coverage';
import type { ResultRunner } from '../../domain/results/result';
import { inTransaction } from '../pg/transaction';
import { lockRace, type ResultRace, readResult, type StoredResultRow } from './sources';

/**
 * What became of a field that a registry published. `no_result`, `abandoned`, `unsupported`: the row takes none, or is not there yet.
 * `contradicted`: its order of finish is not that of our placings, and it was not written.
 */
export type FieldVerdict = 'filled' | 'already_stored' | 'no_result' | 'abandoned' | 'unsupported' | 'contradicted';

/**
 * A workflow that was set back, or that speaks late, does not take back what the row has reached. `unsupported` is left only by a race whose
 * country became known after its result.
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

/** By hand: the operator's word stands, and where it contradicts the placings the note says so. */
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
    const held = await readResult(client, raceId);
    const why = held === null ? 'it has no result' : takesNone(race, held);
    if (held === null || why !== null) throw new Error(`race ${raceId} takes no field: ${why}`);
    const note = contradictsPlacings(runners, held.placings) ? CONTRADICTED : null;
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
    const held = await readResult(client, raceId);
    const why = held === null ? 'no_result' : (takesNone(race, held) ?? objection(held, runners));
    if (why === null) await client.query(FILL, [raceId, JSON.stringify(runners), source, null, at]);
    return why ?? 'filled';
  });
}

/** By what is known of the race now: its row may still say `unsupported` of an unknown country. */
function takesNone({ category, country }: ResultRace, { status }: StoredResultRow): 'abandoned' | 'unsupported' | null {
  if (status === 'abandoned') return 'abandoned';
  return fieldSource(category, country) === null ? 'unsupported' : null;
}

/**
 * The field is official, the placings are what bets were settled on. Where they differ one of them is being corrected (a protest, a
 * disqualification, a book's mistake): neither is touched, and the field is offered again at every later reading until both say the same.
 */
function objection({ placings, runners: held }: StoredResultRow, runners: readonly ResultRunner[]) {
  if (held !== null && !contradictsPlacings(held, placings)) return 'already_stored';
  return contradictsPlacings(runners, placings) ? 'contradicted' : null;
}
