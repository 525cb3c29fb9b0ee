// Writes polls of many races in one statement: `stamp_polls` (migrations/functions) only stamps freshness, by far the
// most common case; `write_polls` compares. A batch of either locks only books' rows, in one order, and `write_polls`
// waits for none; what it leaves, above all a poll that writes its race's row, goes alone to `write_poll`. If a batch
// fails, its polls are written one by one: no poll fails because of another. Polls of races that are not near their
// jump wait for others of the same moment, and go with one that does not wait: a statement and its commit cost more
// than the rows in it.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { BookPoll } from '../card/book-poll';
import { inBatches } from '../pg/in-batches';

export interface PollBatches {
  /** Null: the freshness rule refused it or requires a comparison; `write` finds out which. */
  stamp(stamp: Stamp): Promise<Stamped | null>;
  write(write: PollWrite): Promise<PollVerdictRow>;
}

/** Confirms the stored reply as of `poll.observedAt`: a 304 has no hash, an equal reply has its own. */
interface Stamp {
  readonly poll: BookPoll;
  readonly hash: string | null;
}

/** A reply as `write_poll` takes it; without the literal only its hash is sent. */
export interface PollWrite extends Stamp {
  readonly literal: string | null;
}

export interface Stamped {
  readonly startVersion: number;
  readonly marketClosedAt: Instant | null;
}

type Verdict = 'written' | 'fenced' | 'older' | 'late' | 'resend' | 'unknown';

/** What `write_poll` returns; its SQL file explains each verdict. */
export interface PollVerdictRow extends Stamped {
  readonly verdict: Verdict;
  readonly changed: number;
  readonly ticks: number;
  readonly cardDiffers: boolean;
  readonly startMoved: boolean;
}

const STAMP = `
  SELECT place, start_version AS "startVersion", market_closed_at AS "marketClosedAt"
    FROM stamp_polls($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[])`;

const WRITE = `
  SELECT place, verdict, changed, ticks, card_differs AS "cardDiffers", start_version AS "startVersion", start_moved AS "startMoved",
         market_closed_at AS "marketClosedAt"
    FROM write_polls($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[])`;

const WRITE_ALONE = `
  SELECT a.place::integer AS place, v.verdict, v.changed, v.ticks, v.card_differs AS "cardDiffers",
         v.start_version AS "startVersion", v.start_moved AS "startMoved", v.market_closed_at AS "marketClosedAt"
    FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[])
           WITH ORDINALITY AS a (race_id, book, epoch, attempt, at, book_at, hash, reply, place)
   CROSS JOIN LATERAL write_poll(a.race_id, a.book, a.epoch, a.attempt, a.at, a.book_at, a.hash, a.reply) AS v`;

/** Of a poll for others, wall. Short beside the seconds between two polls of a book. */
export const LONGEST_POLL_WAIT_MS = 50;
const WAITING = { waitMs: LONGEST_POLL_WAIT_MS, isUrgent: ({ poll }: Stamp): boolean => !poll.mayWait };

/**
 * A few at a time, so that control reads do not wait behind hundreds of them for a connection; those of races near
 * their jump first.
 */
const ALONE = { lanes: 3, most: 1, goesFirst: ({ poll }: Stamp): boolean => poll.isNear ?? false };

/** `alone`: nothing is written, `write_poll` takes it. */
type BatchVerdictRow = Omit<PollVerdictRow, 'verdict'> & { readonly verdict: Verdict | 'alone' };

export function createPollBatches(pool: Pool): PollBatches {
  const writes = { lanes: 2, most: 50, ...WAITING };
  const together = inBatches((some: readonly PollWrite[]) => writeAll<BatchVerdictRow>(pool, BATCH, some), writes);
  const alone = inBatches((one: readonly PollWrite[]) => writeAll<PollVerdictRow>(pool, ONE, one), ALONE);
  return {
    stamp: inBatches((stamps) => stampAll(pool, stamps), { lanes: 2, most: 100, ...WAITING }),
    async write(write) {
      const row = await together(write).catch(() => null);
      return row && isDecided(row) ? row : alone(write);
    },
  };
}

const isDecided = (row: BatchVerdictRow): row is PollVerdictRow => row.verdict !== 'alone';

const BATCH = { name: 'write-polls', text: WRITE };
const ONE = { name: 'write-poll', text: WRITE_ALONE };

type Placed<T> = T & { readonly place: number };

async function writeAll<Row>(
  pool: Pool,
  statement: { readonly name: string; readonly text: string },
  writes: readonly PollWrite[],
): Promise<Row[]> {
  const order = lockOrder(writes);
  const values = [...columns(writes, order), arrayOf(order, (i) => quoted(writes[i]!.literal))];
  const { rows } = await pool.query<Placed<Row>>({ ...statement, values });
  const verdicts: Row[] = [];
  for (const { place, ...verdict } of rows) verdicts[order[place - 1]!] = verdict as Row;
  return verdicts;
}

async function stampAll(pool: Pool, stamps: readonly Stamp[]): Promise<(Stamped | null)[]> {
  const order = lockOrder(stamps);
  const values = columns(stamps, order);
  const { rows } = await pool.query<Placed<Stamped>>({ name: 'stamp-polls', text: STAMP, values });
  const stamped: (Stamped | null)[] = stamps.map(() => null);
  for (const { place, ...row } of rows) stamped[order[place - 1]!] = row;
  return stamped;
}

/** Ascending by race and book, in every batch, so that two batches never deadlock. */
const lockOrder = (stamps: readonly Stamp[]): number[] =>
  [...stamps.keys()].sort((a, b) => (keyOf(stamps[a]!) < keyOf(stamps[b]!) ? -1 : 1));

const keyOf = ({ poll }: Stamp): string => `${poll.raceId}/${poll.bookmakerKey}`;

function columns(stamps: readonly Stamp[], order: readonly number[]): string[] {
  const ofPolls = (value: (poll: BookPoll) => number | string | null) => arrayOf(order, (i) => value(stamps[i]!.poll));
  return [
    ofPolls((poll) => poll.raceId),
    ofPolls((poll) => poll.bookmakerKey),
    ofPolls((poll) => poll.fence.epoch),
    ofPolls((poll) => poll.fence.attempt),
    ofPolls((poll) => poll.observedAt),
    ofPolls((poll) => poll.bookAt),
    arrayOf(order, (i) => stamps[i]!.hash),
  ];
}

/** As PostgreSQL reads an array. `pg` would quote and escape each number, instant and id. */
const arrayOf = (order: readonly number[], value: (i: number) => number | string | null): string =>
  `{${order.map((i) => value(i) ?? 'NULL').join(',')}}`;

const quoted = (text: string | null): string | null =>
  text === null ? null : `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
