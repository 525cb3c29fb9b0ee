// Polls of many races in one statement: one for freshness alone, by far the most common, and one for what `save_poll` must look at. A
// batch holds locks on books' rows in one order and on nothing else; a poll that may write its race's row goes alone. A batch that fails
// is written one by one: a poll never fails for another's sake.
import type { Pool } from 'pg';
import type { BookPoll } from '../card/book-poll';
import { inBatches } from '../pg/in-batches';

export interface PollBatches {
  /** Null: not stamped, for `save_poll` to say why (a newer holder, a later reply, one that differs after all, prices to capture). */
  stamp(stamp: Stamp): Promise<Stamped | null>;
  /** What `save_poll` says. */
  tell(telling: Telling): Promise<string>;
}

/** A reply as `save_poll` takes it; without a literal only its hash is told. */
export interface Telling extends Stamp {
  readonly literal: string | null;
}

/** What is held stands as of `at`: for a 304 without a hash, for an equal reply with its. */
interface Stamp {
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

/**
 * A book's stamp that falls back says that the reply is an older one, delivered late. Further back than this its clock was set, and
 * refusing would silence the book until it has caught up.
 */
const TELL = `
  SELECT a.place::integer AS place,
         CASE WHEN EXISTS (SELECT FROM race_books b WHERE b.race_id = a.race_id AND b.bookmaker_key = a.book
                              AND b.book_at > a.book_at AND b.book_at < a.book_at + interval '5 minutes')
              THEN 'older|0|0|f|0|f|'
              ELSE save_poll(a.race_id, a.book, a.epoch, a.attempt, a.at, a.book_at, a.hash, a.reply) END AS said
    FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[])
           WITH ORDINALITY AS a (race_id, book, epoch, attempt, at, book_at, hash, reply, place)`;

export function createPollBatches(pool: Pool): PollBatches {
  const together = inBatches((tellings: readonly Telling[]) => tellAll(pool, tellings), { lanes: 3, most: 50 });
  const alone = async (telling: Telling): Promise<string> => (await tellAll(pool, [telling]))[0]!;
  return {
    stamp: inBatches((stamps) => stampAll(pool, stamps), { lanes: 2, most: 100 }),
    tell: (telling) => (touchesRace(telling) ? alone(telling) : together(telling).catch(() => alone(telling))),
  };
}

/** `save_poll` writes the race's row for these: start, market state, in-play. */
const touchesRace = ({ poll }: Telling): boolean =>
  poll.marketStateSource || poll.startSource || (poll.snapshot?.inPlay ?? null) !== null;

async function tellAll(pool: Pool, tellings: readonly Telling[]): Promise<string[]> {
  const order = lockOrder(tellings);
  const values = [...columns(tellings, order), order.map((i) => tellings[i]!.literal)];
  const { rows } = await pool.query<{ place: number; said: string }>({ name: 'save-polls', text: TELL, values });
  const answers: string[] = [];
  for (const { place, said } of rows) answers[order[place - 1]!] = said;
  return answers;
}

/** Ascending by race and book, everywhere, so that two batches never wait for each other. */
const lockOrder = (stamps: readonly Stamp[]): number[] =>
  [...stamps.keys()].sort((a, b) => (keyOf(stamps[a]!) < keyOf(stamps[b]!) ? -1 : 1));

function columns(stamps: readonly Stamp[], order: readonly number[]): unknown[][] {
  const polls = order.map((i) => stamps[i]!.poll);
  return [
    polls.map((poll) => poll.raceId),
    polls.map((poll) => poll.bookmakerKey),
    polls.map((poll) => poll.fence.epoch),
    polls.map((poll) => poll.fence.attempt),
    polls.map((poll) => poll.observedAt),
    polls.map((poll) => poll.bookAt),
    order.map((i) => stamps[i]!.hash),
  ];
}

async function stampAll(pool: Pool, stamps: readonly Stamp[]): Promise<(Stamped | null)[]> {
  const order = lockOrder(stamps);
  const values = columns(stamps, order);
  const { rows } = await pool.query<Row>({ name: 'stamp-polls', text: STAMP, values });
  const answers: (Stamped | null)[] = stamps.map(() => null);
  for (const { place, ...stamped } of rows) answers[order[place - 1]!] = stamped;
  return answers;
}

const keyOf = ({ poll }: Stamp): string => `${poll.raceId}/${poll.bookmakerKey}`;
