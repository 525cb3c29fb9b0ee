// What a poll of one race at one book says, written in one round trip. Prices and market state go through the database function
// `save_poll` (migration 0005), which holds the fence; the card is merged only when the book's word on it changed.
import type { Pool } from 'pg';
import { saveBookCard } from './book-cards';
import { bookReply } from './book-reply';
import type { BookPoll, PollOutcome, QuoteStore } from './store';

interface SavedPoll {
  readonly verdict: 'same' | 'written' | 'fenced' | 'late' | 'unknown';
  readonly changed: number;
  readonly ticks: number;
  readonly card_differs: boolean;
  readonly start_version: number;
  readonly start_moved: boolean;
  readonly market_closed_at: string | null;
}

const SAVE_POLL = {
  name: 'save-poll',
  text: 'SELECT * FROM save_poll($1, $2, $3, $4, $5, $6, $7, $8)',
};

export function createQuoteStore(pool: Pool): QuoteStore {
  return { savePoll: (poll) => savePoll(pool, poll) };
}

async function savePoll(pool: Pool, poll: BookPoll): Promise<PollOutcome> {
  const { raceId, bookmakerKey, fence, observedAt, bookAt, snapshot } = poll;
  const reply = snapshot && bookReply(poll, snapshot);
  const values = [raceId, bookmakerKey, fence.epoch, fence.attempt, observedAt, bookAt, reply?.hash, reply?.literal];
  const { rows } = await pool.query<SavedPoll>({ ...SAVE_POLL, values });
  const saved = rows[0]!;
  if (saved.verdict === 'unknown') throw new Error(`${bookmakerKey} does not list race ${raceId}`);
  const merged = saved.card_differs && reply ? await saveBookCard(pool, poll, reply) : null;
  return {
    fenced: saved.verdict === 'fenced',
    changed: saved.changed,
    ticks: saved.ticks,
    startMoved: saved.start_moved,
    startVersion: saved.start_version,
    marketClosedAt: saved.market_closed_at,
    newlyScratched: merged?.newlyScratched ?? [],
  };
}
