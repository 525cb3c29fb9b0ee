// Moves a book's data from one match to another: its row, its prices and its captures, in the transaction of the
// decision. Writes corrections of announced arbs between books that now have different matches.
import type { ClientBase } from 'pg';
import { type AnnouncedArb, correctionOf } from '../../../domain/events/arb-correction';
import type { Instant } from '../../../domain/race/race';
import type { Evidence } from '../../../domain/sports/identity/same-match';
import { STALE_AFTER_SECONDS } from '../../../domain/sports/match';
import { MOVE_STARTS } from '../push-sql';
import * as sql from './move-sql';

interface RowMove {
  readonly from: string;
  readonly to: string;
  readonly bookmakerKey: string;
  /** The sides of the two matches are the other way round. */
  readonly turned: boolean;
  /** When an operator ruled; null: none did. */
  readonly ruledAt: Instant | null;
  readonly placedBy: Evidence | 'new';
}

export async function moveRow(client: ClientBase, move: RowMove): Promise<void> {
  const { from, to, bookmakerKey, turned, ruledAt, placedBy } = move;
  const values = [from, to, bookmakerKey, turned];
  await client.query(sql.DATE_QUOTES, [from, to, bookmakerKey]);
  await client.query(sql.MOVE_TICKS, values);
  await client.query(sql.MOVE_QUOTES, values);
  await client.query(sql.MOVE_LINES, values);
  await client.query(sql.MOVE_ROW, [...values, ruledAt, placedBy]);
  await client.query(sql.END_SERIES, [to, bookmakerKey]);
}

/** Starts follow the books that list the matches now. */
export const followStarts = (client: ClientBase, eventIds: readonly string[], at: Instant): Promise<unknown> =>
  client.query(MOVE_STARTS, [eventIds, at, STALE_AFTER_SECONDS, '', [], []]);

/** After rows have left or come. */
export const nameCompetition = (client: ClientBase, eventId: string): Promise<unknown> =>
  client.query(sql.NAME_COMPETITION, [eventId]);

/** Resolves to their number. `parted`: the books that left the match. */
export async function correctArbs(
  client: ClientBase,
  eventId: string,
  parted: readonly string[],
  at: Instant,
): Promise<number> {
  const { rows } = await client.query<AnnouncedArb>(sql.ANNOUNCED, [eventId, parted]);
  for (const arb of rows) await client.query(sql.CORRECT_ARB, [arb.eventId, at, correctionOf(arb), arb.sport]);
  return rows.length;
}
