// Which poller may write a race now. A claim reaches every book's row of the race, and a poll's write compares that row
// again under its lock: a late worker cannot write even if its statement was already running.
import type { Pool } from 'pg';
import type { Instant, RefreshTier } from '../../domain/race/race';
import { inBatches } from '../pg/in-batches';
import { inTransaction } from '../pg/transaction';
import {
  type AbandonmentOrder,
  orderAbandonment,
  readUnseen,
  UNSEEN,
  type Unseen,
  type UnseenRow,
  unseenOf,
} from './unseen';

/** What a poller reads about once a second. */
export interface RaceControl {
  readonly raceId: string;
  readonly epoch: number;
  readonly tier: RefreshTier | 'none';
  readonly advertisedStart: Instant;
  readonly closed: boolean;
  readonly holderAttempt: number;
  /** Versions of the facts that the workflow has taken in. Null: written by the previous release. */
  readonly startVersion: number | null;
  readonly abandonmentVersion: number;
  /** The database's facts beyond them. */
  readonly unseen: Unseen | null;
}

/** `startVersion` and `abandonmentVersion` are absent in a decision of an older version. */
type ControlWrite = Omit<RaceControl, 'holderAttempt' | 'unseen' | 'startVersion' | 'abandonmentVersion'> &
  Partial<Pick<RaceControl, 'startVersion' | 'abandonmentVersion'>>;

export interface ControlStore {
  /** Written by the workflow only. Never goes back: an older epoch changes nothing. */
  setControl(control: ControlWrite, at: Instant): Promise<void>;
  readControl(raceId: string): Promise<RaceControl | null>;
  /**
   * Gives the race to this attempt of this epoch. False if a newer epoch or attempt has it. After true, no write of an
   * older holder succeeds.
   */
  claim(raceId: string, epoch: number, attempt: number, at: Instant): Promise<boolean>;
  /** The newest epoch that would refuse a poller of the race; null if there is neither a control row nor a book. */
  heldEpoch(raceId: string): Promise<number | null>;
  /** The race's workflow ends by its own rules. */
  end(raceId: string, at: Instant): Promise<void>;
  /**
   * Orders a race abandoned, before its workflow is signalled. Idempotent by `order`. Returns the version to signal.
   */
  orderAbandonment(order: AbandonmentOrder, at: Instant): Promise<number>;
  /** Every race with something that its workflow has not taken in. */
  unseen(): Promise<ReadonlyMap<string, Unseen>>;
}

/** Within an epoch the workflow's last write wins. */
const SET_CONTROL = {
  name: 'control-set',
  text: `
  INSERT INTO race_control AS stored (race_id, epoch, tier, advertised_start, closed, holder_attempt, updated_at, start_version,
         abandonment_version)
  VALUES ($1, $2, $3, $4, $5, 0, $6, $7, COALESCE($8, 0))
  ON CONFLICT (race_id) DO UPDATE
     SET epoch = EXCLUDED.epoch, tier = EXCLUDED.tier, advertised_start = EXCLUDED.advertised_start,
         closed = EXCLUDED.closed, updated_at = EXCLUDED.updated_at, start_version = EXCLUDED.start_version,
         abandonment_version = COALESCE($8, stored.abandonment_version),
         ended_at = CASE WHEN EXCLUDED.closed THEN stored.ended_at END,
         holder_attempt = CASE WHEN stored.epoch = EXCLUDED.epoch THEN stored.holder_attempt ELSE 0 END
   WHERE stored.epoch <= EXCLUDED.epoch`,
};

/**
 * The workflow's version of a start is the newer one only after the database was restored from a backup: the next move
 * has to count from there, and a start that differs is itself the next move.
 */
const CATCH_UP = `
  UPDATE races SET start_version = $2 + (start_time <> $3::timestamptz)::integer
   WHERE race_id = $1 AND start_version < $2 + (start_time <> $3::timestamptz)::integer`;

/** A book's row may be ahead of a control row that was lost. */
const HELD = `
  SELECT max(epoch) AS held FROM (
    SELECT epoch FROM race_control WHERE race_id = $1 UNION ALL SELECT epoch FROM race_books WHERE race_id = $1) e`;

