// The market of one race: the consensus of the books without their margins (A 2.5), the best price against it, and each
// runner's change in the last hour (A 2.6). By the domain's arithmetic. Pure.
import { bookmaker } from '../../domain/bookmakers';
import { analyse } from '../../domain/market/intelligence/analyse';
import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import type { FirstMover } from '../../domain/market/intelligence/first-mover';
import type { RunnerIntelligence } from '../../domain/market/intelligence/runner';
import { fluctuationsOf, type RaceFluctuations } from './course/fluctuations';
import { type ConsensusPrice, type FirstMoverView, MIN_BOOKS, type PriceSpan, type RunnerHour } from './model';
import { bestPath, bookPaths, settled, spanOf } from './price-paths';
import type { VisibleRace } from './source';

export interface RunnerMarket {
  readonly consensus: (ConsensusPrice & { readonly bestPrice: number | null }) | null;
  readonly hour: RunnerHour | null;
}

export interface RaceMarket {
  /** Books whose prices make up the consensus, of those that quote. */
  readonly included: number;
  /** By number; scratched runners have none. */
  readonly runners: ReadonlyMap<number, RunnerMarket>;
  readonly fluctuations: RaceFluctuations;
}

export function raceMarketOf(race: VisibleRace, captured: readonly CapturedPrices[], nowMs: number): RaceMarket {
  const { booksNow, runners } = analyse({ ...race, books: race.compared }, captured, MIN_BOOKS, nowMs);
  const paths = bookPaths(race, captured, nowMs);
  const marketOf = (runner: RunnerIntelligence): RunnerMarket => ({
    consensus: consensusOf(runner),
    hour: hourOf(runner, spanOf(settled(bestPath(paths.get(runner.number) ?? [])))),
  });
  return {
    included: booksNow,
    runners: new Map(runners.map((runner) => [runner.number, marketOf(runner)])),
    fluctuations: fluctuationsOf(race, captured, nowMs),
  };
}

function consensusOf({ consensus, best }: RunnerIntelligence): RunnerMarket['consensus'] {
  if (consensus.now === null) return null;
  return { price: consensus.now, bestPct: best?.vsConsensusPct ?? null, bestPrice: best?.price ?? null };
}

function hourOf(runner: RunnerIntelligence, best: PriceSpan | null): RunnerHour | null {
  if (best === null) return null;
  const { firming, drifting, withHistory } = runner.breadth;
  return {
    best,
    signal: runner.signal,
    movePct: runner.moveFromT60Pct,
    from: runner.consensus.t60,
    firming,
    drifting,
    withHistory,
    firstMover: firstMoverOf(runner.firstMover),
  };
}

const titleOf = (key: string): string => bookmaker(key)?.title ?? key;

function firstMoverOf(mover: FirstMover): FirstMoverView {
  if (mover.status === 'undetermined') return mover;
  const { status, atMs, leadSeconds, followers } = mover;
  return { status, book: titleOf(mover.bookmaker), atMs, leadSeconds, next: titleOf(followers[0]!) };
}
