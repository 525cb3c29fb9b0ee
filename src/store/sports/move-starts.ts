// The starts of matches after a push, if the books do not agree on one.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { StoredEvent } from '../../domain/sports/identity/listed-event';
import { STALE_AFTER_SECONDS } from '../../domain/sports/match';
import type { ListedRow } from './listed-rows';
import { MOVE_STARTS } from './push-sql';

interface StartsOfPush {
  readonly bookmakerKey: string;
  readonly observedAt: Instant;
  /** That the book lists. */
  readonly rows: readonly ListedRow[];
  /** Those of all books, before the push. */
  readonly stored: readonly StoredEvent[];
  /** The matches that the book no longer lists. */
  readonly goneIds: readonly string[];
}

/**
 * Before the rows of the push are written. If all starts are equal there is nothing to move. Resolves to the new
 * starts, by match.
 */
export async function moveStarts(client: ClientBase, push: StartsOfPush): Promise<ReadonlyMap<string, Instant>> {
  const { bookmakerKey, observedAt, rows, stored, goneIds } = push;
  const starts = new Map(
    stored.map(({ eventId, commenceTime, listedStarts }) => [eventId, [commenceTime, ...listedStarts].map(Date.parse)]),
  );
  const moving = rows.filter(({ event_id, commence_time }) =>
    starts.get(event_id)?.some((start) => start !== Date.parse(commence_time)),
  );
  const ids = moving.map(({ event_id }) => event_id);
  if (ids.length + goneIds.length === 0) return new Map();
  const times = moving.map(({ commence_time }) => commence_time);
  const values = [[...ids, ...goneIds], observedAt, STALE_AFTER_SECONDS, bookmakerKey, ids, times];
  const moved = await client.query<{ event_id: string; commence_time: Instant }>(MOVE_STARTS, values);
  return new Map(moved.rows.map(({ event_id, commence_time }) => [event_id, commence_time]));
}
