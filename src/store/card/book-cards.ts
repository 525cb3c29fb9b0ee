// Stores a book's changed card, merges it with the other books' and the registry's into runners and race facts, and
// logs a track condition that moved (A 2.9). Under the same fence as the prices. Runs only if the card changed.
import type { ClientBase, Pool } from 'pg';
import type { FeedRunner } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { FACTS, type RaceFacts } from '../../domain/race/race-facts';
import { sameCondition, statesCondition } from '../../domain/registry/track-condition';
import { inTransaction } from '../pg/transaction';
import type { BookPoll } from './book-poll';
import type { BookCard, BookReply } from './book-reply';
import { type Meeting, stampMeeting } from './condition-stamp';
import { type MergedRunner, mergeFacts, mergeRunners, type StoredCard, withScratchings } from './merge';
import { readOfficialCard } from './official-card';

/** The runners of a book's reply after the jump. */
export interface LateReport {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly runners: readonly Pick<FeedRunner, 'number' | 'name' | 'scratching'>[];
  readonly at: Instant;
}

export interface MergedCard {
  readonly newlyScratched: readonly number[];
}

/** Null if a newer holder or a newer reply came first: nothing was written. */
export async function saveBookCard(pool: Pool, poll: BookPoll, reply: BookReply): Promise<MergedCard | null> {
  const saved = await inTransaction(pool, async (client) => {
    if (!(await lockBook(client, poll))) return null;
    const meeting = await lockRace(client, poll.raceId);
    const before = await cardsOf(client, poll.raceId);
    const card = reply.card();
    await keepCard(client, { ...poll, at: poll.observedAt }, card);
    await client.query({ ...KEEP_HASH, values: [poll.raceId, poll.bookmakerKey, reply.cardHash] });
    const cards = [...before.filter(others(poll.bookmakerKey)), { bookmakerKey: poll.bookmakerKey, card }];
    const scratchings = await writeMerged(client, poll.raceId, meeting, cards, poll.observedAt);
    const previous = before.find(({ bookmakerKey }) => bookmakerKey === poll.bookmakerKey);
    const moved = await logCondition(client, poll, meeting, previous?.card.facts ?? null, card.facts);
    return { meeting: moved ? meeting : null, newlyScratched: scratchings.added };
  });
  if (saved?.meeting) await stampMeeting(pool, saved.meeting, poll.observedAt);
  return saved;
}

/**
 * Adds the scratchings and deductions of a reply after the jump to the book's card. Names and facts stay as they were
 * before the jump: once the market is closed, books leave out what no longer matters. A book without a stored card
 * changes nothing.
 */
export async function saveLateScratchings(pool: Pool, report: LateReport): Promise<void> {
  const { raceId, bookmakerKey, runners, at } = report;
  if (runners.every(({ scratching }) => scratching === null)) return;
  // Without a lock first, because there is almost never anything new.
  if (!(await newCard(pool, report))) return;
  await inTransaction(pool, async (client) => {
    await client.query(LOCK_BOOK, [raceId, bookmakerKey]);
    const meeting = await lockRace(client, raceId);
    const card = await newCard(client, report);
    if (!card) return;
    const cards = await cardsOf(client, raceId);
    await keepCard(client, report, card);
    await client.query(FORGET_HASHES, [raceId, bookmakerKey]);
    await writeMerged(client, raceId, meeting, [...cards.filter(others(bookmakerKey)), { bookmakerKey, card }], at);
  });
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

async function writeMerged(
  client: ClientBase,
  raceId: string,
  { category }: Meeting,
  cards: readonly StoredCard[],
  at: Instant,
) {
  const registry = category === 'horse' ? await readOfficialCard(client, raceId) : null;
  const runners = mergeRunners(cards, registry);
  const scratchings = await writeRunners(client, raceId, runners, at);
  await writeFacts(client, raceId, mergeFacts(cards, registry), scratchings.changed, at);
  return { ...scratchings, numbers: runners.map(({ number }) => number) };
}

const others = (key: string) => (card: StoredCard) => card.bookmakerKey !== key;

async function lockBook(client: ClientBase, { raceId, bookmakerKey, fence, observedAt }: BookPoll): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'card-lock-book',
    text: `SELECT 1 FROM race_books
            WHERE race_id = $1 AND bookmaker_key = $2 AND (epoch, attempt) <= ($3::int, $4::int) AND polled_at <= $5
              FOR NO KEY UPDATE`,
    values: [raceId, bookmakerKey, fence.epoch, fence.attempt, observedAt],
  });
  return rowCount === 1;
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

async function keepCard(client: ClientBase, report: Omit<LateReport, 'runners'>, card: BookCard): Promise<void> {
  await client.query({
    name: 'card-keep',
    text: `INSERT INTO race_book_cards (race_id, bookmaker_key, card, updated_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (race_id, bookmaker_key) DO UPDATE SET card = EXCLUDED.card, updated_at = EXCLUDED.updated_at`,
    values: [report.raceId, report.bookmakerKey, JSON.stringify(card), report.at],
  });
}

