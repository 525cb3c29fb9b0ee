// Which premiership tables are to be read now (B 2.8): tables that were never read, immediately; then, every night, all
// national tables, and those of the states and of the previous season that were tried longest ago. The stored readings
// decide, so that a run resumes where the previous one stopped.
import type { Instant } from '../race/race';
import { aetDay, aetDayBounds } from '../time/aet';
import { PREMIERSHIP_SCOPES, PREMIERSHIP_STATES, type PremiershipTable, seasonOf } from './premiership';

export interface PremiershipReading extends PremiershipTable {
  /** The last attempt. */
  readonly triedAt: Instant;
  /** When the stored rows were read; null: never. */
  readonly scrapedAt: Instant | null;
  /** The last page received had no such table. */
  readonly absent: boolean;
}

/**
 * How many tables of a group are read per night: all national tables in one night, the states' in four, the previous
 * season in seven.
 */
const PER_NIGHT = { national: 10, states: 20, previous: 13 } as const;
type Group = keyof typeof PER_NIGHT;
const GROUPS = Object.keys(PER_NIGHT) as Group[];

interface Candidate {
  readonly table: PremiershipTable;
  readonly triedMs: number;
  /** When its contents were last seen; -∞: never. */
  readonly seenMs: number;
}

/**
 * By group, in the order in which they are to be read. A table that fails goes to the back of its group and delays no
 * other.
 */
export function premiershipsDue(readings: readonly PremiershipReading[], nowMs: number): PremiershipTable[][] {
  const today = aetDay(nowMs);
  const tonightMs = aetDayBounds(today).startMs;
  const byKey = new Map(readings.map((one) => [keyOf(one), one]));
  return GROUPS.map((group) => {
    const all = tablesOf(group, seasonOf(today)).map((table) => candidate(table, byKey.get(keyOf(table))));
    const waiting = all.filter(({ seenMs }) => seenMs < tonightMs);
    const left = PER_NIGHT[group] - (all.length - waiting.length);
    const unread = waiting.filter(({ seenMs }) => seenMs === Number.NEGATIVE_INFINITY);
    const older = waiting.filter((one) => !unread.includes(one)).sort(longestAgo);
    const due = [...unread, ...older.slice(0, Math.max(0, left - unread.length))];
    return due.sort(longestAgo).map(({ table }) => table);
  });
}

/** A season and the season before it have `2 × 9 × 5` tables each. */
function tablesOf(group: Group, season: number): PremiershipTable[] {
  const seasonStartYear = group === 'previous' ? season - 1 : season;
  const states = PREMIERSHIP_STATES.filter(
    (state) => group === 'previous' || (state === 'AUS') === (group === 'national'),
  );
  return states.flatMap((state) =>
    PREMIERSHIP_SCOPES.flatMap((scope) =>
      (['jockey', 'trainer'] as const).map((role) => ({ role, state, scope, seasonStartYear })),
    ),
  );
}

function candidate(table: PremiershipTable, reading: PremiershipReading | undefined): Candidate {
  const triedMs = reading ? Date.parse(reading.triedAt) : Number.NEGATIVE_INFINITY;
  const scrapedMs = reading?.scrapedAt ? Date.parse(reading.scrapedAt) : Number.NEGATIVE_INFINITY;
  return { table, triedMs, seenMs: reading?.absent ? triedMs : scrapedMs };
}

const longestAgo = (a: Candidate, b: Candidate): number => (a.triedMs < b.triedMs ? -1 : Number(a.triedMs > b.triedMs));

const keyOf = ({ role, state, scope, seasonStartYear }: PremiershipTable): string =>
  `${role} ${state} ${scope} ${seasonStartYear}`;
