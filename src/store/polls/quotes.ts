// What a poll of one race at one book says, written in one round trip. Prices and market state go through the database function
// `save_poll` (migration 0005), which holds the fence; the card is merged only when the book's word on it changed.
import type { Pool } from 'pg';
import { saveBookCard, saveLateScratchings } from '../card/book-cards';
import { BookReply } from '../card/book-reply';
import { instantOf } from '../pg/pool';
import type { BookPoll, PollOutcome, QuoteStore } from '../store';
import { createFieldCheck } from './field-check';
import { createPollBatches, type PollBatches, type Stamped, type Telling } from './poll-batches';

/** How many (race, book) pairs are remembered: several days' cards. */
const MOST_REMEMBERED = 20_000;

export function createQuoteStore(pool: Pool): QuoteStore {
  // The reply that this process last wrote, by race and book: an equal one need not be sent again. Only a guess, which the
  // database checks; another process may have written since.
  const written = new Map<string, string>();
  const batches = createPollBatches(pool);
  return {
    checkField: createFieldCheck(pool),
    saveLateScratchings: (word) => saveLateScratchings(pool, word),
    savePoll: (poll) => {
      if (written.size > MOST_REMEMBERED) written.clear();
      return savePoll(pool, written, batches, poll);
    },
  };
}

async function savePoll(
  pool: Pool,
  written: Map<string, string>,
  { stamp, tell }: PollBatches,
  poll: BookPoll,
): Promise<PollOutcome> {
  const key = `${poll.raceId}/${poll.bookmakerKey}`;
  const reply = poll.snapshot && new BookReply(poll, poll.snapshot);
  const whole = reply !== null && written.get(key) !== reply.hash;
  const hash = reply?.hash ?? null;
  const stamped = whole ? null : await stamp({ poll, hash }).catch(() => null);
  if (stamped) return { ...UNCHANGED, ...stamped };
  let said = await tell(telling(poll, reply, whole));
  if (said.startsWith('resend')) said = await tell(telling(poll, reply, true));
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

const telling = (poll: BookPoll, reply: BookReply | null, whole: boolean): Telling => ({
  poll,
  hash: reply?.hash ?? null,
  literal: whole && reply ? reply.literal() : null,
});

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
