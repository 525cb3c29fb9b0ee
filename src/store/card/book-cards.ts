// Stores the changed cards of a race's books, merges them with the other books' and the registry's into runners and
// race facts, and logs a track condition that moved (A 2.9). Under the same fence as the prices. Runs only if a card
// changed.
import type { ClientBase, Pool } from 'pg';
import type { FeedRunner } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import type { RaceFacts } from '../../domain/race/race-facts';
import { sameCondition, statesCondition } from '../../domain/registry/track-condition';
import { inTransaction } from '../pg/transaction';
import type { BookPoll } from './book-poll';
import type { BookCard, BookReply } from './book-reply';
import type { Meeting } from './condition-stamp';
import { type StoredCard, withScratchings } from './merge';
import { writeMerged } from './merged-card';

/** The runners of a book's reply after the jump. */
export interface LateReport {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly runners: readonly Pick<FeedRunner, 'number' | 'name' | 'scratching'>[];
  readonly at: Instant;
}

/** The reply of a poll whose card differs from the stored one. */
export interface CardReport {
  readonly poll: BookPoll;
  readonly reply: BookReply;
}

export interface SavedCards {
  /** Of each report: false if a newer holder or a newer reply came first, and nothing of it was written. */
  readonly isWritten: readonly boolean[];
  /** A condition that moved, by the newest report of which it did: the meeting is to be stamped. */
  readonly moved: { readonly meeting: Meeting; readonly at: Instant } | null;
}

/** Of one race. */
export function saveBookCards(pool: Pool, reports: readonly CardReport[]): Promise<SavedCards> {
  const { raceId } = reports[0]!.poll;
  return inTransaction(pool, async (client) => {
    const passed = await lockBooks(client, raceId, reports);
    const isWritten = reports.map((_, i) => passed.has(i));
    const kept = latestOfBooks(reports.filter((_, i) => isWritten[i]));
    if (kept.length === 0) return { isWritten, moved: null };
    const meeting = await lockRace(client, raceId);
    const before = await cardsOf(client, raceId);
    await keepCards(client, raceId, kept);
    await keepHashes(client, raceId, kept);
    const books = new Set(kept.map(({ bookmakerKey }) => bookmakerKey));
    const cards = [...before.filter(({ bookmakerKey }) => !books.has(bookmakerKey)), ...kept];
    await writeMerged(client, raceId, meeting, cards, latestOf(kept));
    const moves: KeptCard[] = [];
    for (const card of kept) {
      const previous = before.find(({ bookmakerKey }) => bookmakerKey === card.bookmakerKey)?.card.facts ?? null;
      if (await logCondition(client, { raceId, ...card }, meeting, previous, card.card.facts)) moves.push(card);
    }
    return { isWritten, moved: moves.length > 0 ? { meeting, at: latestOf(moves) } : null };
  });
}

const latestOf = (cards: readonly KeptCard[]): Instant =>
  cards.reduce((latest, { observedAt }) => (observedAt > latest ? observedAt : latest), '');

interface KeptCard extends StoredCard {
  readonly hash: string;
  readonly observedAt: Instant;
}

function latestOfBooks(reports: readonly CardReport[]): KeptCard[] {
  const latest = new Map<string, CardReport>();
  for (const report of reports) {
    const other = latest.get(report.poll.bookmakerKey);
    if (!other || other.poll.observedAt <= report.poll.observedAt) latest.set(report.poll.bookmakerKey, report);
  }
  return [...latest].map(([bookmakerKey, { poll, reply }]) => ({
    bookmakerKey,
    card: reply.card(),
    hash: reply.cardHash,
    observedAt: poll.observedAt,
  }));
}

/**
 * Adds the scratchings and deductions of a reply after the jump to the book's card. Names and facts stay as they were
 * before the jump: once the market is closed, books leave out what no longer matters. A book without a stored card
 * changes nothing. Returns whether there may have been something new.
 */
export async function saveLateScratchings(pool: Pool, report: LateReport): Promise<boolean> {
  const { raceId, bookmakerKey, runners, at } = report;
  if (runners.every(({ scratching }) => scratching === null)) return false;
  // Without a lock first, because there is almost never anything new.
  if (!(await newCard(pool, report))) return false;
  await inTransaction(pool, async (client) => {
    await client.query(LOCK_BOOK, [raceId, bookmakerKey]);
    const meeting = await lockRace(client, raceId);
    const card = await newCard(client, report);
    if (!card) return;
    const cards = await cardsOf(client, raceId);
    await keepCards(client, raceId, [{ bookmakerKey, card, observedAt: at }]);
    await client.query(FORGET_HASHES, [raceId, bookmakerKey]);
    await writeMerged(client, raceId, meeting, [...cards.filter(others(bookmakerKey)), { bookmakerKey, card }], at);
  });
  return true;
}

async function newCard(client: Pick<ClientBase, 'query'>, { raceId, bookmakerKey, runners }: LateReport) {
  const { rows } = await client.query<{ card: BookCard }>(
    'SELECT card FROM race_book_cards WHERE race_id = $1 AND bookmaker_key = $2',
    [raceId, bookmakerKey],
  );
  return rows[0] ? withScratchings(rows[0].card, runners) : null;
}

/** Merges the registry's changed card with the books' stored cards. */
export async function mergeRegistry(pool: Pool, raceId: string, at: Instant): Promise<void> {
  await inTransaction(pool, async (client) => {
    const meeting = await lockRace(client, raceId);
    await client.query('UPDATE registry_races SET merge_due = false WHERE race_id = $1', [raceId]);
    const { numbers } = await writeMerged(client, raceId, meeting, await cardsOf(client, raceId), at);
    await client.query(DROP_WITHDRAWN, [raceId, numbers]);
  });
}

