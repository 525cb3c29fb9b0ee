// Which poller may write a race now. A claim reaches every book's row of the race, and a poll's write compares that row again under its lock:
// a late worker cannot write even if its statement was already running.
import type { ClientBase, Pool } from 'pg';
import type { Instant, RefreshTier } from '../../domain/race/race';
import { inBatches } from '../pg/in-batches';
import { inTransaction } from '../pg/transaction';

/** What a poller reads about once a second. */
export interface RaceControl {
  readonly raceId: string;
  readonly epoch: number;
  readonly tier: RefreshTier | 'none';
  readonly advertisedStart: Instant;
  readonly closed: boolean;
  readonly holderAttempt: number;
}

export interface ControlStore {
  /** Written by the workflow only. Never goes back: an older epoch changes nothing. */
  setControl(control: Omit<RaceControl, 'holderAttempt'>, at: Instant): Promise<void>;
  readControl(raceId: string): Promise<RaceControl | null>;
  /** Gives the race to this attempt of this epoch. False if a newer epoch or attempt has it. After true, no write of an older holder succeeds. */
  claim(raceId: string, epoch: number, attempt: number, at: Instant): Promise<boolean>;
}

/** Within an epoch the workflow's last write wins. */
const SET_CONTROL = `
  INSERT INTO race_control AS stored (race_id, epoch, tier, advertised_start, closed, holder_attempt, updated_at)
  VALUES ($1, $2, $3, $4, $5, 0, $6)
  ON CONFLICT (race_id) DO UPDATE
     SET epoch = EXCLUDED.epoch, tier = EXCLUDED.tier, advertised_start = EXCLUDED.advertised_start,
         closed = EXCLUDED.closed, updated_at = EXCLUDED.updated_at,
         holder_attempt = CASE WHEN stored.epoch = EXCLUDED.epoch THEN stored.holder_attempt ELSE 0 END
   WHERE stored.epoch <= EXCLUDED.epoch`;

const CLAIM = `
  UPDATE race_control SET epoch = $2, holder_attempt = $3, updated_at = $4
   WHERE race_id = $1 AND (epoch, holder_attempt) <= ($2::int, $3::int)`;

/** Locks rows in the order of `poll-batches.ts`, so that the two never deadlock. */
const FENCE = `
  WITH locked AS (
    SELECT race_id, bookmaker_key FROM race_books WHERE race_id = $1 AND (epoch, attempt) < ($2::int, $3::int)
     ORDER BY bookmaker_key COLLATE "C" FOR NO KEY UPDATE
  )
  UPDATE race_books b SET epoch = $2, attempt = $3
    FROM locked h
   WHERE b.race_id = h.race_id AND b.bookmaker_key = h.bookmaker_key AND (b.epoch, b.attempt) < ($2::int, $3::int)`;

const READ = `
  SELECT race_id AS "raceId", epoch, tier, advertised_start AS "advertisedStart", closed, holder_attempt AS "holderAttempt"
    FROM race_control WHERE race_id = ANY ($1::uuid[])`;

/** Each live race of a process reads its row about once a second: reads within a few milliseconds share one statement. */
const READS = { lanes: 1, most: 500, waitMs: 5 };

export function createControlStore(pool: Pool): ControlStore {
  const read = inBatches((raceIds: readonly string[]) => readControls(pool, raceIds), READS);
  return {
    setControl(control, at) {
      const { raceId, epoch, tier, advertisedStart, closed } = control;
      return inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(SET_CONTROL, [raceId, epoch, tier, advertisedStart, closed, at]);
        // A newer epoch fences older holders out at once, before its own holder arrives.
        if (rowCount === 1) await fence(client, raceId, epoch, 0);
      });
    },
    readControl: read,
    claim(raceId, epoch, attempt, at) {
      return inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(CLAIM, [raceId, epoch, attempt, at]);
        if (rowCount === 1) await fence(client, raceId, epoch, attempt);
        return rowCount === 1;
      });
    },
  };
}

async function readControls(pool: Pool, raceIds: readonly string[]): Promise<(RaceControl | null)[]> {
  const { rows } = await pool.query<RaceControl>({ name: 'control-read', text: READ, values: [raceIds] });
  const byId = new Map(rows.map((row) => [row.raceId, row]));
  return raceIds.map((raceId) => byId.get(raceId) ?? null);
}

/** A statement of its own after the control row is locked, so that it sees a book that was linked under that lock before. */
async function fence(client: ClientBase, raceId: string, epoch: number, attempt: number): Promise<void> {
  await client.query(FENCE, [raceId, epoch, attempt]);
}
