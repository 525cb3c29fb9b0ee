// Reads every runner row of a reply with one book's reader. A bad row drops that runner with a reason, never the race.
import type { BookRunner, FeedRunner } from '../../domain/race/feed-race';
import type { Drops } from './drops';
import { asRow, countOf, type JsonObject, textOf } from './read';

export type ReadRunner = (row: JsonObject, number: number, name: string) => FeedRunner | null;

export function readRunners(
  rows: readonly unknown[],
  keys: { readonly number: readonly string[]; readonly name: string },
  read: ReadRunner,
  drops: Drops,
): FeedRunner[] {
  const runners: FeedRunner[] = [];
  const seen = new Set<number>();
  for (const raw of rows) {
    const row = asRow(raw);
    const number = row && firstCount(row, keys.number);
    const name = row && textOf(row[keys.name]);
    if (!row) drops.add('runner_unreadable');
    else if (!number) drops.add('runner_number_unreadable');
    else if (!name) drops.add('runner_name_missing');
    else if (seen.has(number)) drops.add('runner_number_repeated');
    else {
      const runner = read(row, number, name);
      if (!runner) continue;
      seen.add(number);
      runners.push(runner);
    }
  }
  return runners;
}

/** For books without a proven runner number. Two rows with one name stay two, and the join leaves both out. */
export function readNamedRunners(
  rows: readonly unknown[],
  nameKey: string,
  read: (row: JsonObject, name: string) => BookRunner | null,
  drops: Drops,
): BookRunner[] {
  return rows.flatMap((raw) => {
    const row = asRow(raw);
    const name = row && textOf(row[nameKey]);
    if (!row || !name) {
      drops.add(row ? 'runner_name_missing' : 'runner_unreadable');
      return [];
    }
    return read(row, name) ?? [];
  });
}

function firstCount(row: JsonObject, keys: readonly string[]): number | null {
  for (const key of keys) {
    const number = countOf(row[key]);
    if (number !== null) return number;
  }
  return null;
}
