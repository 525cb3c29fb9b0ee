// Checks that a reply's runners are those of the race it is filed under, against the books' stored fields. Queries the
// database only when a book names other runners than before, and again every few minutes, because a better-ranked book
// may have reported since. Books of a race whose checks lapse at about the same time share one query, but only to pass:
// nothing is refused except by what is stored now.
import type { Pool } from 'pg';
import { createBoundedMap } from '../../cache';
import { bookmaker } from '../../domain/bookmakers';
import { contradictedNumbers, isOtherRace, type NamedField } from '../../domain/race/other-race';
import type { Instant } from '../../domain/race/race';
import { inBatches } from '../pg/in-batches';

type Runners = readonly { readonly number: number | null; readonly name: string }[];

/**
 * `anotherRace`: the reply names the runners of another race than the one it is filed under, so nothing of it may be
 * written. `contradicted`: numbers under which it names another runner than a better-ranked book; these rows may not be
 * written.
 */
export type FieldCheck = (
  raceId: string,
  bookmakerKey: string,
  runners: Runners,
  at: Instant,
) => Promise<{ readonly anotherRace: boolean; readonly contradicted: readonly number[] }>;

/** Race time: the most between the query that a reply was checked against and the reply. */
const CHECKED_FOR_MS = 5 * 60_000;
/** Race time: a check is repeated against a query of another book of the race, if that is no older. */
const SHARED_FOR_MS = CHECKED_FOR_MS / 2;
const MOST_RACES_SHARED = 200;
/** (race, book) pairs; enough for several days' cards. */
const MOST_CACHED = 20_000;

const FIELDS = {
  name: 'race-fields',
  text: `SELECT race_id AS "raceId", bookmaker_key AS key, numbers, runner_keys AS names FROM race_books
          WHERE race_id = ANY ($1::uuid[]) AND polled_at IS NOT NULL`,
};
/** Races whose books are checked at the same moment share a statement. */
const READS = { lanes: 1, most: 100 };

interface FieldRow {
  readonly raceId: string;
  readonly key: string;
  readonly numbers: readonly number[];
  readonly names: readonly string[];
}

const rankOf = (key: string): number => bookmaker(key)?.factsRank ?? Number.POSITIVE_INFINITY;

const fieldOf = ({ key, numbers, names }: FieldRow): NamedField => ({
  rank: rankOf(key),
  runners: names.map((name, i) => ({ name, number: numbers[i]! })),
});

type FieldCheckVerdict = Awaited<ReturnType<FieldCheck>>;
const PASSED: FieldCheckVerdict = { anotherRace: false, contradicted: [] };

export function createFieldCheck(pool: Pool): FieldCheck {
  return checkAgainst(inBatches((raceIds: readonly string[]) => readFields(pool, raceIds), READS));
}

/** Race time, epoch milliseconds: `atMs` is that of the reply for which the fields were queried. */
interface StoredFields {
  readonly fields: readonly NamedField[];
  readonly atMs: number;
}

interface Passed {
  /** The number and the name of each runner. */
  readonly named: readonly (number | string | null)[];
  readonly atMs: number;
}

const namedOf = (runners: Runners): Passed['named'] => runners.flatMap(({ number, name }) => [number, name]);

/** Compared in place: almost every reply names the runners of the last one. */
function areNamed(runners: Runners, named: Passed['named']): boolean {
  if (named.length !== 2 * runners.length) return false;
  for (let i = 0; i < runners.length; i++)
    if (runners[i]!.number !== named[2 * i] || runners[i]!.name !== named[2 * i + 1]) return false;
  return true;
}

/** `storedOf`: queries the stored fields of a race. */
export function checkAgainst(storedOf: (raceId: string) => Promise<readonly NamedField[]>): FieldCheck {
  const passed = new Map<string, Passed>();
  const queried = createBoundedMap<StoredFields>(MOST_RACES_SHARED);
  const query = async (raceId: string, atMs: number): Promise<StoredFields> => {
    const stored = { fields: await storedOf(raceId), atMs };
    queried.set(raceId, stored);
    return stored;
  };
  return async (raceId, bookmakerKey, runners, at) => {
    const pair = `${raceId}/${bookmakerKey}`;
    const atMs = Date.parse(at);
    const before = passed.get(pair);
    // Other names than before are checked against what is stored now.
    const last = before && areNamed(runners, before.named) ? before : null;
    if (last && atMs < last.atMs + CHECKED_FOR_MS) return PASSED;
    const report = { rank: rankOf(bookmakerKey), runners };
    const latest = last && queried.get(raceId);
    const isShared = latest && latest.atMs > last.atMs && atMs < latest.atMs + SHARED_FOR_MS;
    const canShare = isShared && !isRefused(verdictOn(report, latest.fields));
    const stored = canShare ? latest : await query(raceId, atMs);
    const verdict = canShare ? PASSED : verdictOn(report, stored.fields);
    if (isRefused(verdict)) return verdict;
    if (passed.size > MOST_CACHED) passed.clear();
    passed.set(pair, { named: last?.named ?? namedOf(runners), atMs: stored.atMs });
    return PASSED;
  };
}

const isRefused = ({ anotherRace, contradicted }: FieldCheckVerdict): boolean => anotherRace || contradicted.length > 0;

const verdictOn = (reported: NamedField, stored: readonly NamedField[]): FieldCheckVerdict => ({
  anotherRace: isOtherRace(reported, stored),
  contradicted: contradictedNumbers(reported, stored),
});

async function readFields(pool: Pool, raceIds: readonly string[]): Promise<(readonly NamedField[])[]> {
  const { rows } = await pool.query<FieldRow>({ ...FIELDS, values: [[...new Set(raceIds)]] });
  const byRace = new Map<string, NamedField[]>(raceIds.map((raceId) => [raceId, []]));
  for (const row of rows) byRace.get(row.raceId)?.push(fieldOf(row));
  return raceIds.map((raceId) => byRace.get(raceId)!);
}
