// Which reads may run on a replica, a moment behind: those of the past. Prices and matches of now, `changes` and
// streams, results, what an event announces or a caller has just written stay on the primary, and so does everything
// that one answer joins to them: a race that has left the board must not be missing from both.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { Replica } from '../pg/replica/replica';
import { type ArchiveReads, createArchiveReads } from './archive/archive-reads';
import type { ArchiveSelection } from './archive/selection';
import type { Reads } from './reads';

const PAST = ['premierships', 'venues'] as const;
const OF_ARCHIVE = ['beginsAt', 'dayMarks', 'markedDays'] as const;
const ROWS_OF_ARCHIVE = ['closingLines', 'pricePaths', 'marketSummary'] as const;

/** Those of one race are joined to its state. */
const isOfMany = ({ raceId }: ArchiveSelection, _page: unknown): boolean => !raceId;

/** No answer joins a day that ended longer ago to one of now. */
const SETTLED_MS = 2 * 86_400_000;

export interface ReplicaReads {
  readonly read: Replica['read'];
  /** Over the replica. */
  readonly reads: Reads;
  /** For streams, a statement at a time. */
  readonly streams: { readonly replica: Pool; readonly primary: Pool };
  /** Race time. */
  readonly now: () => number;
}

export function withReplica(primary: Reads, { read, reads, streams, now }: ReplicaReads): Reads {
  const either = createEither(read);
  const isSettled = ({ until }: { readonly until: Instant }): boolean => Date.parse(until) <= now() - SETTLED_MS;
  return {
    ...primary,
    ...either(primary, reads, PAST),
    ...either(primary, reads, ['sportHistory'], isSettled),
    people: { ...primary.people, ...either(primary.people, reads.people, ['directory']) },
    search: { ...primary.search, ...either(primary.search, reads.search, ['runners']) },
    archive: {
      ...primary.archive,
      ...either(primary.archive, reads.archive, OF_ARCHIVE),
      ...either(primary.archive, reads.archive, ROWS_OF_ARCHIVE, isOfMany),
      ...either(primary.archive, reads.archive, ['days'], (days) => days.every(isSettled)),
      ...either(primary.archive, reads.archive, ['pastRaces'], (_since, until) => isSettled({ until })),
      ...streamedReads(primary.archive, reads.archive, { read, ...streams }),
    },
  };
}

interface Routed {
  readonly read: Replica['read'];
  readonly replica: Pool;
  readonly primary: Pool;
}

const STREAMS = ['streamClosingLines', 'streamPricePaths', 'streamPricePathLines', 'streamMarketSummary'] as const;

/**
 * A stream runs on the replica only if its plan was read there, and from its first statement on the primary on it stays
 * on the primary: no row of the plan may be missing.
 */
function streamedReads(primary: ArchiveReads, replica: ArchiveReads, routed: Routed) {
  const ofReplica = new WeakSet<object>();
  const planPage: ArchiveReads['planPage'] = (what, selection, page) =>
    isOfMany(selection, page)
      ? routed.read(
          async () => {
            const plan = await replica.planPage(what, selection, page);
            ofReplica.add(plan);
            return plan;
          },
          () => primary.planPage(what, selection, page),
        )
      : primary.planPage(what, selection, page);
  const readsFor = (begin: unknown): ArchiveReads => {
    if (!ofReplica.has(begin as object)) return primary;
    const pool = createStatements(routed);
    return createArchiveReads(pool, pool);
  };
  const streams = STREAMS.map((name) => [
    name,
    (...[selection, limit, begin]: Parameters<ArchiveReads[typeof name]>) =>
      readsFor(begin)[name](selection, limit, begin),
  ]);
  return { planPage, ...(Object.fromEntries(streams) as Pick<ArchiveReads, (typeof STREAMS)[number]>) };
}

/** The statements of one stream. */
function createStatements({ read, replica, primary }: Routed): Pool {
  let onPrimary = false;
  const moved = (...statement: [string]) => {
    onPrimary = true;
    return primary.query(...statement);
  };
  const query = (...statement: [string]) =>
    onPrimary
      ? moved(...statement)
      : read(
          () => replica.query(...statement),
          () => moved(...statement),
        );
  return { query } as unknown as Pool;
}

type Read = (...values: never[]) => Promise<unknown>;

const createEither =
  (read: Replica['read']) =>
  <R extends { readonly [name in K]: Read }, K extends keyof R & string>(
    primary: R,
    replica: R,
    names: readonly K[],
    isPast: (...values: Parameters<R[K]>) => boolean = () => true,
  ): Pick<R, K> =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...values: Parameters<R[K]>) =>
          isPast(...values)
            ? read(
                () => replica[name](...values),
                () => primary[name](...values),
              )
            : primary[name](...values),
      ]),
    ) as unknown as Pick<R, K>;
