// The consensus of each runner over the capture window, as a line to draw: the domain's running consensus at every
// instant at which a book changed a price. Changes too small to see are left out. Pure.
import { raceConsensus } from '../../domain/market/consensus';
import { type BookLines, type CapturedPrices, linesOf } from '../../domain/market/intelligence/captured';
import { RunningConsensus } from '../../domain/market/intelligence/running-consensus';
import { MIN_BOOKS, type PricePath } from './model';
import type { VisibleRace } from './source';

/** As a share of the price; a smaller change is less than a pixel. */
const VISIBLE_CHANGE = 0.003;

interface Change {
  readonly atMs: number;
  readonly book: number;
  readonly place: number;
  readonly price: number | null;
}

/** By runner number; the path of a runner that never had a consensus is empty. */
export function consensusPaths(
  race: VisibleRace,
  captured: readonly CapturedPrices[],
  nowMs: number,
): ReadonlyMap<number, PricePath> {
  const numbers = fieldOf(race, nowMs);
  const polledAtMs = new Map(race.compared.map((book) => [book.bookmaker, book.polledAtMs]));
  const lines = linesOf(captured, numbers, { startMs: race.startMs, nowMs, polledAtMs });
  const paths = numbers.map(() => new Path());
  follow(lines, numbers.length, nowMs, (atMs, probabilities, last) => {
    for (const [at, path] of paths.entries()) path.add(atMs, probabilities && 1 / probabilities[at]!, last);
  });
  return new Map(paths.map((path, at) => [numbers[at]!, path]));
}

/** The field of the consensus now; where there is none, as after the jump, all runners. */
function fieldOf(race: VisibleRace, nowMs: number): readonly number[] {
  const rules = { method: 'power', minBooks: MIN_BOOKS, includeStale: false } as const;
  const { runners } = raceConsensus({ ...race, books: race.compared }, rules, nowMs);
  const field = runners.filter(({ probability }) => probability !== null);
  return (field.length > 0 ? field : runners).map(({ number }) => number);
}

type OnChange = (atMs: number, probabilities: Float64Array | null, last: boolean) => void;

/** Calls back at each instant of change; with null where too few books price the field. */
function follow(lines: readonly BookLines[], size: number, nowMs: number, onChange: OnChange): void {
  const changes = changesOf(lines, nowMs);
  const running = new RunningConsensus(lines.length, size, MIN_BOOKS);
  changes.forEach(({ atMs, book, place, price }, i) => {
    running.set(book, place, price ?? 0);
    if (changes[i + 1]?.atMs === atMs) return;
    onChange(atMs, running.settle() ? running.probabilities : null, i === changes.length - 1);
  });
}

function changesOf(books: readonly BookLines[], nowMs: number): Change[] {
  const changes = books.flatMap(({ lines }, book) =>
    lines.flatMap((line, place) => {
      if (line === null) return [];
      const { atMs, prices, fromMs, untilMs } = line;
      const own = atMs.map((at, i): Change => ({ atMs: i === 0 ? fromMs : at, book, place, price: prices[i]! }));
      const until: Change[] = untilMs <= nowMs ? [{ atMs: untilMs, book, place, price: null }] : [];
      return [...own.filter((change) => change.atMs < untilMs), ...until];
    }),
  );
  return changes.sort((a, b) => a.atMs - b.atMs);
}

class Path implements PricePath {
  readonly atMs: number[] = [];
  readonly prices: (number | null)[] = [];

  add(atMs: number, price: number | null, last: boolean): void {
    const before = this.prices.at(-1) ?? null;
    if (price === before) return;
    if (!last && price !== null && before !== null && Math.abs(price / before - 1) < VISIBLE_CHANGE) return;
    this.atMs.push(atMs);
    this.prices.push(price);
  }
}
