// How many rows of an archived race customers may read, by everything that they can filter by (D48): counted while they
// are written.
import type { ClientBase } from 'pg';
import type { ArchivedRace } from '../../domain/archive/archive-race';
import type { StoredSeries } from '../../domain/archive/stored-race';
import { visibleToCustomers } from '../../domain/bookmakers';
import type { ArchiveFacts } from './read-race';

interface Count {
  readonly what: 'line' | 'path' | 'summary';
  /** Bookmaker; for a summary its signal. */
  readonly series: string;
  readonly closing: boolean;
  readonly baseline: boolean;
  readonly fragment: boolean;
  readonly scratched: boolean;
  n: number;
}

/** Prices among the changes of a series: the number of its rows in the price paths. */
export const capturedIn = (changes: StoredSeries['changes']): number =>
  changes.reduce((n, { what }) => n + Number(typeof what === 'number'), 0);

/** `series`: all of the race, whose captured prices are its price paths. */
function countsOf(series: readonly StoredSeries[], { of, runners, lines, summaries }: ArchivedRace): readonly Count[] {
  const counts = new Map<string, Count>();
  const scratched = new Set(runners.filter((one) => one.scratched).map(({ runner }) => runner));
  const add = (
    [what, name, closing, baseline]: [Count['what'], string, boolean, boolean],
    { runner, nameFragmentSuspect: fragment }: ArchivedRace['of'][number],
    n: number,
  ): void => {
    const flags = { closing, baseline, fragment, scratched: scratched.has(runner) };
    const key = [what, name, ...Object.values(flags)].join();
    const count = counts.get(key);
    if (count) count.n += n;
    else counts.set(key, { what, series: name, ...flags, n });
  };
  for (const line of lines) {
    if (!visibleToCustomers(line.bookmaker)) continue;
    add(['line', line.bookmaker, line.isClosingLine, line.openIsBaseline], line.of, 1);
  }
  for (const [i, { bookmaker, changes }] of series.entries()) {
    if (visibleToCustomers(bookmaker)) add(['path', bookmaker, false, false], of[i]!, capturedIn(changes));
  }
  for (const { signal, of: runner } of summaries) add(['summary', signal, false, false], runner, 1);
  return [...counts.values()];
}

const SAVE = { name: 'archive-counts', text: 'SELECT save_archived_counts($1, $2, $3, $4, $5, $6, $7, $8, $9)' };

export async function saveCounts(
  client: ClientBase,
  { raceId, venueSplitSuspect }: ArchiveFacts,
  series: readonly StoredSeries[],
  archived: ArchivedRace,
): Promise<void> {
  const counts = countsOf(series, archived);
  const flags = (['closing', 'baseline', 'fragment', 'scratched'] as const).map((flag) =>
    counts.map((one) => one[flag]),
  );
  const names = [counts.map(({ what }) => what), counts.map((one) => one.series)];
  await client.query({ ...SAVE, values: [raceId, venueSplitSuspect, ...names, ...flags, counts.map(({ n }) => n)] });
}

const COUNT = { name: 'archive-count', text: 'SELECT count_archived_race($1)' };

/** From the rows themselves, for a race whose prices are fixed. */
export async function recount(client: ClientBase, raceId: string): Promise<void> {
  await client.query({ ...COUNT, values: [raceId] });
}
