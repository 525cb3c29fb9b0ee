// Checks that a reply's runners are those of the race it is filed under, against the books' stored fields. Queries the
// database only when a book names other runners than before, and again every few minutes, because a better-ranked book
// may have reported since.
import type { Pool } from 'pg';
import { bookmaker } from '../../domain/bookmakers';
import { contradictedNumbers, isOtherRace, type NamedField } from '../../domain/race/other-race';
import type { Instant } from '../../domain/race/race';
import { inBatches } from '../pg/in-batches';

/**
 * `anotherRace`: the reply names the runners of another race than the one it is filed under, so nothing of it may be
 * written. `contradicted`: numbers under which it names another runner than a better-ranked book; these rows may not be
 * written.
 */
export type FieldCheck = (
  raceId: string,
  bookmakerKey: string,
  runners: readonly { readonly number: number | null; readonly name: string }[],
  at: Instant,
) => Promise<{ readonly anotherRace: boolean; readonly contradicted: readonly number[] }>;

const CHECKED_FOR_MS = 5 * 60_000;
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
  const storedOf = inBatches((raceIds: readonly string[]) => readFields(pool, raceIds), READS);
  const checked = new Map<string, { readonly names: string; readonly untilMs: number }>();
  return async (raceId, bookmakerKey, runners, at) => {
    const pair = `${raceId}/${bookmakerKey}`;
    let names = '';
    for (const runner of runners) names += `${runner.number} ${runner.name}\n`;
    const last = checked.get(pair);
    if (last?.names === names && Date.parse(at) < last.untilMs) return PASSED;
    const rows = await storedOf(raceId);
    const reported = { rank: rankOf(bookmakerKey), runners };
    const stored = rows.map(fieldOf);
    const verdict = { anotherRace: isOtherRace(reported, stored), contradicted: contradictedNumbers(reported, stored) };
    if (verdict.anotherRace || verdict.contradicted.length > 0) return verdict;
    if (checked.size > MOST_CACHED) checked.clear();
    checked.set(pair, { names, untilMs: Date.parse(at) + CHECKED_FOR_MS });
    return PASSED;
  };
}

async function readFields(pool: Pool, raceIds: readonly string[]): Promise<FieldRow[][]> {
  const { rows } = await pool.query<FieldRow>({ ...FIELDS, values: [[...new Set(raceIds)]] });
  const byRace = new Map<string, FieldRow[]>();
  for (const row of rows) byRace.set(row.raceId, [...(byRace.get(row.raceId) ?? []), row]);
  return raceIds.map((raceId) => byRace.get(raceId) ?? []);
}
