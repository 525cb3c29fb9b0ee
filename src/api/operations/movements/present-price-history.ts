// Presents the price history of a race (B 2.4). Figures of a series use all its prices captured up to the jump,
// including points that are not returned; a price observed late is a point and counts in no figure (D63).
import type { Static } from '@sinclair/typebox';
import { countUpTo, openingCapture, stoodAtOpening } from '../../../domain/market/intelligence/captured';
import type { HistorySeries, PriceHistory } from '../../../store/reads/archive/price-history';
import type { RaceIdentity } from '../../../store/reads/races/race-window';
import { secsToJump } from '../../wire/present-freshness';
import { presentIdentity } from '../../wire/present-race';
import { roundPct } from '../../wire/rounded';
import type { PriceHistory as Schema } from './price-history-schema';

type Wire = Static<typeof Schema>;
type Runner = Wire['runners'][number];
type Book = Runner['bookmakers'][number];

interface Points {
  readonly include: boolean;
  /** Of the race; the latest are returned. */
  readonly most: number;
}

export function presentPriceHistory(
  race: RaceIdentity,
  history: PriceHistory,
  points: Points,
  historyFrom: string | null,
): Wire {
  const { series, startMs } = history;
  const returned = points.include ? latest(series, points.most) : null;
  const runners: Runner[] = [];
  let last: HistorySeries | null = null;
  for (const [i, one] of series.entries()) {
    if (last?.number !== one.number || last.runnerKey !== one.runnerKey)
      runners.push({ name: one.name ?? one.runnerKey, number: one.number, bookmakers: [] });
    runners.at(-1)!.bookmakers.push(presentBook(one, returned && returned[i]!, history));
    last = one;
  }
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  const sent = returned ? sum(returned) : 0;
  return {
    ...presentIdentity(race),
    start_time: new Date(startMs).toISOString(),
    history_from: historyFrom,
    points_returned: sent,
    truncated: returned !== null && sent < sum(series.map(({ atMs }) => atMs.length)),
    runners,
  };
}

/** How many of the race's latest points each series has. */
function latest(series: readonly HistorySeries[], most: number): readonly number[] {
  const all = series.flatMap(({ atMs }, of) => atMs.map((at) => ({ at, of })));
  if (all.length <= most) return series.map(({ atMs }) => atMs.length);
  all.sort((a, b) => b.at - a.at || a.of - b.of);
  const counts = series.map(() => 0);
  for (const { of } of all.slice(0, most)) counts[of]!++;
  return counts;
}

/** `returned`: how many points; null: the member is absent. */
function presentBook(one: HistorySeries, returned: number | null, { jumpMs, countsToMs, startMs }: PriceHistory): Book {
  const { bookmaker, atMs, prices, lays } = one;
  const pointAt = (i: number) => ({
    captured_at: new Date(atMs[i]!).toISOString(),
    secs_to_jump: secsToJump(jumpMs, atMs[i]!),
    win_price: prices[i]!,
    lay_price: lays?.[i] || null,
  });
  const count = prices.length;
  const counted = countUpTo(atMs, countsToMs);
  const figures =
    counted === 0 ? SEEN_LATE : figuresOf(atMs.slice(0, counted), prices.slice(0, counted), jumpMs, startMs);
  return {
    key: bookmaker,
    ...figures,
    points_count: count,
    ...(returned !== null && { points: Array.from({ length: returned }, (_, i) => pointAt(count - returned + i)) }),
  };
}

type Figures = Omit<Book, 'key' | 'points_count' | 'points'>;

function figuresOf(atMs: readonly number[], prices: readonly number[], jumpMs: number, startMs: number): Figures {
  const open = prices[0]!;
  const close = prices.at(-1)!;
  return {
    open_price: open,
    close_price: close,
    open_secs_to_jump: secsToJump(jumpMs, atMs[0]!),
    close_secs_to_jump: secsToJump(jumpMs, atMs.at(-1)!),
    open_is_baseline: openingCapture(atMs, startMs) === 0 && stoodAtOpening(atMs[0]!, startMs),
    high: Math.max(...prices),
    low: Math.min(...prices),
    move_pct: roundPct((close / open - 1) * 100),
  };
}

/** For a series without a price captured up to the jump. */
const SEEN_LATE: Figures = {
  open_price: null,
  close_price: null,
  open_secs_to_jump: null,
  close_secs_to_jump: null,
  open_is_baseline: false,
  high: null,
  low: null,
  move_pct: null,
};
