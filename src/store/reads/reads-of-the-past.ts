// Which reads may run on a replica, a moment behind: those of the past. Prices and matches of now, `changes` and
// streams, and what an event announces or a caller has just written stay on the primary, and so does everything that
// one answer joins to them: a race that has left the board must not be missing from both.
import type { Pool } from 'pg';
import { aetDay } from '../../domain/time/aet';
import type { Replica } from '../pg/replica/replica';
import { type ArchiveReads, createArchiveReads } from './archive/archive-reads';
import type { Reads } from './reads';
import type { ResultsQuery } from './results/results';

const PAST = [
  ...(['resultsCoverage', 'animalRuns', 'runSpan', 'runPrices', 'premierships', 'venues'] as const),
  ...(['sportHistory', 'sportCoverage', 'competitions'] as const),
];
const OF_PEOPLE = ['directory', 'rides', 'runs', 'namesOf'] as const;
const OF_SEARCH = ['runners', 'cardName', 'starts'] as const;
const OF_MEETINGS = ['span', 'record'] as const;
const OF_ARCHIVE = [
  ...(['closingLines', 'pricePaths', 'marketSummary', 'planPage', 'beginsAt', 'sampleRace', 'coverage'] as const),
  ...(['days', 'codeBooks', 'dayMarks', 'markedDays', 'historyRaces', 'pastRaces'] as const),
  ...(['replayRaces', 'racesToReplay'] as const),
];

/** Results that no event announces any more, and none is expected of. */
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
  const archive = archiveReads(primary.archive, reads.archive, { read, ...streams });
  return {
    ...primary,
    ...either(primary, reads, PAST),
    results: (query) =>
      isSettled(query, now())
        ? read(
            () => reads.results(query),
            () => primary.results(query),
          )
        : primary.results(query),
    people: { ...primary.people, ...either(primary.people, reads.people, OF_PEOPLE) },
    search: { ...primary.search, ...either(primary.search, reads.search, OF_SEARCH) },
    meetings: { ...primary.meetings, ...either(primary.meetings, reads.meetings, OF_MEETINGS) },
    archive,
  };
}

function isSettled(query: ResultsQuery, nowMs: number): boolean {
  const settledMs = nowMs - SETTLED_MS;
  return 'day' in query ? query.day < aetDay(settledMs) : Date.parse(query.until) < settledMs;
}

interface Routed {
  readonly read: Replica['read'];
  readonly replica: Pool;
  readonly primary: Pool;
}

function archiveReads(primary: ArchiveReads, replica: ArchiveReads, routed: Routed): ArchiveReads {
  const either = createEither(routed.read);
  const pool = statementsOf(routed);
  const { streamClosingLines, streamPricePaths, streamPricePathLines, streamMarketSummary } = createArchiveReads(
    pool,
    pool,
  );
  return {
    ...primary,
    ...either(primary, replica, OF_ARCHIVE),
    ...{ streamClosingLines, streamPricePaths, streamPricePathLines, streamMarketSummary },
    priceHistory: (raceId, bookmakers, at) =>
      at === null
        ? routed.read(
            () => replica.priceHistory(raceId, bookmakers, at),
            () => primary.priceHistory(raceId, bookmakers, at),
          )
        : primary.priceHistory(raceId, bookmakers, at),
  };
}

/** Each statement of a stream runs once, on either server. */
const statementsOf = ({ read, replica, primary }: Routed): Pool =>
  ({
    query: (...statement: [string]) =>
      read(
        () => replica.query(...statement),
        () => primary.query(...statement),
      ),
  }) as unknown as Pool;

type Read = (...values: never[]) => Promise<unknown>;

const createEither =
  (read: Replica['read']) =>
  <R extends { readonly [name in K]: Read }, K extends keyof R & string>(
    primary: R,
    replica: R,
    names: readonly K[],
  ): Pick<R, K> =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...values: never[]) =>
          read(
            () => replica[name](...values),
            () => primary[name](...values),
          ),
      ]),
    ) as unknown as Pick<R, K>;
