// Splits one reply for many races into one reply per requested race, even if the book left a race out, repeated it or
// sent a malformed one. Must never let one race's rows cost another race its prices.
import type { BookSnapshot } from '../domain/race/feed-race';
import type { FeedReply } from './feed';
import type { HttpReply } from './transport/http';
import { feedReply, type Mapped } from './transport/reply';

/** By the book's race id; null if that race is not as documented. */
export type Batch = ReadonlyMap<string, Mapped<BookSnapshot> | null>;

/**
 * Maps the rows of a reply by race id. A row without an id is skipped; if two rows have the same id, the first counts.
 *
 * @param map the book's mapper of one whole race
 * @param wanted the requested races, if the reply has others too: those are not mapped. Default: all
 */
export function batchOf(
  rows: readonly unknown[],
  idOfRow: (row: unknown) => string | null,
  map: (row: unknown, sourceRaceId: string) => Mapped<BookSnapshot> | null,
  wanted?: ReadonlySet<string>,
): Batch {
  const batch = new Map<string, Mapped<BookSnapshot> | null>();
  for (const row of rows) {
    const id = idOfRow(row);
    if (id === null || batch.has(id) || wanted?.has(id) === false) continue;
    batch.set(id, map(row, id));
  }
  return batch;
}

/** One reply per requested id: a failed call fails every race in it, a race that the book left out is `not_found`. */
export function bulkReplies(
  sourceRaceIds: readonly string[],
  reply: HttpReply<Batch>,
): ReadonlyMap<string, FeedReply<BookSnapshot>> {
  return new Map(sourceRaceIds.map((id) => [id, reply.kind === 'ok' ? oneOf(id, reply) : reply]));
}

function oneOf(id: string, { read, observedAt }: { read: Batch; observedAt: string }): FeedReply<BookSnapshot> {
  const mapped = read.get(id);
  if (mapped) return feedReply({ kind: 'ok', read: mapped, observedAt });
  const [reason, detail] =
    mapped === null
      ? (['malformed', 'not the documented race'] as const)
      : (['not_found', 'left out of the reply'] as const);
  return { kind: 'failed', reason, detail, retryAfterMs: null, observedAt };
}
