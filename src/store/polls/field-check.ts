// Whether a reply's runners are those of the race it is filed under, as the books' held words have it. Asked of the database only when a
// book names other runners than before, and now and then again: a better-believed book may have spoken since.
import type { Pool } from 'pg';
import { bookmaker } from '../../domain/bookmakers';
import { contradictedNumbers, isOtherRace, type NamedField } from '../../domain/race/other-race';
import type { Instant } from '../../domain/race/race';

/**
 * Whether a reply names the runners of another race than the one it is filed under: then nothing of it may be written. `strangers`:
 * numbers under which it names quite another runner than a better-believed book; those rows may not.
 */
export type FieldCheck = (
  raceId: string,
  bookmakerKey: string,
  runners: readonly { readonly number: number | null; readonly name: string }[],
  at: Instant,
) => Promise<{ readonly anotherRace: boolean; readonly contradicted: readonly number[] }>;

const CHECKED_FOR_MS = 5 * 60_000;
/** How many (race, book) pairs are remembered: several days' cards. */
const MOST_REMEMBERED = 20_000;

const FIELDS = {
  name: 'race-fields',
  text: `SELECT bookmaker_key AS key, numbers, runner_keys AS names FROM race_books
          WHERE race_id = $1 AND polled_at IS NOT NULL`,
};

interface FieldRow {
  readonly key: string;
  readonly numbers: readonly number[];
  readonly names: readonly string[];
}

const rankOf = (key: string): number => bookmaker(key)?.factsRank ?? Number.POSITIVE_INFINITY;

const fieldOf = ({ key, numbers, names }: FieldRow): NamedField => ({
  rank: rankOf(key),
  runners: names.map((name, i) => ({ name, number: numbers[i]! })),
});

type Verdict = Awaited<ReturnType<FieldCheck>>;
const WELL: Verdict = { anotherRace: false, contradicted: [] };

export function createFieldCheck(pool: Pool): FieldCheck {
  const checked = new Map<string, { readonly names: string; readonly untilMs: number }>();
  return async (raceId, bookmakerKey, runners, at) => {
    const pair = `${raceId}/${bookmakerKey}`;
    let names = '';
    for (const runner of runners) names += `${runner.number} ${runner.name}\n`;
    const known = checked.get(pair);
    if (known?.names === names && Date.parse(at) < known.untilMs) return WELL;
    const { rows } = await pool.query<FieldRow>({ ...FIELDS, values: [raceId] });
    const said = { rank: rankOf(bookmakerKey), runners };
    const held = rows.map(fieldOf);
    const verdict = { anotherRace: isOtherRace(said, held), contradicted: contradictedNumbers(said, held) };
    if (verdict.anotherRace || verdict.contradicted.length > 0) return verdict;
    if (checked.size > MOST_REMEMBERED) checked.clear();
    checked.set(pair, { names, untilMs: Date.parse(at) + CHECKED_FOR_MS });
    return WELL;
  };
}