const END = 'UPDATE race_control SET ended_at = GREATEST(ended_at, $2::timestamptz) WHERE race_id = $1';

/** One statement for each, because a race that is not live is claimed for each of its polls. */
const CLAIM = { name: 'claim-race', text: 'SELECT claim_race($1, $2, $3, $4) AS "isOurs"' };

/**
 * A separate statement after the control row is locked, so that it sees a book that was linked under that lock before.
 */
const FENCE = { name: 'fence-race', text: 'SELECT fence_race($1, $2, $3)' };

const READ = `
  SELECT c.race_id AS "raceId", c.epoch, c.tier, c.advertised_start AS "advertisedStart", c.closed, c.holder_attempt AS "holderAttempt",
         c.start_version AS "startVersion", c.abandonment_version AS "abandonmentVersion", ${UNSEEN}
    FROM race_control c JOIN races r USING (race_id) LEFT JOIN race_abandonments a USING (race_id)
   WHERE c.race_id = ANY ($1::uuid[])`;

/**
 * Each live race of a process reads its row about once a second: reads within a few milliseconds share one statement.
 */
const READS = { lanes: 1, most: 500, waitMs: 5 };

/**
 * A process that starts, or that gets the races of another, claims hundreds at once: a few at a time, so that control
 * reads and polls do not wait behind them for a connection.
 */
const CLAIMS = { lanes: 3, most: 1 };

export function createControlStore(pool: Pool): ControlStore {
  const claim = inBatches(([claimed]: readonly Claim[]) => claimOne(pool, claimed!), CLAIMS);
  const read = inBatches((raceIds: readonly string[]) => readControls(pool, raceIds), READS);
  return {
    async setControl(control, at) {
      const { raceId, epoch, tier, advertisedStart, closed, startVersion = null, abandonmentVersion = null } = control;
      const values = [raceId, epoch, tier, advertisedStart, closed, at, startVersion, abandonmentVersion];
      await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query({ ...SET_CONTROL, values });
        // A newer epoch fences older holders out at once, before its own holder arrives.
        if (rowCount === 1) await client.query({ ...FENCE, values: [raceId, epoch, 0] });
      });
      // Separate, because a poll locks a book's row before the race's.
      if (startVersion !== null) await pool.query(CATCH_UP, [raceId, startVersion, advertisedStart]);
    },
    heldEpoch: async (raceId) => (await pool.query<{ held: number | null }>(HELD, [raceId])).rows[0]!.held,
    end: async (raceId, at) => void (await pool.query(END, [raceId, at])),
    orderAbandonment: (order, at) => orderAbandonment(pool, order, at),
    unseen: () => readUnseen(pool),
    readControl: read,
    claim: (raceId, epoch, attempt, at) => claim({ raceId, epoch, attempt, at }),
  };
}

interface Claim {
  readonly raceId: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly at: Instant;
}

async function claimOne(pool: Pool, { raceId, epoch, attempt, at }: Claim): Promise<boolean[]> {
  const { rows } = await pool.query<{ isOurs: boolean }>({ ...CLAIM, values: [raceId, epoch, attempt, at] });
  return [rows[0]!.isOurs];
}

type ControlRow = Omit<RaceControl, 'unseen'> & UnseenRow;

function controlOf({
  newStart,
  newStartVersion,
  orderedNote,
  orderedBy,
  orderVersion,
  ...control
}: ControlRow): RaceControl {
  return { ...control, unseen: unseenOf({ newStart, newStartVersion, orderedNote, orderedBy, orderVersion }) };
}

async function readControls(pool: Pool, raceIds: readonly string[]): Promise<(RaceControl | null)[]> {
  const { rows } = await pool.query<ControlRow>({ name: 'control-read', text: READ, values: [raceIds] });
  const byId = new Map(rows.map((row) => [row.raceId, controlOf(row)]));
  return raceIds.map((raceId) => byId.get(raceId) ?? null);
}
