// One book's poll of one race, written in one round trip. Prices and market state go through the database function `write_poll`
// (migrations/functions), which enforces the fence; the card is merged only when the book's card changed.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { type LateReport, saveBookCard, saveLateScratchings } from '../card/book-cards';
import type { BookPoll } from '../card/book-poll';
import { BookReply } from '../card/book-reply';
import { createFieldCheck, type FieldCheck } from './field-check';
import { createPollBatches, type PollBatches, type PollVerdictRow, type PollWrite, type Stamped } from './poll-batches';

export interface PollVerdict {
  /** True: a newer holder has the race and nothing was written. */
  readonly fenced: boolean;
  /** Runners whose win price differs from what was held. */
  readonly changed: number;
  readonly ticks: number;
  readonly startMoved: boolean;
  readonly startVersion: number;
  readonly marketClosedAt: Instant | null;
  /** Numbers newly seen scratched by this poll. */
  readonly newlyScratched: readonly number[];
  /** True: by its own stamp the book has said something newer before, and nothing was written. */
  readonly outOfOrder: boolean;
}

export interface QuoteStore {
  /** One statement for the prices of a poll: compare, write what changed, stamp freshness, append ticks, set the set-once stamps. */
  savePoll(poll: BookPoll): Promise<PollVerdict>;
  /** Who is out, and at what deduction, by a reply whose prices and facts are not written any more. */
  saveLateScratchings(word: LateReport): Promise<void>;
  readonly checkField: FieldCheck;
}

/** How many (race, book) pairs are remembered: several days' cards. */
const MOST_REMEMBERED = 20_000;

export function createQuoteStore(pool: Pool): QuoteStore {
  // Hash of the reply that this process last wrote, by race and book: an equal one need not be sent again. Only a guess, which the
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
  { stamp, write }: PollBatches,
  poll: BookPoll,
): Promise<PollVerdict> {
  const key = `${poll.raceId}/${poll.bookmakerKey}`;
  const reply = poll.snapshot && new BookReply(poll, poll.snapshot);
  const whole = reply !== null && written.get(key) !== reply.hash;
  const hash = reply?.hash ?? null;
  const stamped = whole ? null : await stamp({ poll, hash }).catch(() => null);
  if (stamped) return { ...UNCHANGED, ...stamped };
  let verdict = await write(pollWrite(poll, reply, whole));
  if (verdict.verdict === 'resend') verdict = await write(pollWrite(poll, reply, true));
  if (reply && verdict.verdict === 'written') written.set(key, reply.hash);
  return outcomeOf(pool, poll, reply, verdict);
}

const UNCHANGED = {
  fenced: false,
  changed: 0,
  ticks: 0,
  startMoved: false,
  newlyScratched: [],
  outOfOrder: false,
} satisfies Omit<PollVerdict, keyof Stamped>;

const pollWrite = (poll: BookPoll, reply: BookReply | null, whole: boolean): PollWrite => ({
  poll,
  hash: reply?.hash ?? null,
  literal: whole && reply ? reply.literal() : null,
});

async function outcomeOf(
  pool: Pool,
  poll: BookPoll,
  reply: BookReply | null,
  { verdict, changed, ticks, cardDiffers, startVersion, startMoved, marketClosedAt }: PollVerdictRow,
): Promise<PollVerdict> {
  if (verdict === 'unknown') throw new Error(`${poll.bookmakerKey} does not list race ${poll.raceId}`);
  const merged = cardDiffers && reply ? await saveBookCard(pool, poll, reply) : null;
  return {
    fenced: verdict === 'fenced',
    changed,
    ticks,
    startMoved,
    startVersion,
    marketClosedAt,
    newlyScratched: merged?.newlyScratched ?? [],
    outOfOrder: verdict === 'older',
  };
}
