// The rows of a book that another source of it observed as late or later: a push that was long on its way writes nothing over the feed's prices, nor the
// feed over a push's. Older never replaces newer, and an instant has one price.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';

const NEWER = `
  SELECT event_id FROM sport_event_books
   WHERE bookmaker_key = $1 AND event_id = ANY ($2::uuid[]) AND greatest(observed_at, taken_back_at) >= $3`;

/** Of these matches. */
export async function newerRows(
  client: ClientBase,
  bookmakerKey: string,
  eventIds: readonly string[],
  observedAt: Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ event_id: string }>(NEWER, [bookmakerKey, eventIds, observedAt]);
  return new Set(rows.map(({ event_id }) => event_id));
}
