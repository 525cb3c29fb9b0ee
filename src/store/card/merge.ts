// Merges the cards of all books and the registry into one field and its facts. Pure: the same cards merge to the same
// field, in any order of arrival, so that a book which withdraws a scratching takes effect.
import { bookmaker } from '../../domain/bookmakers';
import type { FeedScratching } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { factsOf, type RaceFacts } from '../../domain/race/race-facts';
import { isVacantBox, runnerKey } from '../../domain/race/runner';
import type { BookCard, CardRunner } from './book-reply';

export interface StoredCard {
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

/** Best-ranked book first; a book without a rank only fills gaps. Ties by key, so that the order is stable. */
function byRank(cards: readonly StoredCard[]): readonly StoredCard[] {
  const rank = ({ bookmakerKey }: StoredCard): number => bookmaker(bookmakerKey)?.factsRank ?? 1000;
  return [...cards].sort((a, b) => rank(a) - rank(b) || (a.bookmakerKey < b.bookmakerKey ? -1 : 1));
}

/**
 * The card with the scratchings of these rows; an earlier one that they do not repeat is kept. Null: nothing is new.
 */
export function withScratchings(card: BookCard, rows: readonly Pick<CardRunner, 'number' | 'name' | 'scratching'>[]) {
  const runners = card.runners.map((runner) => {
    const same = rows.find(
      ({ number, name }) => number === runner.number && runnerKey(name) === runnerKey(runner.name),
    );
    return same?.scratching ? { ...runner, scratching: overEarlier(same.scratching, runner.scratching) } : runner;
  });
  return JSON.stringify(runners) === JSON.stringify(card.runners) ? null : { ...card, runners };
}

const overEarlier = (now: FeedScratching, before: FeedScratching | null): FeedScratching => ({
  at: now.at ?? before?.at ?? null,
  late: now.late ?? before?.late ?? null,
  winDeduction: now.winDeduction ?? before?.winDeduction ?? null,
  placeDeduction: now.placeDeduction ?? before?.placeDeduction ?? null,
});

/**
 * The registry's card of the race: its acceptances, and its scratching sheet with the reading at which each name
 * appeared.
 */
export interface OfficialCard {
  readonly facts: RaceFacts;
  readonly runners: readonly Omit<CardRunner, 'scratching'>[];
  readonly out: readonly { readonly number: number; readonly name: string; readonly sheetAt: Instant }[];
}

/**
 * Every number that a book lists or that is on the registry's sheet, ascending. A runner is scratched while any of them
 * has it scratched (A 2.2): a scratched runner is never priced. The registry's own field is used only until a book
 * names a runner, because an emergency that no book offers is not a runner of the market.
 */
export function mergeRunners(
  cards: readonly StoredCard[],
  registry: OfficialCard | null = null,
): readonly MergedRunner[] {
  const reported = new Map<number, CardRunner[]>();
  for (const { card } of byRank(cards)) {
    for (const runner of card.runners) reported.set(runner.number, [...(reported.get(runner.number) ?? []), runner]);
  }
  const alone = reported.size === 0 ? (registry?.runners ?? []) : [];
  const numbers = new Set([...reported.keys(), ...[...alone, ...(registry?.out ?? [])].map(({ number }) => number)]);
  return [...numbers].sort((a, b) => a - b).map((number) => mergeRunner(number, reported.get(number) ?? [], registry));
}

function mergeRunner(number: number, reported: readonly CardRunner[], registry: OfficialCard | null): MergedRunner {
  const entry = registry?.runners.find((runner) => runner.number === number);
  const sheet = registry?.out.find((row) => row.number === number);
  const named = reported.find((runner) => !isVacantBox(runner.name)) ?? reported[0];
  const name = (named ?? entry ?? sheet!).name;
  const key = runnerKey(name);
  // Take nothing from another runner under the same number.
  const same = reported.filter((runner) => runnerKey(runner.name) === key);
  const official = entry && runnerKey(entry.name) === key ? [entry] : [];
  const enriched = [...official, ...same];
  const out = reported.map((runner) => runner.scratching).filter((scratching) => scratching !== null);
  const sheetAt = sheet && runnerKey(sheet.name) === key ? sheet.sheetAt : null;
  return {
    number,
    name,
    runnerKey: key,
    barrier: first(enriched, (runner) => runner.barrier),
    jockey: first(enriched, (runner) => runner.jockey),
    trainer: first(enriched, (runner) => runner.trainer),
    weightKg: first(enriched, (runner) => runner.weightKg),
    form: first(enriched, (runner) => runner.form),
    runnerRef: first(enriched, (runner) => runner.runnerRef),
    // Books first: the registry's acceptances do not change when an emergency gets a start.
    emergency: first([...same, ...official], (runner) => runner.emergency),
    ...mergeScratchings(out, sheetAt),
  };
}

/**
 * The earliest of the books' own stamps, otherwise the registry's sheet (A 2.2); late if any book reports it late;
 * deductions of the best-ranked book that publishes them.
 */
function mergeScratchings(out: readonly FeedScratching[], sheetAt: Instant | null) {
  const stamps = out.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    scratched: out.length > 0 || sheetAt !== null,
    scratchedAt: stamps.sort()[0] ?? sheetAt,
    late: out.some(({ late }) => late) || first(out, ({ late }) => late),
    winDeduction: first(out, ({ winDeduction }) => winDeduction),
    placeDeduction: first(out, ({ placeDeduction }) => placeDeduction),
  };
}

/**
 * Each fact from the first that states it, in the order that its declaration has; books without a rank do not count
 * here.
 */
export function mergeFacts(cards: readonly StoredCard[], registry: OfficialCard | null = null): RaceFacts {
  const books = byRank(cards)
    .filter(({ bookmakerKey }) => bookmaker(bookmakerKey)?.factsRank != null)
    .map(({ card }) => card.facts);
  const official = registry ? [registry.facts] : [];
  const by = { books: [...books, ...official], registry: [...official, ...books], books_alone: books };
  return factsOf((key, fact) => first(by[fact.first], (facts) => facts[key]));
}

function first<T, V>(items: readonly T[], of: (item: T) => V | null): V | null {
  for (const item of items) {
    const value = of(item);
    // Undefined: the card was stored before the fact was declared.
    if (value !== null && value !== undefined) return value;
  }
  return null;
}
