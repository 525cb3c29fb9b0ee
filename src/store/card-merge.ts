// What the race is, of all that the books say about it. Pure: the same cards always merge to the same field, in whatever order
// they arrived, so that a book which takes its word back is heard.
import { bookmaker } from '../domain/bookmakers';
import type { FeedScratching, RaceFacts } from '../domain/feed-race';
import { isVacantBox, runnerKey } from '../domain/runner';
import type { BookCard, CardRunner } from './book-reply';

export interface HeldCard {
  readonly bookmakerKey: string;
  readonly card: BookCard;
}

export interface MergedRunner extends Omit<CardRunner, 'scratching'> {
  readonly runnerKey: string;
  readonly scratched: boolean;
  readonly scratchedAt: string | null;
  readonly late: boolean | null;
  readonly winDeduction: number | null;
  readonly placeDeduction: number | null;
}

/** Best-believed book first; one without a rank only fills what nobody else says. Ties by key, so that the answer is one. */
export function byRank(cards: readonly HeldCard[]): readonly HeldCard[] {
  const rank = ({ bookmakerKey }: HeldCard): number => bookmaker(bookmakerKey)?.factsRank ?? 1000;
  return [...cards].sort((a, b) => rank(a) - rank(b) || (a.bookmakerKey < b.bookmakerKey ? -1 : 1));
}

/** Every number that a book lists, ascending. A runner is out while any book says so (A 2.2): a scratched runner is never priced. */
export function mergeRunners(cards: readonly HeldCard[]): readonly MergedRunner[] {
  const said = new Map<number, CardRunner[]>();
  for (const { card } of byRank(cards)) {
    for (const runner of card.runners) said.set(runner.number, [...(said.get(runner.number) ?? []), runner]);
  }
  return [...said.keys()].sort((a, b) => a - b).map((number) => mergeRunner(number, said.get(number)!));
}

function mergeRunner(number: number, said: readonly CardRunner[]): MergedRunner {
  const name = (said.find((runner) => !isVacantBox(runner.name)) ?? said[0]!).name;
  const key = runnerKey(name);
  // Another runner under the same number lends nothing to this one.
  const same = said.filter((runner) => runnerKey(runner.name) === key);
  const out = said.map((runner) => runner.scratching).filter((scratching) => scratching !== null);
  return {
    number,
    name,
    runnerKey: key,
    barrier: first(same, (runner) => runner.barrier),
    jockey: first(same, (runner) => runner.jockey),
    trainer: first(same, (runner) => runner.trainer),
    weightKg: first(same, (runner) => runner.weightKg),
    form: first(same, (runner) => runner.form),
    runnerRef: first(same, (runner) => runner.runnerRef),
    emergency: first(same, (runner) => runner.emergency),
    ...mergeScratchings(out),
  };
}

/** The earliest of the books' own stamps; late when any book says late; deductions of the best-believed book that publishes them. */
function mergeScratchings(out: readonly FeedScratching[]) {
  const stamps = out.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    scratched: out.length > 0,
    scratchedAt: stamps.sort()[0] ?? null,
    late: out.some(({ late }) => late) || first(out, ({ late }) => late),
    winDeduction: first(out, ({ winDeduction }) => winDeduction),
    placeDeduction: first(out, ({ placeDeduction }) => placeDeduction),
  };
}

/** Per fact the first book that states it; books without a rank are not asked about the race itself. */
export function mergeFacts(cards: readonly HeldCard[]): RaceFacts {
  const facts = byRank(cards)
    .filter(({ bookmakerKey }) => bookmaker(bookmakerKey)?.factsRank != null)
    .map(({ card }) => card.facts);
  return {
    raceName: first(facts, (f) => f.raceName),
    distanceM: first(facts, (f) => f.distanceM),
    trackCondition: first(facts, (f) => f.trackCondition),
    weather: first(facts, (f) => f.weather),
    raceClass: first(facts, (f) => f.raceClass),
    conditions: first(facts, (f) => f.conditions),
    prizeTotal: first(facts, (f) => f.prizeTotal),
    rail: first(facts, (f) => f.rail),
    trackName: first(facts, (f) => f.trackName),
    placesPaid: first(facts, (f) => f.placesPaid),
  };
}

function first<T, V>(items: readonly T[], of: (item: T) => V | null): V | null {
  for (const item of items) {
    const value = of(item);
    if (value !== null) return value;
  }
  return null;
}
