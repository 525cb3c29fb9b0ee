// How complete a list of acceptances is, and its counts (reference-shapes 3.6). Pure; null is unknown, never 0. A count
// is a minimum if a race's runner set was not fully checked.

/** One acceptance as it counts. `scratched` is null if neither a sheet nor a book reports it. */
export interface CountedRunner {
  readonly number: number;
  readonly emergency: boolean;
  readonly scratched: boolean | null;
}

export interface Counts {
  readonly runner_count: number;
  readonly emergency_count: number | null;
  readonly declared_count: number | null;
  readonly scratched_count: number | null;
  readonly unscratched_count: number | null;
  readonly declared_scratched_count: number | null;
  readonly declared_remaining_count: number | null;
}

export const NO_COUNTS: Counts = countRunners([]);

/** declared = runners − emergencies; unscratched = runners − scratched; remaining = declared − declared scratched. */
export function countRunners(runners: readonly CountedRunner[]): Counts {
  const emergencies = runners.filter((runner) => runner.emergency).length;
  const isKnown = runners.every((runner) => runner.scratched !== null);
  const out = runners.filter((runner) => runner.scratched);
  const scratched = isKnown ? out.length : null;
  const declaredScratched = isKnown ? out.filter((runner) => !runner.emergency).length : null;
  const declared = runners.length - emergencies;
  return {
    runner_count: runners.length,
    emergency_count: emergencies,
    declared_count: declared,
    scratched_count: scratched,
    unscratched_count: scratched === null ? null : runners.length - scratched,
    declared_scratched_count: declaredScratched,
    declared_remaining_count: declaredScratched === null ? null : declared - declaredScratched,
  };
}

/** Null if a part is unknown. */
export function sumCounts(parts: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number | null): number | null =>
    parts.reduce<number | null>((total, part) => {
      const value = of(part);
      return total === null || value === null ? null : total + value;
    }, 0);
  return {
    runner_count: parts.reduce((total, part) => total + part.runner_count, 0),
    emergency_count: sum((counts) => counts.emergency_count),
    declared_count: sum((counts) => counts.declared_count),
    scratched_count: sum((counts) => counts.scratched_count),
    unscratched_count: sum((counts) => counts.unscratched_count),
    declared_scratched_count: sum((counts) => counts.declared_scratched_count),
    declared_remaining_count: sum((counts) => counts.declared_remaining_count),
  };
}

export type RunnerSetStatus = 'checks_passed' | 'gap_detected' | 'unverified';

export interface MissingRunner {
  readonly number: number;
  readonly name: string | null;
  readonly scratched: boolean | null;
  readonly source: 'scratching_sheet' | 'number_sequence';
}

export interface CheckedRace {
  readonly status: RunnerSetStatus;
  readonly missing: readonly MissingRunner[];
}

/** The evidence that a race's runner set is checked against. */
export interface RaceToCheck {
  readonly runners: readonly CountedRunner[];
  readonly sheet: readonly { readonly number: number; readonly name: string }[];
}

/**
 * Checks a meeting's races against the number of runners that its page states and against the sheet. A number that the
 * sheet names and the list lacks is a gap; so is a number left out of the sequence from 1, unless the number of stored
 * runners equals the stated number. If there is no stated number, or if the gaps do not explain it, a race without a
 * gap is unverified.
 *
 * @param stated the total that the page states, emergencies included; null if it states none
 */
export function checkRaces(races: readonly RaceToCheck[], stated: number | null): readonly CheckedRace[] {
  const count = races.reduce((sum, race) => sum + race.runners.length, 0);
  const isWhole = stated === count;
  const missing = races.map((race) => missingOf(race, isWhole));
  const gaps = missing.flat().filter(({ source }) => source === 'number_sequence').length;
  const explained = isWhole || (stated !== null && stated === count + gaps);
  return missing.map((rows) => {
    if (rows.length > 0) return { status: 'gap_detected', missing: rows };
    return { status: explained ? 'checks_passed' : 'unverified', missing: [] };
  });
}

function missingOf({ runners, sheet }: RaceToCheck, isWhole: boolean): MissingRunner[] {
  const numbers = new Set(runners.map(({ number }) => number));
  const named = sheet.filter(({ number }) => !numbers.has(number));
  const onSheet = new Set(named.map(({ number }) => number));
  const last = Math.max(0, ...numbers);
  const skipped = isWhole ? [] : range(last).filter((number) => !numbers.has(number) && !onSheet.has(number));
  const rows: MissingRunner[] = [
    ...named.map(({ number, name }) => ({ number, name, scratched: true, source: 'scratching_sheet' as const })),
    ...skipped.map((number) => ({ number, name: null, scratched: null, source: 'number_sequence' as const })),
  ];
  return rows.sort((a, b) => a.number - b.number);
}

const range = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

/** The worst status of a meeting's races; a meeting without races is unverified. */
export function worstStatus(statuses: readonly RunnerSetStatus[]): RunnerSetStatus {
  if (statuses.includes('gap_detected')) return 'gap_detected';
  return statuses.length === 0 || statuses.includes('unverified') ? 'unverified' : 'checks_passed';
}
