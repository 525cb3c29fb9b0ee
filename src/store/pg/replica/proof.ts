// What proves how old a replica is: a place in the log that the primary had at an instant of this process's monotonic
// clock, and that the replica has replayed. No clock of a server is compared, and a replica of another database, or of
// another history of it, proves nothing.
import type { Pool } from 'pg';

/** Where the log of a server is. */
export interface WalPlace {
  readonly standby: boolean;
  /** Of the cluster, database and history (timeline); null: it receives no log. */
  readonly history: string | null;
  /** Bytes: everything before it can be seen. */
  readonly place: number;
}

const HISTORY = (timeline: string): string =>
  `concat_ws(' ', (SELECT system_identifier FROM pg_control_system()), current_database(), ${timeline})`;

const OF_PRIMARY = {
  name: 'log-place-of-primary',
  text: `SELECT s.standby,
      CASE WHEN NOT s.standby THEN ${HISTORY('left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)')} END AS history,
      CASE WHEN s.standby THEN 0 ELSE (pg_current_wal_insert_lsn() - '0/0')::float8 END AS place,
      pg_size_bytes(current_setting('wal_segment_size'))::float8 AS segment,
      current_setting('wal_block_size')::float8 AS page
    FROM (SELECT pg_is_in_recovery() AS standby) s`,
};

const OF_REPLICA = {
  name: 'log-place-of-replica',
  text: `SELECT pg_is_in_recovery() AS standby,
      CASE WHEN w.received_tli IS NOT NULL THEN ${HISTORY("lpad(upper(to_hex(w.received_tli)), 8, '0')")} END AS history,
      COALESCE((pg_last_wal_replay_lsn() - '0/0')::float8, 0) AS place
    FROM (SELECT) one LEFT JOIN pg_stat_wal_receiver w ON true`,
};

interface LogSizes {
  readonly segment: number;
  readonly page: number;
}

/** Bytes of the header of a segment's first page, and of any other. */
const SEGMENT_HEADER = 40;
const PAGE_HEADER = 24;

/**
 * After a switch of segments, and at the end of a page, the next record goes behind a header that no replica replays:
 * everything before the page is everything.
 */
export function beforeHeader(place: number, { segment, page }: LogSizes): number {
  const [inSegment, inPage] = [place % segment, place % page];
  if (inSegment <= SEGMENT_HEADER) return place - inSegment;
  return inPage <= PAGE_HEADER ? place - inPage : place;
}

/** Rejects if the server does not answer. */
export async function readPrimaryPlace(pool: Pool): Promise<WalPlace> {
  const { rows } = await pool.query<WalPlace & LogSizes>(OF_PRIMARY);
  const { place, segment, page, ...of } = rows[0]!;
  return { ...of, place: beforeHeader(place, { segment, page }) };
}

/** Rejects if the server does not answer. */
export const readReplicaPlace = async (pool: Pool): Promise<WalPlace> =>
  (await pool.query<WalPlace>(OF_REPLICA)).rows[0]!;

interface Sample {
  readonly atMs: number;
  readonly place: number;
}

export interface ReplicaProof {
  /**
   * `sentMs`: when `primary` was requested. Returns why the replica cannot be used whatever its age; null: it can.
   */
  add(sentMs: number, primary: WalPlace, replica: WalPlace): string | null;
  /** A connection was lost: the replica may have been started again, on an earlier state. */
  forget(): void;
  /** The replica shows at least what the primary showed at this instant. -Infinity: nothing is proven. */
  provenMs(): number;
}

/** A replica that is further behind proves nothing until it has caught up. */
const MOST_SAMPLES = 1000;

export function createReplicaProof(): ReplicaProof {
  let samples: Sample[] = [];
  let provenMs = Number.NEGATIVE_INFINITY;
  let history: string | null = null;

  const forget = (): void => {
    samples = [];
    provenMs = Number.NEGATIVE_INFINITY;
  };

  return {
    add(sentMs, primary, replica) {
      const reason = unusable(primary, replica);
      if (reason !== null || primary.history !== history) forget();
      ({ history } = primary);
      if (reason !== null) return reason;
      samples.push({ atMs: sentMs, place: primary.place });
      const replayed = samples.findLastIndex(({ place }) => place <= replica.place);
      if (replayed >= 0) provenMs = Math.max(provenMs, samples[replayed]!.atMs);
      samples = samples.slice(replayed + 1).slice(-MOST_SAMPLES);
      return null;
    },
    forget,
    provenMs: () => provenMs,
  };
}

function unusable(primary: WalPlace, replica: WalPlace): string | null {
  if (primary.standby) return 'DATABASE_URL leads to a standby';
  if (!replica.standby) return 'DATABASE_READ_URL leads to a server that is no standby';
  if (replica.history === null) return 'the replica receives no log, or its login may not see that it does';
  if (replica.history !== primary.history) return 'the replica follows another primary';
  return null;
}
