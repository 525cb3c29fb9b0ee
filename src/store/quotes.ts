// What a poll of one race at one book says, written in one round trip. Prices and market state go through the database function
// `save_poll` (migration 0005), which holds the fence; the card is merged only when the book's word on it changed.
import type { Pool } from 'pg';
import { saveBookCard } from './book-cards';
import { bookReply } from './book-reply';
import { instantOf } from './pool';
import type { BookPoll, PollOutcome, QuoteStore } from './store';

const SAVE_POLL = { name: 'save-poll', text: 'SELECT save_poll($1, $2, $3, $4, $5, $6, $7, $8) AS said' };

export function createQuoteStore(pool: Pool): QuoteStore {
  return { savePoll: (poll) => savePoll(pool, poll) };
}

async function savePoll(pool: Pool, poll: BookPoll): Promise<PollOutcome> {
  const { raceId, bookmakerKey, fence, observedAt, bookAt, snapshot } = poll;
  const reply = snapshot && bookReply(poll, snapshot);
  const values = [raceId, bookmakerKey, fence.epoch, fence.attempt, observedAt, bookAt, reply?.hash, reply?.literal];
  const { rows } = await pool.query<{ said: string }>({ ...SAVE_POLL, values });
  const [verdict, changed, ticks, cardDiffers, version, moved, closedAt] = rows[0]!.said.split('|');
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
  };
}
