// The course of each runner's best win price: the first of the capture window (A 2.7) and the one that stood at each
// mark before the advertised start, by the domain's own reading of the captures (A 2.6). Never a price that a book was
// not seen to offer then: the archive of the race has the same figures. Pure.
import { standingBest } from '../../../domain/clv/best-at-marks';
import {
  type BookLines,
  type CapturedPrices,
  countUpTo,
  linesOf,
  windowOpensMs,
} from '../../../domain/market/intelligence/captured';
import { markMs } from '../../../domain/market/intelligence/marks';
import type { PricePath } from '../model';
import { bestPath, pathOf, settled } from '../price-paths';
import type { VisibleRace } from '../source';
import { FLUCTUATION_MARKS, type FluctuationMark, type Fluctuations, type PricedAt } from './course';

export interface RaceFluctuations {
  /** Marks at or after which a compared book was polled: until then nothing is known of them. */
  readonly reached: readonly FluctuationMark[];
  /** By number, without scratched runners. */
  readonly runners: ReadonlyMap<number, Fluctuations>;
}

export const NO_FLUCTUATIONS: Fluctuations = { first: null, marks: { t60: null, t30: null, t10: null, t5: null } };

type Read = Pick<VisibleRace, 'startMs' | 'runners' | 'compared'>;

export function fluctuationsOf(race: Read, captured: readonly CapturedPrices[], nowMs: number): RaceFluctuations {
  const { startMs } = race;
  const numbers = race.runners.filter(({ scratched }) => !scratched).map(({ number }) => number);
  const polledAtMs = new Map(race.compared.map((book) => [book.bookmaker, book.polledAtMs]));
  const lines = linesOf(captured, numbers, { startMs, nowMs, polledAtMs });
  const seen = lines.map((book) => untilStale(book, polledAtMs.get(book.bookmaker)!));
  const proven = lines.map((book) => endingAt(book, polledAtMs.get(book.bookmaker)! + 1));
  const lastPollMs = Math.min(nowMs, Math.max(...polledAtMs.values()));
  const reached = FLUCTUATION_MARKS.filter((mark) => markMs(mark, startMs) <= lastPollMs);
  const at = (mark: FluctuationMark, place: number): number | null =>
    reached.includes(mark) ? (standingBest(proven, place, markMs(mark, startMs))?.price ?? null) : null;
  const isOpen = windowOpensMs(startMs) <= nowMs;
  const courses = numbers.map((number, place): [number, Fluctuations] => {
    const marks = { t60: at('t60', place), t30: at('t30', place), t10: at('t10', place), t5: at('t5', place) };
    return [number, { first: isOpen ? firstOf(seen, place, startMs) : null, marks }];
  });
  return { reached, runners: new Map(courses) };
}

/** Only a poll at a mark or after it proves a price there: a book that is read no more would take it back. */
const endingAt = ({ bookmaker, lines }: BookLines, endMs: number): BookLines => ({
  bookmaker,
  lines: lines.map((line) => line && { ...line, untilMs: Math.min(line.untilMs, endMs) }),
});

/** A book that is stale was last seen at its last poll: what it offered from then on is unknown. */
const untilStale = ({ bookmaker, lines }: BookLines, polledMs: number): BookLines => ({
  bookmaker,
  lines: lines.map((line) => {
    if (line === null || line.untilMs === Number.POSITIVE_INFINITY) return line;
    return { ...line, untilMs: Math.min(line.untilMs, polledMs) };
  }),
});

function firstOf(lines: readonly BookLines[], place: number, startMs: number): PricedAt | null {
  const own = lines.flatMap(({ bookmaker, lines: all }) => {
    const line = all[place];
    return line ? [{ bookmaker, path: pathOf(line) }] : [];
  });
  return firstFrom(settled(bestPath(own)), windowOpensMs(startMs));
}

/** After the start was put back, captures reach behind the window: the price that stood when it opened. */
function firstFrom({ atMs, prices }: PricePath, opensMs: number): PricedAt | null {
  const standing = prices[countUpTo(atMs, opensMs) - 1] ?? null;
  if (standing !== null) return { price: standing, atMs: opensMs };
  const i = prices.findIndex((price, at) => price !== null && atMs[at]! > opensMs);
  return i < 0 ? null : { price: prices[i]!, atMs: atMs[i]! };
}
