// One market of the exchange at an instant, before it is put into the format of a poll or of the stream. Pure in (race,
// market, instant).
import type { ExchangeMarketStatus, ExchangeRunnerStatus } from '../../../domain/race/feed-race';
import type { Race, Runner } from '../../world/race';
import { unit } from '../../world/random';
import { LADDERS } from '../ladder';
import { BETFAIR } from '../profiles';
import { type BookView, listViewOf, viewOf } from '../view';
import { hasStartingPrices, type MarketTimeline, type MarketType, timelineOf, winnersOf } from './timeline';

interface Offer {
  readonly price: number;
  readonly size: number;
}

export interface MarketRunner {
  readonly selectionId: number;
  readonly runner: Runner;
  readonly status: ExchangeRunnerStatus;
  readonly back: Offer | null;
  readonly lay: Offer | null;
  readonly lastTraded: number | null;
  readonly matched: number;
  readonly bsp: number | null;
  /** Per cent; null for greyhounds. */
  readonly adjustmentFactor: number | null;
  readonly removedMs: number | null;
}

export interface MarketHead {
  readonly marketId: string;
  readonly race: Race;
  readonly type: MarketType;
  readonly status: ExchangeMarketStatus;
  readonly startMs: number;
}

export interface SimulatedMarket extends MarketHead {
  readonly inPlay: boolean;
  readonly bspReconciled: boolean;
  readonly version: number;
  readonly winners: number;
  readonly settledMs: number | null;
  readonly runners: readonly MarketRunner[];
}

const FIRST_MARKET = 200_000_000;
const FIRST_VERSION = 4_380_000_000;
/** Most bets are matched in the last minutes. */
const MATCHED_WITHIN_MS = 5 * 60_000;
const MOST_MATCHED = 40_000;

const marketIdOf = (race: Race, type: MarketType): string =>
  `1.${FIRST_MARKET + 2 * race.serial + (type === 'WIN' ? 0 : 1)}`;

/** The race's serial and the market type of an id; null if the id has another format. */
export function readMarketId(id: string): { serial: number; type: MarketType } | null {
  const number = /^1\.(\d{1,15})$/.exec(id)?.[1];
  const above = Number(number) - FIRST_MARKET;
  return number !== undefined && above >= 0
    ? { serial: Math.floor(above / 2), type: above % 2 === 0 ? 'WIN' : 'PLACE' }
    : null;
}

/** No PLACE market if only the winner is paid. */
export const typesOf = (race: Race): readonly MarketType[] =>
  winnersOf(race, 'PLACE') > 1 ? ['WIN', 'PLACE'] : ['WIN'];

/** The values that lists show: nothing that needs a price. */
export function headAt(race: Race, type: MarketType, nowMs: number): MarketHead {
  const status = statusAt(timelineOf(race, type), nowMs);
  const startMs = listViewOf(race, BETFAIR, nowMs).state.advertisedStartMs;
  return { marketId: marketIdOf(race, type), race, type, status, startMs };
}

export function marketAt(race: Race, type: MarketType, nowMs: number): SimulatedMarket {
  const line = timelineOf(race, type);
  const view = viewOf(race, BETFAIR, nowMs);
  const status = statusAt(line, nowMs);
  const closed = status === 'CLOSED';
  return {
    marketId: marketIdOf(race, type),
    race,
    type,
    status,
    inPlay: line.inPlayMs !== null && nowMs >= line.inPlayMs,
    bspReconciled: line.bspMs !== null && nowMs >= line.bspMs,
    version: FIRST_VERSION + 2 * line.changes.filter((atMs) => atMs <= nowMs).length,
    startMs: view.state.advertisedStartMs,
    winners: winnersOf(race, type),
    settledMs: closed ? Math.floor(line.closedMs / 1000) * 1000 - 2000 : null,
    runners: race.runners.flatMap((runner, i) => runnerAt({ race, type, line, view, status, nowMs }, runner, i)),
  };
}

function statusAt(line: MarketTimeline, nowMs: number): ExchangeMarketStatus {
  if (nowMs >= line.closedMs) return 'CLOSED';
  if (line.inPlayMs !== null && nowMs >= line.inPlayMs) return nowMs < line.runOverMs ? 'OPEN' : 'SUSPENDED';
  if (nowMs >= line.offMs) return 'SUSPENDED';
  return line.pauses.some(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs) ? 'SUSPENDED' : 'OPEN';
}

interface At {
  readonly race: Race;
  readonly type: MarketType;
  readonly line: MarketTimeline;
  readonly view: BookView;
  readonly status: ExchangeMarketStatus;
  readonly nowMs: number;
}

function runnerAt(at: At, runner: Runner, index: number): MarketRunner[] {
  const { race, type, line, view, status, nowMs } = at;
  const started = view.state.promotions.some((row) => row.number === runner.number);
  if (runner.vacant || (runner.emergency && !started)) return [];
  const removedMs = removalOf(at, runner);
  const price = (type === 'WIN' ? view.win : view.place)[index]!;
  const offered = status === 'OPEN' && removedMs === null && price > 0;
  const size = 20 + Math.round(400 * unit(race.seed, 951, index, Math.floor(nowMs / 20_000)));
  const bsp = line.bspMs !== null && nowMs >= line.bspMs && price > 0 ? startingPrice(race, price, index) : null;
  const matched = price > 0 ? matchedOf(race, line, nowMs, index) : 0;
  return [
    {
      selectionId: race.serial * 100 + runner.number,
      runner,
      status: runnerStatus(at, runner, removedMs),
      back: offered ? { price, size } : null,
      lay: offered ? { price: rungAbove(price), size: Math.round(size / 2) } : null,
      lastTraded: matched > 0 ? price : null,
      matched,
      bsp: hasStartingPrices(race, type) ? bsp : null,
      adjustmentFactor: race.meeting.track.category === 'greyhound' ? null : shareOf(race, runner),
      removedMs,
    },
  ];
}

/** In whole seconds, one second before the removal shows. */
function removalOf({ line, nowMs }: At, { number }: Runner): number | null {
  const shownMs = line.removals.get(number) ?? (line.calledOff ? line.closedMs : null);
  return shownMs !== null && nowMs >= shownMs ? Math.floor(shownMs / 1000) * 1000 - 1000 : null;
}

function runnerStatus({ race, type, status }: At, { number }: Runner, removedMs: number | null): ExchangeRunnerStatus {
  if (removedMs !== null) return 'REMOVED';
  if (status !== 'CLOSED') return 'ACTIVE';
  const position = race.story.settled.find((placing) => placing.number === number)?.position ?? 99;
  return position <= winnersOf(race, type) ? 'WINNER' : 'LOSER';
}

const rungAbove = (price: number): number => LADDERS.fine.find((rung) => rung > price) ?? price * 1.2;

const startingPrice = (race: Race, price: number, index: number): number =>
  Math.max(1.01, Math.round(price * (0.97 + 0.06 * unit(race.seed, 952, index)) * 100) / 100);

function matchedOf(race: Race, { offMs }: MarketTimeline, nowMs: number, index: number): number {
  const grown = Math.exp(-Math.max(0, offMs - nowMs) / MATCHED_WITHIN_MS);
  return Math.round(MOST_MATCHED * unit(race.seed, 953, index) * grown * 100) / 100;
}

/** Share of the field's strength, per cent with three digits. */
function shareOf(race: Race, runner: Runner): number {
  const field = race.runners.filter((each) => !each.emergency && !each.vacant);
  const total = field.reduce((sum, each) => sum + Math.exp(each.strength), 0);
  return Math.round((100_000 * Math.exp(runner.strength)) / total) / 1000;
}
