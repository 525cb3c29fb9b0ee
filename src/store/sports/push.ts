// Writes a book's push of sports. A push is everything that the book offers: what it no longer lists is withdrawn, with
// its time. Pushes run one after another, so that two books cannot create the same match twice. Each waits with a
// connection, which reads need: the caller sends one at a time (`push-queue.ts`).
import type { ClientBase, Pool } from 'pg';
import { arbsOn } from '../../domain/events/arb-opportunity';
import type { Instant } from '../../domain/race/race';
import { decisionsOf } from '../../domain/sports/identity/decision';
import type { ListedEvent } from '../../domain/sports/identity/listed-event';
import { displayName } from '../../domain/sports/identity/names/display-name';
import { placeEvents } from '../../domain/sports/identity/place-events';
import type { Placed } from '../../domain/sports/identity/placed';
import { homeShareOf } from '../../domain/sports/identity/same-match';
import type { Names } from '../../domain/sports/identity/team-names';
import { STALE_AFTER_SECONDS } from '../../domain/sports/match';
import { inParts } from '../../in-parts';
import { inTransaction } from '../pg/transaction';
import { readMatches } from '../reads/sports/matches';
import { writeDecisions } from './identity/decisions';
import { eventIdOf, type ListedRow, rowOf, writeRows } from './listed-rows';
import { moveStarts } from './move-starts';
import { createNameReader } from './names';
import { nameRows } from './near-matches';

import * as sql from './push-sql';
import type { PushedEvent } from './pushed-event';
import { quotesOf, writePrices } from './quotes';
import { readStored } from './stored-matches';

/** `replayed`: another source of the book observed the match later. */
type Refusal = Extract<Placed, { kind: 'refused' }>['reason'] | 'replayed';

interface SportPushVerdict {
  /** A push at least as new is stored: nothing was changed. */
  readonly replayed: boolean;
  /** Of the stored push. */
  readonly observedAt: Instant;
  readonly events: number;
  /** Markets whose prices or points changed, including withdrawn ones. */
  readonly changed: number;
  /** Markets that this push withdrew. */
  readonly takenBack: number;
  /** By position in the list. */
  readonly refused: readonly { readonly at: number; readonly reason: Refusal }[];
}

interface SportPush {
  readonly bookmakerKey: string;
  readonly observedAt: Instant;
  readonly events: readonly PushedEvent[];
}

/** Everything that one source lists for one book. */
interface Listing extends SportPush {
  /** The feed and its sport; null: the book's own push. */
  readonly feed: string | null;
}

export interface SportIngestStore {
  /** Idempotent under (book, `observedAt`). `at` is our instant. */
  push(push: SportPush, at: Instant): Promise<SportPushVerdict>;
}

export function createSportIngestStore(pool: Pool): SportIngestStore {
  const namesIn = createNameReader();
  return { push: (push, at) => inTransaction(pool, (client) => pushWith(client, namesIn, push, at)) };
}

async function pushWith(
  client: ClientBase,
  namesIn: ReturnType<typeof createNameReader>,
  push: SportPush,
  at: Instant,
): Promise<SportPushVerdict> {
  await client.query(sql.IN_TURN);
  const { bookmakerKey, observedAt, events } = push;
  const begun = await client.query<Begun>(sql.BEGIN, [bookmakerKey, observedAt, at, events.length]);
  if (begun.rowCount === 0) {
    const { rows } = await client.query<Observed>(sql.STORED, [bookmakerKey]);
    return { replayed: true, observedAt: rows[0]!.observed_at, events: 0, changed: 0, takenBack: 0, refused: [] };
  }
  await client.query(sql.NOTE_SPORTS, [bookmakerKey, [...new Set(events.map(({ sport }) => sport.key))], at]);
  const { open, moved, ...verdict } = await writeListing(client, { ...push, feed: null }, await namesIn(client));
  // After a silence unchanged prices count again.
  const wasSilent = Date.parse(observedAt) - Date.parse(begun.rows[0]!.before ?? '') > STALE_AFTER_SECONDS * 1000;
  await announceArbs(client, wasSilent ? open : moved, at);
  return verdict;
}

interface Observed {
  readonly observed_at: Instant;
}

interface Begun {
  readonly before: Instant | null;
}

export interface Written extends SportPushVerdict {
  /** The listed matches that have not started. */
  readonly open: readonly string[];
  /** The matches with a changed price or point. */
  readonly moved: readonly string[];
}