const KEEP_HASH = {
  name: 'card-hash',
  text: 'UPDATE race_books SET card_hash = $3 WHERE race_id = $1 AND bookmaker_key = $2',
};
/** The book's next reply, if the race is reinstated, is then compared and merged. */
const FORGET_HASHES =
  'UPDATE race_books SET card_hash = NULL, reply_hash = NULL WHERE race_id = $1 AND bookmaker_key = $2';

const WRITE_RUNNERS = `
  INSERT INTO race_runners AS stored (race_id, number, name, runner_key, barrier, jockey, trainer, weight_kg, form, runner_ref,
         emergency, scratched, scratched_at, late, win_deduction, place_deduction, updated_at)
  SELECT $1, n.*, $3
    FROM jsonb_to_recordset($2) AS n (number smallint, name text, "runnerKey" text, barrier smallint, jockey text, trainer text,
         "weightKg" float8, form text, "runnerRef" text, emergency boolean, scratched boolean, "scratchedAt" timestamptz,
         late boolean, "winDeduction" float8, "placeDeduction" float8)
      ON CONFLICT (race_id, number) DO UPDATE
     SET name = EXCLUDED.name, runner_key = EXCLUDED.runner_key, barrier = EXCLUDED.barrier, jockey = EXCLUDED.jockey,
         trainer = EXCLUDED.trainer, weight_kg = EXCLUDED.weight_kg, form = EXCLUDED.form, runner_ref = EXCLUDED.runner_ref,
         emergency = EXCLUDED.emergency, scratched = EXCLUDED.scratched, scratched_at = EXCLUDED.scratched_at,
         late = EXCLUDED.late, win_deduction = EXCLUDED.win_deduction, place_deduction = EXCLUDED.place_deduction,
         updated_at = EXCLUDED.updated_at
   WHERE (stored.name, stored.runner_key, stored.barrier, stored.jockey, stored.trainer, stored.weight_kg, stored.form, stored.runner_ref,
          stored.emergency, stored.scratched, stored.scratched_at, stored.late, stored.win_deduction, stored.place_deduction)
         IS DISTINCT FROM
         (EXCLUDED.name, EXCLUDED.runner_key, EXCLUDED.barrier, EXCLUDED.jockey, EXCLUDED.trainer, EXCLUDED.weight_kg,
          EXCLUDED.form, EXCLUDED.runner_ref, EXCLUDED.emergency, EXCLUDED.scratched, EXCLUDED.scratched_at, EXCLUDED.late,
          EXCLUDED.win_deduction, EXCLUDED.place_deduction)`;

/**
 * Deletes numbers that no book lists any more, except scratched ones: some books drop a scratched runner from their
 * reply.
 */
const DROP_RUNNERS = {
  name: 'card-drop-runners',
  text: 'DELETE FROM race_runners WHERE race_id = $1 AND NOT scratched AND number <> ALL ($2::smallint[])',
};

async function writeRunners(client: ClientBase, raceId: string, runners: readonly MergedRunner[], at: Instant) {
  if (runners.length === 0) return { added: [], changed: false };
  const { rows } = await client.query<{ number: number }>({
    name: 'card-scratched',
    text: 'SELECT number FROM race_runners WHERE race_id = $1 AND scratched',
    values: [raceId],
  });
  const before = new Set(rows.map((row) => row.number));
  await client.query({ ...DROP_RUNNERS, values: [raceId, runners.map((runner) => runner.number)] });
  await client.query({ name: 'card-runners', text: WRITE_RUNNERS, values: [raceId, JSON.stringify(runners), at] });
  const added = runners.filter((runner) => runner.scratched && !before.has(runner.number)).map((r) => r.number);
  const back = runners.some((runner) => !runner.scratched && before.has(runner.number));
  return { added, changed: added.length > 0 || back };
}

export const SQL_TYPES = { text: 'text', whole: 'integer', count: 'integer', flag: 'boolean' };
const listed = (of: (key: string, name: string, type: keyof typeof SQL_TYPES) => string): string =>
  FACTS.map(([key, { name, type }]) => of(key, name, type)).join(', ');

const WRITE_FACTS = `
  UPDATE races r
     SET ${listed((_, name) => `${name} = n.${name}`)}, updated_at = GREATEST(r.updated_at, $3)
    FROM (SELECT ${listed((key, name) => `COALESCE(s."${key}", o.${name}) AS ${name}`)}
            FROM races o, jsonb_to_record($2) AS s (${listed((key, _, type) => `"${key}" ${SQL_TYPES[type]}`)})
           WHERE o.race_id = $1) n
   WHERE r.race_id = $1
     AND ($4 OR (${listed((_, name) => `r.${name}`)}) IS DISTINCT FROM (${listed((_, name) => `n.${name}`)}))`;

/** A stored fact stays when a book stops reporting it. A scratching counts as a change of the race too (A 2.8). */
async function writeFacts(client: ClientBase, raceId: string, facts: RaceFacts, scratchings: boolean, at: Instant) {
  await client.query({
    name: 'card-facts',
    text: WRITE_FACTS,
    values: [raceId, JSON.stringify(facts), at, scratchings],
  });
}

/** A change is a move between two polls of one book; one rating in two spellings is not a change (A 2.9). */
async function logCondition(
  client: ClientBase,
  poll: BookPoll,
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
