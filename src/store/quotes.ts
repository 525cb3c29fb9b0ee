// What a poll of one race at one book says, written in one round trip. Prices and market state go through the database function
// `save_poll` (migration 0005), which holds the fence; the card is merged only when the book's word on it changed.
import type { Pool } from 'pg';
import { saveBookCard } from './book-cards';
import { BookReply } from './book-reply';
import { createFieldCheck } from './field-check';
import { createStamps, type Stamp, type Stamped } from './poll-stamps';
import { instantOf } from './pool';
import type { BookPoll, PollOutcome, QuoteStore } from './store';

/**
 * A book's stamp that falls back says that the reply is an older one, delivered late. Further back than this its clock was set, and
 * refusing would silence the book until it has caught up.
 */
const SAVE_POLL = {
  name: 'save-poll',
  text: `SELECT CASE WHEN EXISTS (SELECT FROM race_books WHERE race_id = $1 AND bookmaker_key = $2
                                   AND book_at > $6::timestamptz AND book_at < $6::timestamptz + interval '5 minutes')
                     THEN 'older|0|0|f|0|f|' ELSE save_poll($1, $2, $3, $4, $5, $6, $7, $8) END AS said`,
};

/** How many (race, book) pairs are remembered: several days' cards. */
const MOST_REMEMBERED = 20_000;

export function createQuoteStore(pool: Pool): QuoteStore {
  // The reply that this process last wrote, by race and book: an equal one need not be sent again. Only a guess, which the
  // database checks; another process may have written since.
  const written = new Map<string, string>();
  const stamp = createStamps(pool);
  return {
    checkField: createFieldCheck(pool),
    savePoll: (poll) => {
      if (written.size > MOST_REMEMBERED) written.clear();
      return savePoll(pool, written, stamp, poll);
    },
  };
}

async function savePoll(
  pool: Pool,
  written: Map<string, string>,
  stamp: (stamp: Stamp) => Promise<Stamped | null>,
  poll: BookPoll,
): Promise<PollOutcome> {
  const key = `${poll.raceId}/${poll.bookmakerKey}`;
  const reply = poll.snapshot && new BookReply(poll, poll.snapshot);
  const whole = reply !== null && written.get(key) !== reply.hash;
  // One that cannot be stamped with others is told alone, and fails alone.
  const stamped = whole ? null : await stamp({ poll, hash: reply?.hash ?? null }).catch(() => null);
  if (stamped) return { ...UNCHANGED, ...stamped };
  let said = await tell(pool, poll, reply, whole);
  if (said.startsWith('resend')) said = await tell(pool, poll, reply, true);
  if (reply && said.startsWith('written')) written.set(key, reply.hash);
  return outcomeOf(pool, poll, reply, said);
}

const UNCHANGED = {
  fenced: false,
  changed: 0,
  ticks: 0,
  startMoved: false,
  newlyScratched: [],
  outOfOrder: false,
} satisfies Omit<PollOutcome, keyof Stamped>;

async function tell(pool: Pool, poll: BookPoll, reply: BookReply | null, whole: boolean): Promise<string> {
  const { raceId, bookmakerKey, fence, observedAt, bookAt } = poll;
  const what = [reply?.hash, whole ? reply?.literal() : null];
  const values = [raceId, bookmakerKey, fence.epoch, fence.attempt, observedAt, bookAt, ...what];
  const { rows } = await pool.query<{ said: string }>({ ...SAVE_POLL, values });
  return rows[0]!.said;
}

async function outcomeOf(pool: Pool, poll: BookPoll, reply: BookReply | null, said: string): Promise<PollOutcome> {
  const { raceId, bookmakerKey } = poll;
  const [verdict, changed, ticks, cardDiffers, version, moved, closedAt] = said.split('|');
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
