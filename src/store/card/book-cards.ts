// A book's new word on the card: kept, merged with the other books' and the registry's into runners and race facts, and a track
// condition that moved is logged (A 2.9). Holds the same fence as the prices. Runs only when the word changed.
import type { ClientBase, Pool } from 'pg';
import type { FeedRunner, RaceFacts } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { sameCondition, statesCondition } from '../../domain/registry/track-condition';
import { inTransaction } from '../pg/transaction';
import type { BookPoll } from './book-poll';
import type { BookCard, BookReply } from './book-reply';
import { type Meeting, stampMeeting } from './condition-stamp';
import { type MergedRunner, mergeFacts, mergeRunners, type StoredCard, withScratchings } from './merge';
import { readOfficialCard } from './official-card';

/** A book's runners as its reply after the jump lists them. */
export interface LateReport {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly runners: readonly Pick<FeedRunner, 'number' | 'name' | 'scratching'>[];
  readonly at: Instant;
}

export interface MergedCard {
  readonly newlyScratched: readonly number[];
}

/** Null when a newer holder or a newer reply came first: nothing was written. */
export async function saveBookCard(pool: Pool, poll: BookPoll, reply: BookReply): Promise<MergedCard | null> {
  const saved = await inTransaction(pool, async (client) => {
    if (!(await lockBook(client, poll))) return null;
    const meeting = await lockRace(client, poll.raceId);
    const before = await cardsOf(client, poll.raceId);
    const card = reply.card();
    await keepCard(client, { ...poll, at: poll.observedAt }, card);
    await client.query(KEEP_HASH, [poll.raceId, poll.bookmakerKey, reply.cardHash]);
    const cards = [...before.filter(others(poll.bookmakerKey)), { bookmakerKey: poll.bookmakerKey, card }];
    const scratchings = await writeMerged(client, poll.raceId, meeting, cards, poll.observedAt);
    const previous = before.find((held) => !others(poll.bookmakerKey)(held));
    const moved = await logCondition(client, poll, meeting, previous?.card.facts ?? null, card.facts);
    return { meeting: moved ? meeting : null, newlyScratched: scratchings.added };
  });
  if (saved?.meeting) await stampMeeting(pool, saved.meeting, poll.observedAt);
  return saved;
}

/**
 * What a book's reply after the jump says of its card: who is out since, and the deductions. Names and facts stay as they were before it: once
 * the market is shut books leave out what no longer matters. A book without a card has nothing to add to.
 */
