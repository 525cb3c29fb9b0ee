// Writes one book's poll of one race in one round trip. Prices and market state go through the database function
// `write_poll` (migrations/functions), which enforces the fence; the card is merged only if the book's card changed.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { type LateReport, saveLateScratchings } from '../card/book-cards';
import type { BookPoll } from '../card/book-poll';
import { BookReply } from '../card/book-reply';
import { createCardMerges, type MergeCard } from '../card/card-merges';
import { createFieldCheck, type FieldCheck } from './field-check';
import { createPollBatches, type PollBatches, type PollVerdictRow, type PollWrite, type Stamped } from './poll-batches';

export interface PollVerdict {
  /** True: a newer holder has the race, and nothing was written. */
  readonly fenced: boolean;
  /** Runners whose win price changed. */
  readonly changed: number;
  readonly ticks: number;
  readonly startMoved: boolean;
  readonly startVersion: number;
  readonly marketClosedAt: Instant | null;
  /** True: a newer report is stored, by the book's own clock or by ours, and nothing was written. */
  readonly outOfOrder: boolean;
}

export interface QuoteStore {
  /** Compares, writes changes, stamps freshness, appends ticks and sets the set-once stamps, all in one statement. */
  savePoll(poll: BookPoll): Promise<PollVerdict>;
  /** Writes scratchings and deductions of a reply after the jump, whose prices and facts are no longer written. */
  saveLateScratchings(report: LateReport): Promise<boolean>;
  readonly checkField: FieldCheck;
}

/** (race, book) pairs; enough for several days' cards. */
const MOST_CACHED = 20_000;

export function createQuoteStore(pool: Pool): QuoteStore {
  // Hash of the reply that this process last wrote, by race and book: an equal reply need not be sent again. The
  // database checks it, because another process may have written since.
  const written = new Map<string, string>();
  const batches = createPollBatches(pool);
  const merge = createCardMerges(pool);
  return {
    checkField: createFieldCheck(pool),
    saveLateScratchings: (report) => saveLateScratchings(pool, report),
    savePoll: (poll) => {
      if (written.size > MOST_CACHED) written.clear();
      return savePoll(merge, written, batches, poll);
    },
  };
}

async function savePoll(
  merge: MergeCard,
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
  // A poll waits for others once.
  const waited = { ...poll, mayWait: false };
  let row = await write(pollWrite(whole ? poll : waited, reply, whole));
  if (row.verdict === 'resend') row = await write(pollWrite(waited, reply, true));
  if (reply && row.verdict === 'written') written.set(key, reply.hash);
  const verdict = verdictOf(poll, row);
  if (row.cardDiffers && reply)
    await merge({ poll, reply }).catch((error: unknown) => {
      // An equal reply would only be stamped, and its card never merged: the next one is sent whole.
      written.delete(key);
      throw error;
    });
  return verdict;
}

const UNCHANGED = {
  fenced: false,
  changed: 0,
  ticks: 0,
  startMoved: false,
  outOfOrder: false,
} satisfies Omit<PollVerdict, keyof Stamped>;

const pollWrite = (poll: BookPoll, reply: BookReply | null, whole: boolean): PollWrite => ({
  poll,
  hash: reply?.hash ?? null,
  literal: whole && reply ? reply.literal() : null,
});

function verdictOf(
  poll: BookPoll,
  { verdict, changed, ticks, startVersion, startMoved, marketClosedAt }: PollVerdictRow,
): PollVerdict {
  if (verdict === 'unknown') throw new Error(`${poll.bookmakerKey} does not list race ${poll.raceId}`);
  return {
    fenced: verdict === 'fenced',
    changed,
    ticks,
    startMoved,
    startVersion,
    marketClosedAt,
    outOfOrder: verdict === 'older' || verdict === 'late',
  };
}
