// The poll writer of the release before (commit 3e9117a), its statements and its parser unchanged: during a deploy such processes
// still write, against the new schema. Remove it with `save_poll`.
import type { Pool } from 'pg';
import { saveBookCard } from '../../src/store/card/book-cards';
import type { BookPoll } from '../../src/store/card/book-poll';
import { BookReply } from '../../src/store/card/book-reply';
import { instantOf } from '../../src/store/pg/pool';
import type { PollVerdict } from '../../src/store/polls/quotes';

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

const SAVE = `
  SELECT a.place::integer AS place,
         CASE WHEN EXISTS (SELECT FROM race_books b WHERE b.race_id = a.race_id AND b.bookmaker_key = a.book
                              AND b.book_at > a.book_at AND b.book_at < a.book_at + interval '5 minutes')
              THEN 'older|0|0|f|0|f|'
              ELSE save_poll(a.race_id, a.book, a.epoch, a.attempt, a.at, a.book_at, a.hash, a.reply) END AS said
    FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[])
           WITH ORDINALITY AS a (race_id, book, epoch, attempt, at, book_at, hash, reply, place)`;

const valuesOf = (poll: BookPoll, hash: string | null): unknown[] =>
  [poll.raceId, poll.bookmakerKey, poll.fence.epoch, poll.fence.attempt, poll.observedAt, poll.bookAt, hash].map(
    (value) => [value],
  );

/** One poll at a time: batches only decide how many polls share a statement. */
export function createQuoteStoreBefore(pool: Pool): { savePoll(poll: BookPoll): Promise<PollVerdict> } {
  const written = new Map<string, string>();
  const save = async (poll: BookPoll, hash: string | null, literal: string | null): Promise<string> => {
    const values = [...valuesOf(poll, hash), [literal]];
    return (await pool.query<{ said: string }>({ name: 'save-polls', text: SAVE, values })).rows[0]!.said;
  };
  return {
    async savePoll(poll) {
      const key = `${poll.raceId}/${poll.bookmakerKey}`;
      const reply = poll.snapshot && new BookReply(poll, poll.snapshot);
      const whole = reply !== null && written.get(key) !== reply.hash;
      const hash = reply?.hash ?? null;
      if (!whole) {
        const { rows } = await pool.query({ name: 'stamp-polls', text: STAMP, values: valuesOf(poll, hash) });
        if (rows[0]) {
          const { startVersion, marketClosedAt } = rows[0];
          return { ...UNCHANGED, startVersion, marketClosedAt };
        }
      }
      let line = await save(poll, hash, whole && reply ? reply.literal() : null);
      if (line.startsWith('resend')) line = await save(poll, hash, reply!.literal());
      if (reply && line.startsWith('written')) written.set(key, reply.hash);
      return outcomeOf(pool, poll, reply, line);
    },
  };
}

const UNCHANGED = {
  fenced: false,
  changed: 0,
  ticks: 0,
  startMoved: false,
  newlyScratched: [],
  outOfOrder: false,
};

async function outcomeOf(pool: Pool, poll: BookPoll, reply: BookReply | null, line: string): Promise<PollVerdict> {
  const { raceId, bookmakerKey } = poll;
  const [verdict, changed, ticks, cardDiffers, version, moved, closedAt] = line.split('|');
  if (verdict === 'unknown') throw new Error(`${bookmakerKey} does not list race ${raceId}`);
  const merged = cardDiffers === 't' && reply ? await saveBookCard(pool, poll, reply) : null;
  return {
    fenced: verdict === 'fenced',
    changed: Number(changed),
    ticks: Number(ticks),
    startMoved: moved === 't',
    startVersion: Number(version),
    marketClosedAt: closedAt ? instantOf(closedAt) : null,
    newlyScratched: merged?.newlyScratched ?? [],
    outOfOrder: verdict === 'older',
  };
}
