// The full field of a result (A 2.11): what is known of it, and its being written. `complete` is written by a fill alone and nothing follows
// it; `unsupported` and `not_applicable` have no moves; no status ever goes back (A 3).
import type { Pool } from 'pg';
import { contradictsPlacings } from '../domain/field-agreement';
import { CONTRADICTED } from '../domain/field-coverage';
import type { Instant } from '../domain/race';
import { type HeldRow, heldRow, lockRace } from './result-sources';
import type { FieldState, FieldTaken, ResultRunner } from './store';
import { inTransaction } from './transaction';

/** A workflow that was set back, or that speaks late, does not take back what the row has reached. */
const SAVE_STATE = `
  UPDATE race_results
     SET field_status = $2, field_source = $3, field_note = $4, field_expected_at = $5,
         field_last_pass_at = GREATEST(field_last_pass_at, $6::timestamptz), updated_at = $7
   WHERE race_id = $1 AND field_status IN ('pending', 'overdue', 'unavailable')
     AND array_position(ARRAY['pending', 'overdue', 'unavailable'], field_status)
         <= array_position(ARRAY['pending', 'overdue', 'unavailable'], $2)
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
   WHERE race_id = $1 AND field_status IN ('pending', 'overdue', 'unavailable', 'complete')
     AND (runners, field_source) IS DISTINCT FROM ($2::jsonb, COALESCE($3, field_source))`;

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
    await lockRace(client, raceId);
    const held = await heldRow(client, raceId);
    const taken = held && held.fieldStatus !== 'unsupported' && held.fieldStatus !== 'not_applicable';
    if (!taken) throw new Error(`race ${raceId} takes no field: ${held?.fieldStatus ?? 'it has no result'}`);
    const note = contradictsPlacings(runners, held.placings) ? CONTRADICTED : null;
    await client.query(FILL, [raceId, JSON.stringify(runners), source, note, at]);
  });
}

export function takeField(
  pool: Pool,
  raceId: string,
  runners: readonly ResultRunner[],
  source: FieldState['source'],
  at: Instant,
): Promise<FieldTaken> {
  return inTransaction(pool, async (client) => {
    await lockRace(client, raceId);
    const held = await heldRow(client, raceId);
    const why = held === null ? 'no_result' : objection(held, runners);
    if (why === null) await client.query(FILL, [raceId, JSON.stringify(runners), source, null, at]);
    return why ?? 'filled';
  });
}

/**
 * The field is official, the placings are what bets were settled on. Where they differ one of them is being corrected (a protest, a
 * disqualification, a book's mistake): neither is touched, and the field is offered again at every later reading until both say the same.
 */
function objection({ fieldStatus, placings, runners: held }: HeldRow, runners: readonly ResultRunner[]) {
  if (fieldStatus === 'not_applicable') return 'abandoned';
  if (fieldStatus === 'unsupported') return 'unsupported';
  if (held !== null && !contradictsPlacings(held, placings)) return 'held';
  return contradictsPlacings(runners, placings) ? 'contradicted' : null;
}
