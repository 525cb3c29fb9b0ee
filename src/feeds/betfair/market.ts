// One market of `listMarketBook` as an ExchangeMarket, pure. The reply has no names; they come from the catalogue.

import { isRemoved } from '../../domain/prices/exchange';
import { asPrice } from '../../domain/prices/price';
import type {
  ExchangeMarket,
  ExchangeMarketStatus,
  ExchangeRunner,
  ExchangeRunnerStatus,
} from '../../domain/race/feed-race';
import type { Drops } from '../reading/drops';
import {
  asRow,
  idOf,
  instantOf,
  type JsonObject,
  listOf,
  numberOf,
  positiveOf,
  rowOf,
  serialOf,
  tallyOf,
} from '../reading/read';
import type { CatalogueMarket } from './catalogue';

export const MARKET_STATUSES: readonly ExchangeMarketStatus[] = ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'];
export const RUNNER_STATUSES: readonly ExchangeRunnerStatus[] = [
  'ACTIVE',
  'WINNER',
  'LOSER',
  'PLACED',
  'REMOVED',
  'REMOVED_VACANT',
  'HIDDEN',
];

/** Null if it is not a market, or its status or version is missing. */
export function marketOfBook(raw: unknown, market: CatalogueMarket, drops: Drops): ExchangeMarket | null {
  const row = asRow(raw);
  const status = MARKET_STATUSES.find((one) => one === row?.status);
  const version = serialOf(row?.version);
  if (!row || !status || !version || idOf(row.marketId) !== market.marketId || !Array.isArray(row.runners)) return null;
  return {
    marketId: market.marketId,
    marketType: market.marketType,
    version,
    status,
    inPlay: row.inplay === true,
    bspReconciled: row.bspReconciled === true,
    numberOfWinners: tallyOf(row.numberOfWinners),
    activeRunners: tallyOf(row.numberOfActiveRunners),
    totalMatched: numberOf(row.totalMatched),
    // Not in the reply; the catalogue's start may be out of date.
    marketTime: null,
    settledAt: null,
    publishedAt: null,
    runners: listOf(row.runners).flatMap((runner) => runnerOf(asRow(runner), market, drops)),
  };
}

function runnerOf(row: JsonObject | null, market: CatalogueMarket, drops: Drops): ExchangeRunner[] {
  const selectionId = serialOf(row?.selectionId);
  const status = RUNNER_STATUSES.find((one) => one === row?.status);
  if (!row || !selectionId || !status) {
    drops.add('selection_unreadable');
    return [];
  }
  const named = market.runners.find((runner) => runner.selectionId === selectionId);
  const { availableToBack, availableToLay } = rowOf(row.ex);
  const back = bestOf(availableToBack);
  const lay = bestOf(availableToLay);
  return [
    {
      selectionId,
      number: named?.number ?? null,
      name: named?.name ?? null,
      status,
      backPrice: asPrice(back.price),
      backSize: positiveOf(back.size),
      layPrice: asPrice(lay.price),
      laySize: positiveOf(lay.size),
      lastTraded: asPrice(row.lastPriceTraded),
      tradedVolume: numberOf(row.totalMatched),
      bsp: isRemoved(status) ? null : asPrice(numberOf(rowOf(row.sp).actualSP)),
      adjustmentFactor: numberOf(row.adjustmentFactor),
      removedAt: instantOf(row.removalDate),
    },
  ];
}

/** The best price comes first. */
export const bestOf = (ladder: unknown): JsonObject => rowOf(listOf(ladder)[0]);