export async function saveLateScratchings(pool: Pool, word: LateReport): Promise<void> {
  const { raceId, bookmakerKey, runners, at } = word;
  if (runners.every(({ scratching }) => scratching === null)) return;
  // Nearly always nothing is new: then nothing is locked.
  if (!(await newCard(pool, word))) return;
  await inTransaction(pool, async (client) => {
    await client.query(LOCK_BOOK, [raceId, bookmakerKey]);
    const meeting = await lockRace(client, raceId);
    const card = await newCard(client, word);
    if (!card) return;
    const cards = await cardsOf(client, raceId);
    await keepCard(client, word, card);
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

/** What the registry holds of the race changed: merged anew with what the books say. */
export async function mergeRegistry(pool: Pool, raceId: string, at: Instant): Promise<void> {
  await inTransaction(pool, async (client) => {
    const meeting = await lockRace(client, raceId);
    await client.query('UPDATE registry_races SET merge_due = false WHERE race_id = $1', [raceId]);
    const { numbers } = await writeMerged(client, raceId, meeting, await cardsOf(client, raceId), at);
    await client.query(DROP_TAKEN_BACK, [raceId, numbers]);
  });
}

/** A runner out by the sheet alone, which the sheet has taken back and no book lists: it is heard (A 2.2). */
const DROP_TAKEN_BACK = `
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

const others = (key: string) => (held: StoredCard) => held.bookmakerKey !== key;

async function lockBook(client: ClientBase, { raceId, bookmakerKey, fence, observedAt }: BookPoll): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM race_books
      WHERE race_id = $1 AND bookmaker_key = $2 AND (epoch, attempt) <= ($3::int, $4::int) AND polled_at <= $5
        FOR NO KEY UPDATE`,
    [raceId, bookmakerKey, fence.epoch, fence.attempt, observedAt],
  );
  return rowCount === 1;
}

/** Before its race, as a poller's own writes do. */
const LOCK_BOOK = 'SELECT 1 FROM race_books WHERE race_id = $1 AND bookmaker_key = $2 FOR NO KEY UPDATE';

/** Books of one race merge one after the other. */
async function lockRace(client: ClientBase, raceId: string): Promise<Meeting> {
  const { rows } = await client.query<Meeting>(
    'SELECT category, meeting_date, venue_id FROM races WHERE race_id = $1 FOR NO KEY UPDATE',
    [raceId],
  );
  return rows[0]!;
}

async function cardsOf(client: ClientBase, raceId: string): Promise<readonly StoredCard[]> {
  const { rows } = await client.query<StoredCard>(
    'SELECT bookmaker_key AS "bookmakerKey", card FROM race_book_cards WHERE race_id = $1',
    [raceId],
  );
  return rows;
}

async function keepCard(client: ClientBase, word: Omit<LateReport, 'runners'>, card: BookCard): Promise<void> {
  await client.query(
    `INSERT INTO race_book_cards (race_id, bookmaker_key, card, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (race_id, bookmaker_key) DO UPDATE SET card = EXCLUDED.card, updated_at = EXCLUDED.updated_at`,
    [word.raceId, word.bookmakerKey, JSON.stringify(card), word.at],
  );
}

/** Of what the book said last. */
const KEEP_HASH = 'UPDATE race_books SET card_hash = $3 WHERE race_id = $1 AND bookmaker_key = $2';
/** Whatever it says next, of a race that is reinstated, is looked at and merged. */
const FORGET_HASHES =
  'UPDATE race_books SET card_hash = NULL, reply_hash = NULL WHERE race_id = $1 AND bookmaker_key = $2';

const WRITE_RUNNERS = `
  INSERT INTO race_runners AS held (race_id, number, name, runner_key, barrier, jockey, trainer, weight_kg, form, runner_ref,
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
   WHERE (held.name, held.runner_key, held.barrier, held.jockey, held.trainer, held.weight_kg, held.form, held.runner_ref,
          held.emergency, held.scratched, held.scratched_at, held.late, held.win_deduction, held.place_deduction)
         IS DISTINCT FROM
         (EXCLUDED.name, EXCLUDED.runner_key, EXCLUDED.barrier, EXCLUDED.jockey, EXCLUDED.trainer, EXCLUDED.weight_kg,
          EXCLUDED.form, EXCLUDED.runner_ref, EXCLUDED.emergency, EXCLUDED.scratched, EXCLUDED.scratched_at, EXCLUDED.late,
          EXCLUDED.win_deduction, EXCLUDED.place_deduction)`;

/** A number that no book lists any more is gone, unless it was scratched: some books drop a scratched runner from their reply. */
const DROP_RUNNERS = 'DELETE FROM race_runners WHERE race_id = $1 AND NOT scratched AND number <> ALL ($2::smallint[])';

async function writeRunners(client: ClientBase, raceId: string, runners: readonly MergedRunner[], at: Instant) {
  if (runners.length === 0) return { added: [], changed: false };
  const { rows } = await client.query<{ number: number }>(
    'SELECT number FROM race_runners WHERE race_id = $1 AND scratched',
    [raceId],
  );
  const before = new Set(rows.map((row) => row.number));
  await client.query(DROP_RUNNERS, [raceId, runners.map((runner) => runner.number)]);
  await client.query(WRITE_RUNNERS, [raceId, JSON.stringify(runners), at]);
  const added = runners.filter((runner) => runner.scratched && !before.has(runner.number)).map((r) => r.number);
  const back = runners.some((runner) => !runner.scratched && before.has(runner.number));
  return { added, changed: added.length > 0 || back };
}

const WRITE_FACTS = `
  UPDATE races r
     SET race_name = n.race_name, distance_m = n.distance_m, track_condition = n.track_condition, weather = n.weather,
         race_class = n.race_class, conditions = n.conditions, prize_total = n.prize_total, rail = n.rail,
         track_name = n.track_name, places_paid = n.places_paid, updated_at = GREATEST(r.updated_at, $3)
    FROM (SELECT COALESCE(s."raceName", o.race_name) AS race_name, COALESCE(s."distanceM", o.distance_m) AS distance_m,
                 COALESCE(s."trackCondition", o.track_condition) AS track_condition, COALESCE(s.weather, o.weather) AS weather,
                 COALESCE(s."raceClass", o.race_class) AS race_class, COALESCE(s.conditions, o.conditions) AS conditions,
                 COALESCE(s."prizeTotal", o.prize_total) AS prize_total, COALESCE(s.rail, o.rail) AS rail,
                 COALESCE(s."trackName", o.track_name) AS track_name, COALESCE(s."placesPaid", o.places_paid) AS places_paid
            FROM races o, jsonb_to_record($2) AS s ("raceName" text, "distanceM" integer, "trackCondition" text, weather text,
                 "raceClass" text, conditions text, "prizeTotal" integer, rail text, "trackName" text, "placesPaid" smallint)
           WHERE o.race_id = $1) n
   WHERE r.race_id = $1
     AND ($4 OR (r.race_name, r.distance_m, r.track_condition, r.weather, r.race_class, r.conditions, r.prize_total, r.rail,
                 r.track_name, r.places_paid)
                IS DISTINCT FROM
                (n.race_name, n.distance_m, n.track_condition, n.weather, n.race_class, n.conditions, n.prize_total, n.rail,
                 n.track_name, n.places_paid))`;

/** A fact once known is not forgotten because a book stops saying it. A scratching is news of the race too (A 2.8). */
async function writeFacts(client: ClientBase, raceId: string, facts: RaceFacts, scratchings: boolean, at: Instant) {
  await client.query(WRITE_FACTS, [raceId, JSON.stringify(facts), at, scratchings]);
}

/** Only a move between two polls of one book is a change, and one rating spelled two ways is not (A 2.9). */
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
