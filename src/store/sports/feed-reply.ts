// Writes a feed's reply about one sport: what each of its books offers there. It is processed like a push: the same
// identity, the same ticks, the same events. A book's own push of the sport takes precedence for half an hour: the feed
// then writes nothing for that book, and withdraws none of its prices.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { Names } from '../../domain/sports/identity/team-names';
import { STALE_AFTER_SECONDS } from '../../domain/sports/match';
import { createWorkQueue } from '../../work-queue';
import { inTransaction } from '../pg/transaction';
import { createNameReader } from './names';
import { announceArbs, type Written, writeListing } from './push';
import { IN_TURN } from './push-sql';
import type { PushedEvent } from './pushed-event';

/** Pushes are a quarter of an hour apart: a book that missed two no longer pushes. */
const PUSHED_FOR_SECONDS = 1800;

interface SportFeedReply {
  readonly source: string;
  readonly sourceKey: string;
  readonly sportKey: string;
  readonly observedAt: Instant;
  /** By bookmaker key: everything that the reply has about the book. */
  readonly books: ReadonlyMap<string, readonly PushedEvent[]>;
}

export interface SportFeedVerdict {
  /** A reply at least as new is stored, or the sport is no longer polled: nothing was changed. */
  readonly replayed: boolean;
  readonly changed: number;
  readonly takenBack: number;
  /** Books whose own pushes take precedence. */
  readonly pushed: readonly string[];
  readonly refused: readonly { readonly bookmakerKey: string; readonly reason: Written['refused'][number]['reason'] }[];
}

export interface SportFeedStore {
  /** Idempotent under (source, sport, `observedAt`). `at` is our instant. */
  save(reply: SportFeedReply, at: Instant): Promise<SportFeedVerdict>;
}

const BEGIN = `
  UPDATE feed_sports SET polled_at = $3 WHERE source = $1 AND source_key = $2 AND (polled_at IS NULL OR polled_at < $3)
  RETURNING (SELECT polled_at FROM feed_sports WHERE source = $1 AND source_key = $2) AS before`;

/** The books that the feed still lists somewhere in this sport. */
const LISTED = `SELECT DISTINCT bookmaker_key AS book FROM sport_event_books WHERE feed = $1 AND taken_back_at IS NULL`;

const PUSHED = `
  SELECT bookmaker_key AS book FROM sport_push_sports WHERE sport_key = $1 AND pushed_at > $2::timestamptz - $3 * interval '1 second' ORDER BY 1`;

export function createSportFeedStore(pool: Pool): SportFeedStore {
  const inTurn = createWorkQueue();
  const namesIn = createNameReader();
  return {
    save: (reply, at) =>
      inTurn(() => inTransaction(pool, async (client) => saveWith(client, await namesIn(client), reply, at))),
  };
}

const NOTHING: SportFeedVerdict = { replayed: true, changed: 0, takenBack: 0, pushed: [], refused: [] };

async function saveWith(
  client: ClientBase,
  names: Names,
  reply: SportFeedReply,
  at: Instant,
): Promise<SportFeedVerdict> {
  await client.query(IN_TURN);
  const { source, sourceKey, sportKey, observedAt } = reply;
  const begun = await client.query<{ before: Instant | null }>(BEGIN, [source, sourceKey, observedAt]);
  if (begun.rowCount === 0) return NOTHING;
  const feed = `${source}/${sourceKey}`;
  const pushed = await booksOf(client, PUSHED, [sportKey, at, PUSHED_FOR_SECONDS]);
  const listed = await booksOf(client, LISTED, [feed]);
  const written = new Map<string, Written>();
  for (const book of [...new Set([...reply.books.keys(), ...listed])].sort()) {
    if (pushed.includes(book)) continue;
    const offered = reply.books.get(book) ?? [];
    written.set(book, await writeListing(client, { bookmakerKey: book, observedAt, events: offered, feed }, names));
  }
  const all = [...written.values()];
  // After a silence unchanged prices count again.
  const wasSilent = Date.parse(observedAt) - Date.parse(begun.rows[0]!.before ?? '') > STALE_AFTER_SECONDS * 1000;
  const changed = new Set(all.flatMap(({ open, moved }) => (wasSilent ? open : moved)));
  await announceArbs(client, [...changed], at);
  return {
    replayed: false,
    changed: all.reduce((sum, one) => sum + one.changed, 0),
    takenBack: all.reduce((sum, one) => sum + one.takenBack, 0),
    pushed: pushed.filter((book) => reply.books.has(book)),
    refused: [...written].flatMap(([bookmakerKey, { refused }]) =>
      refused.map(({ reason }) => ({ bookmakerKey, reason })),
    ),
  };
}

async function booksOf(client: ClientBase, text: string, values: unknown[]): Promise<readonly string[]> {
  return (await client.query<{ book: string }>(text, values)).rows.map(({ book }) => book);
}
