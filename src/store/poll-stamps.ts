// Freshness of unchanged polls, by far the most common, many in one statement. What it does not stamp (a newer holder, a later reply, a
// reply that differs after all, prices to capture) is left to `save_poll`, which knows why.
import type { Pool } from 'pg';
import { inBatches } from './in-batches';
import type { BookPoll } from './store';

/** What is held stands as of `at`: for a 304 without a hash, for an equal reply with its. */
export interface Stamp {
  readonly poll: BookPoll;
  readonly hash: string | null;
}

export interface Stamped {
  readonly startVersion: number;
  readonly marketClosedAt: string | null;
}

/** The conditions are those of `save_poll` (migration 0005) for a reply that is not given. */
const STAMP = `
  UPDATE race_books b
     SET polled_at = a.at, book_at = COALESCE(a.book_at, b.book_at), epoch = a.epoch, attempt = a.attempt
    FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[])
           WITH ORDINALITY AS a (race_id, book, epoch, attempt, at, book_at, hash, place)
    JOIN races r USING (race_id)
   WHERE b.race_id = a.race_id AND b.bookmaker_key = a.book
     AND (a.hash IS NULL OR b.reply_hash = a.hash)
     AND (b.epoch, b.attempt) <= (a.epoch, a.attempt) AND b.polled_at <= a.at
     AND (b.captured OR b.market_status = 'CLOSED' OR (r.market_status = 'CLOSED' AND a.at >= r.market_closed_at)
          OR a.at < r.start_time - interval '60 minutes')
     AND NOT COALESCE(b.book_at > a.book_at AND b.book_at < a.book_at + interval '5 minutes', false)
  RETURNING a.place::integer AS place, r.start_version AS "startVersion", r.market_closed_at AS "marketClosedAt"`;

type Row = Stamped & { readonly place: number };

/** Null: not stamped. */
export function createStamps(pool: Pool): (stamp: Stamp) => Promise<Stamped | null> {
  return inBatches((stamps) => stampAll(pool, stamps), { lanes: 2, most: 100 });
}

async function stampAll(pool: Pool, stamps: readonly Stamp[]): Promise<(Stamped | null)[]> {
  // In one order everywhere, so that two batches never wait for each other.
  const order = [...stamps.keys()].sort((a, b) => (keyOf(stamps[a]!) < keyOf(stamps[b]!) ? -1 : 1));
  const polls = order.map((i) => stamps[i]!.poll);
  const values = [
    polls.map((poll) => poll.raceId),
    polls.map((poll) => poll.bookmakerKey),
    polls.map((poll) => poll.fence.epoch),
    polls.map((poll) => poll.fence.attempt),
    polls.map((poll) => poll.observedAt),
    polls.map((poll) => poll.bookAt),
    order.map((i) => stamps[i]!.hash),
  ];
  const { rows } = await pool.query<Row>({ name: 'stamp-polls', text: STAMP, values });
  const answers: (Stamped | null)[] = stamps.map(() => null);
  for (const { place, ...stamped } of rows) answers[order[place - 1]!] = stamped;
  return answers;
}

const keyOf = ({ poll }: Stamp): string => `${poll.raceId}/${poll.bookmakerKey}`;