/** In its turn (`IN_TURN`), within a transaction. */
export async function writeListing(client: ClientBase, push: Listing, names: Names): Promise<Written> {
  const { bookmakerKey, observedAt, events, feed } = push;
  const named = { bookmakerKey, observedAt, listed: events.map(listedOf) };
  const { listed, stored } = await nameRows(client, named, names, (rows, isWhole) =>
    readStored(client, { bookmakerKey, rows, isWhole, observedAt, feed }),
  );
  const placed = await inParts(placeEvents(listed, stored, observedAt));
  await createEvents(client, placed, events, observedAt);
  const decisions = await inParts(decisionsOf(listed, placed, stored, observedAt));
  await writeDecisions(client, bookmakerKey, observedAt, decisions);
  const listedRows = placed.flatMap((one, at) => (one.kind === 'refused' ? [] : [rowOf(one, events[at]!, at)]));
  const listedIds = listedRows.map(({ event_id }) => event_id);
  const own = new Map(stored.flatMap((one) => (one.own ? [[one.eventId, one.own] as const] : [])));
  const rows = listedRows.filter(({ event_id }) => !own.get(event_id)?.isNewer);
  const { rows: gone } = await client.query<EventId>(sql.TAKE_BACK, [bookmakerKey, observedAt, listedIds, feed]);
  const goneIds = gone.map(({ event_id }) => event_id);
  const ids = rows.map(({ event_id }) => event_id);
  const moved = await moveStarts(client, { bookmakerKey, observedAt, rows, stored, goneIds });
  const starts = new Map([...stored.map((one) => [one.eventId, one.commenceTime] as const), ...moved]);
  // A match starts first in the row that created it.
  const isOpen = (row: ListedRow): boolean =>
    Date.parse(starts.get(row.event_id) ?? row.commence_time) > Date.parse(observedAt);
  // The others take no more prices.
  const openIds = new Set(rows.filter(isOpen).map(({ event_id }) => event_id));
  // Also by the book's own start: its later offers are not prices from before the match, whatever start the others
  // list.
  const accepted = rows.filter(
    ({ event_id, commence_time }) => openIds.has(event_id) && Date.parse(commence_time) > Date.parse(observedAt),
  );
  const acceptedAt = new Set(accepted.map(({ at }) => at));
  const touched = [...ids, ...goneIds];
  const written = await writePrices(client, {
    bookmakerKey,
    observedAt,
    quotes: await inParts(quotesOf(accepted, events)),
    touched,
  });
  const listedNow = rows.map((row) => ({ ...row, priced: acceptedAt.has(row.at) }));
  await writeRows(client, { bookmakerKey, observedAt, feed, rows: listedNow, own });
  return {
    open: [...openIds],
    moved: written.moved,
    replayed: false,
    observedAt,
    events: accepted.length,
    changed: written.changed,
    takenBack: written.takenBack,
    refused: placed.flatMap((one, at): SportPushVerdict['refused'] => {
      if (one.kind === 'refused') return [{ at, reason: one.reason }];
      if (own.get(eventIdOf(one))?.isNewer) return [{ at, reason: 'replayed' }];
      return acceptedAt.has(at) ? [] : [{ at, reason: 'started' }];
    }),
  };
}

function listedOf({ markets, ...event }: PushedEvent): ListedEvent {
  const h2h = markets.find(({ market }) => market === 'h2h')?.prices;
  return { ...event, homeShare: h2h ? homeShareOf(h2h) : null, h2h: h2h ? [h2h.home, h2h.draw, h2h.away] : null };
}

/** As a customer's read would show them at `at`. */
export async function announceArbs(client: ClientBase, moved: readonly string[], at: Instant): Promise<void> {
  const { rows } = await client.query<EventId>(sql.MAY_HAVE_ARBS, [moved]);
  if (rows.length === 0) return;
  const eventIds = rows.map(({ event_id }) => event_id);
  const matches = await readMatches(client, { sportKey: null, after: at, eventIds, alternates: true });
  const arbs = matches.flatMap((match) => arbsOn(match, Date.parse(at)));
  if (arbs.length > 0) await client.query(sql.ANNOUNCE_ARBS, [at, JSON.stringify(arbs)]);
}

interface EventId {
  readonly event_id: string;
}

async function createEvents(
  client: ClientBase,
  placed: readonly Placed[],
  events: readonly PushedEvent[],
  observedAt: Instant,
): Promise<void> {
  const created = placed.flatMap((one, at) => {
    if (one.kind !== 'new') return [];
    const { eventId, canonicalId, home, away } = one.event;
    const { sport, competition, commenceTime } = events[at]!;
    return [
      {
        event_id: eventId,
        canonical_event_id: canonicalId,
        sport_key: sport.key,
        home_key: home.key,
        away_key: away.key,
        home_team: displayName(sport.key, home.name),
        away_team: displayName(sport.key, away.name),
        competition,
        commence_time: commenceTime,
        first_seen_at: observedAt,
      },
    ];
  });
  if (created.length > 0) await client.query(sql.CREATE, [JSON.stringify(created)]);
}
