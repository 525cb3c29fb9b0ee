// The rows of a book: what it lists for each match. Most pushes repeat them, so that only changes are written whole.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { Placed } from '../../domain/sports/identity/placed';
import { CONFIRM, LIST } from './push-sql';
import type { PushedEvent } from './pushed-event';

/** A known or new match of a push. */
export type Known = Exclude<Placed, { kind: 'refused' }>;
export type ListedRow = ReturnType<typeof rowOf>;

export const eventIdOf = (one: Known): string => (one.kind === 'new' ? one.event.eventId : one.eventId);

/** `at`: its position in the push. */
export function rowOf(
  one: Known,
  { sourceId, homeTeam, awayTeam, competition, commenceTime }: PushedEvent,
  at: number,
) {
  return {
    at,
    event_id: eventIdOf(one),
    swapped: one.kind === 'known' && one.swapped,
    placed_by: one.kind === 'known' ? one.because : 'new',
    source_event_id: sourceId,
    home_name: homeTeam,
    away_name: awayTeam,
    competition,
    commence_time: commenceTime,
  };
}

/** The row of an existing match (`stored-matches.ts`). */
export interface OwnRow extends Omit<ListedRow, 'at' | 'placed_by'> {
  readonly feed: string | null;
  readonly isRecorded: boolean;
  readonly isTakenBack: boolean;
  /**
   * Another source of the book observed it as late or later: a delayed push writes nothing over the feed's prices, nor
   * the feed over a push's. Older never replaces newer, and an instant has one price.
   */
  readonly isNewer: boolean;
}

interface RowsOfSource {
  readonly bookmakerKey: string;
  readonly observedAt: Instant;
  /** Null: the book itself. */
  readonly feed: string | null;
  /** `priced`: the push has prices of it from before its start. */
  readonly rows: readonly (ListedRow & { readonly priced: boolean })[];
  /** By match. */
  readonly own: ReadonlyMap<string, OwnRow>;
}

/** After its prices, which compare their time with the row's. */
export async function writeRows(client: ClientBase, { bookmakerKey, observedAt, feed, rows, own }: RowsOfSource) {
  const isAsBefore = (row: ListedRow): boolean => isSame(row, own.get(row.event_id), feed);
  const changed = rows.filter((row) => !isAsBefore(row));
  if (changed.length > 0) await client.query(LIST, [bookmakerKey, observedAt, JSON.stringify(changed), feed]);
  const same = rows.filter(isAsBefore);
  const ids = (of: typeof rows): readonly string[] => of.map(({ event_id }) => event_id);
  const priced = same.filter((row) => row.priced);
  if (same.length > 0) await client.query(CONFIRM, [bookmakerKey, observedAt, ids(same), ids(priced)]);
}

const SAME = ['swapped', 'source_event_id', 'home_name', 'away_name', 'competition'] as const;

const isSame = (row: ListedRow, own: OwnRow | undefined, feed: string | null): boolean =>
  own?.isRecorded === true &&
  !own.isTakenBack &&
  own.feed === feed &&
  SAME.every((name) => own[name] === row[name]) &&
  Date.parse(own.commence_time) === Date.parse(row.commence_time);