/** Deletes a runner that only the sheet had scratched, that has left the sheet and that no book lists (A 2.2). */
const DROP_WITHDRAWN = `
  DELETE FROM race_runners u
   USING registry_races r JOIN registry_changes c USING (meeting_key, race_number)
   WHERE u.race_id = $1 AND r.race_id = $1 AND u.scratched AND u.number <> ALL ($2::smallint[])
     AND c.kind = 'scratching' AND c.is_now IS NULL AND c.number = u.number
     AND u.scratched_at = (c.was->>'sheetAt')::timestamptz`;

const others = (key: string) => (card: StoredCard) => card.bookmakerKey !== key;

/**
 * The places of those that may be written: of the holder, and no newer reply is stored. Locks in the order of
 * `poll-batches.ts`, so that the two never deadlock.
 */
async function lockBooks(client: ClientBase, raceId: string, reports: readonly CardReport[]): Promise<Set<number>> {
  const polls = reports.map(({ poll }) => poll);
  const { rows } = await client.query<{ place: number }>({
    name: 'card-lock-books',
    text: `SELECT n.place::int - 1 AS place
             FROM race_books b
             JOIN unnest($2::text[], $3::int[], $4::int[], $5::timestamptz[]) WITH ORDINALITY AS n (book, epoch, attempt, at, place)
               ON b.bookmaker_key = n.book
            WHERE b.race_id = $1 AND (b.epoch, b.attempt) <= (n.epoch, n.attempt) AND b.polled_at <= n.at
            ORDER BY b.bookmaker_key COLLATE "C" FOR NO KEY UPDATE OF b`,
    values: [
      raceId,
      polls.map(({ bookmakerKey }) => bookmakerKey),
      polls.map(({ fence }) => fence.epoch),
      polls.map(({ fence }) => fence.attempt),
      polls.map(({ observedAt }) => observedAt),
    ],
  });
  return new Set(rows.map(({ place }) => place));
}

/** Before its race, in the order of a poller's own writes. */
const LOCK_BOOK = 'SELECT 1 FROM race_books WHERE race_id = $1 AND bookmaker_key = $2 FOR NO KEY UPDATE';

/** Serialises the merges of one race. */
async function lockRace(client: ClientBase, raceId: string): Promise<Meeting> {
  const { rows } = await client.query<Meeting>({
    name: 'card-lock-race',
    text: 'SELECT category, meeting_date, venue_id FROM races WHERE race_id = $1 FOR NO KEY UPDATE',
    values: [raceId],
  });
  return rows[0]!;
}

async function cardsOf(client: ClientBase, raceId: string): Promise<readonly StoredCard[]> {
  const { rows } = await client.query<StoredCard>({
    name: 'cards-of',
    text: 'SELECT bookmaker_key AS "bookmakerKey", card FROM race_book_cards WHERE race_id = $1',
    values: [raceId],
  });
  return rows;
}

async function keepCards(
  client: ClientBase,
  raceId: string,
  cards: readonly (StoredCard & { readonly observedAt: Instant })[],
): Promise<void> {
  await client.query({
    name: 'cards-keep',
    text: `INSERT INTO race_book_cards (race_id, bookmaker_key, card, updated_at)
           SELECT $1, n.book, n.card, n.at FROM unnest($2::text[], $3::jsonb[], $4::timestamptz[]) AS n (book, card, at)
           ON CONFLICT (race_id, bookmaker_key) DO UPDATE SET card = EXCLUDED.card, updated_at = EXCLUDED.updated_at`,
    values: [
      raceId,
      cards.map(({ bookmakerKey }) => bookmakerKey),
      cards.map(({ card }) => JSON.stringify(card)),
      cards.map(({ observedAt }) => observedAt),
    ],
  });
}

async function keepHashes(client: ClientBase, raceId: string, cards: readonly KeptCard[]): Promise<void> {
  await client.query({
    name: 'card-hashes',
    text: `UPDATE race_books b SET card_hash = n.hash FROM unnest($2::text[], $3::text[]) AS n (book, hash)
            WHERE b.race_id = $1 AND b.bookmaker_key = n.book`,
    values: [raceId, cards.map(({ bookmakerKey }) => bookmakerKey), cards.map(({ hash }) => hash)],
  });
}

/** The book's next reply, if the race is reinstated, is then compared and merged. */
const FORGET_HASHES =
  'UPDATE race_books SET card_hash = NULL, reply_hash = NULL WHERE race_id = $1 AND bookmaker_key = $2';

/** A change is a move between two polls of one book; one rating in two spellings is not a change (A 2.9). */
async function logCondition(
  client: ClientBase,
  poll: Pick<BookPoll, 'raceId' | 'bookmakerKey' | 'observedAt'>,
  meeting: Meeting,
  before: RaceFacts | null,
  now: RaceFacts,
): Promise<boolean> {
  const previous = before?.trackCondition ?? null;
  if (!statesCondition(previous) || !statesCondition(now.trackCondition)) return false;
  if (sameCondition(previous, now.trackCondition)) return false;
  const { rowCount } = await client.query(
    `INSERT INTO track_condition_changes
            (race_id, observed_at, source, category, track_condition, weather, prev_track_condition)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [poll.raceId, poll.observedAt, poll.bookmakerKey, meeting.category, now.trackCondition, now.weather, previous],
  );
  return rowCount === 1;
}
