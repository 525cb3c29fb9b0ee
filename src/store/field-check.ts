// Whether a reply's runners are those of the race it is filed under, as the books' held words have it. Asked of the database only when a
// book names other runners than before, and now and then again: a better-believed book may have spoken since.
import type { Pool } from 'pg';
import { bookmaker } from '../domain/bookmakers';
import type { BookRunner } from '../domain/feed-race';
import { isOtherRace, keysOfField } from '../domain/other-race';
import type { Instant } from '../domain/race';

const CHECKED_FOR_MS = 5 * 60_000;
/** How many (race, book) pairs are remembered: several days' cards. */
const MOST_REMEMBERED = 20_000;

const FIELDS = {
  name: 'race-fields',
  text: `SELECT bookmaker_key AS key, runner_keys AS "runnerKeys" FROM race_books
          WHERE race_id = $1 AND polled_at IS NOT NULL`,
};

export type FieldCheck = (
  raceId: string,
  bookmakerKey: string,
  runners: readonly Pick<BookRunner, 'name'>[],
  at: Instant,
) => Promise<boolean>;

const rankOf = (key: string): number => bookmaker(key)?.factsRank ?? Number.POSITIVE_INFINITY;

export function createFieldCheck(pool: Pool): FieldCheck {
  const checked = new Map<string, { readonly names: string; readonly untilMs: number }>();
  return async (raceId, bookmakerKey, runners, at) => {
    const pair = `${raceId}/${bookmakerKey}`;
    const names = runners.map((runner) => runner.name).join('\n');
    const known = checked.get(pair);
    if (known?.names === names && Date.parse(at) < known.untilMs) return false;
    const { rows } = await pool.query<{ key: string; runnerKeys: string[] }>({ ...FIELDS, values: [raceId] });
    const held = rows.map(({ key, runnerKeys }) => ({ rank: rankOf(key), runnerKeys: keysOfField(runnerKeys) }));
    const said = { rank: rankOf(bookmakerKey), runnerKeys: keysOfField(runners.map((runner) => runner.name)) };
    if (isOtherRace(said, held)) return true;
    if (checked.size > MOST_REMEMBERED) checked.clear();
    checked.set(pair, { names, untilMs: Date.parse(at) + CHECKED_FOR_MS });
    return false;
  };
}
