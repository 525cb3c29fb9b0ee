// Maps a market of the stream to the same type as a polled one, pure. Null until its definition arrives.
import { isRemoved } from '../../../domain/prices/exchange';
import { asPrice } from '../../../domain/prices/price';
import type { ExchangeMarket, ExchangeRunner } from '../../../domain/race/feed-race';
import { instantOf, instantOfMs, numberOf, positiveOf, tallyOf } from '../../reading/read';
import { runnerNameOf } from '../names';
import type { MarketState, RunnerState } from './market-cache';
import type { DefinedRunner } from './payload';

export function marketOfStream({ id, definition, definedMs, runners, tv }: MarketState): ExchangeMarket | null {
  if (!definition) return null;
  return {
    marketId: id,
    marketType: definition.marketType,
    version: definition.version,
    status: definition.status,
    inPlay: definition.inPlay,
    bspReconciled: definition.bspReconciled,
    numberOfWinners: tallyOf(definition.numberOfWinners),
    activeRunners: tallyOf(definition.numberOfActiveRunners),
    totalMatched: numberOf(tv),
    marketTime: instantOf(definition.marketTime),
    settledAt: instantOf(definition.settledTime),
    publishedAt: instantOfMs(definedMs),
    runners: definition.runners.map((runner) => runnerOf(runner, runners.get(runner.id))),
  };
}

function runnerOf(defined: DefinedRunner, state: RunnerState | undefined): ExchangeRunner {
  const { number, name } = runnerNameOf(defined.name);
  const [backPrice, backSize] = state ? best(state, 'back') : NOTHING;
  const [layPrice, laySize] = state ? best(state, 'lay') : NOTHING;
  return {
    selectionId: defined.id,
    number,
    name,
    status: defined.status,
    backPrice: asPrice(backPrice),
    backSize: positiveOf(backSize),
    layPrice: asPrice(layPrice),
    laySize: positiveOf(laySize),
    lastTraded: asPrice(state?.ltp),
    tradedVolume: numberOf(state?.tv),
    // `NaN` if nothing was matched at starting price. A price that remains on a removed runner is void.
    bsp: isRemoved(defined.status) ? null : asPrice(numberOf(defined.bsp)),
    adjustmentFactor: numberOf(defined.adjustmentFactor),
    removedAt: instantOf(defined.removalDate),
  };
}

type Offer = readonly [price: number | null, size: number | null];
const NOTHING: Offer = [null, null];

/** Levels carry the best price directly; on a ladder the best price is the highest to back and the lowest to lay. */
function best({ atb, atl, batb, batl }: RunnerState, side: 'back' | 'lay'): Offer {
  const levels = side === 'back' ? batb : batl;
  if (levels.size > 0) return levels.get(Math.min(...levels.keys()))!;
  const ladder = side === 'back' ? atb : atl;
  if (ladder.size === 0) return NOTHING;
  const price = side === 'back' ? Math.max(...ladder.keys()) : Math.min(...ladder.keys());
  return [price, ladder.get(price)!];
}
