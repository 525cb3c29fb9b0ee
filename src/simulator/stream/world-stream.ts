// The simulated exchange's markets as a stream: an image of everything subscribed, then the changes, with complete
// definitions and prices as deltas. Its only state is what it last sent on this connection.
import { setTimeout as delay } from 'node:timers/promises';
import type {
  DefinedRunner,
  MarketChange,
  MarketDefinition,
  MarketSubscription,
  RunnerChange,
} from '../../feeds/betfair/stream/payload';
import { eventIdOf, eventTypeOf, matchedOn } from '../books/betfair/betfair';
import { type MarketRunner, marketAt, type SimulatedMarket, typesOf } from '../books/betfair/market';
import { hasStartingPrices, timelineOf, turnsInPlay } from '../books/betfair/timeline';
import { BETFAIR } from '../books/profiles';
import { opensAtMs } from '../books/view';
import type { Race } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import { racesOf, type World } from '../world/world';
import type { Publisher } from './server';

/** Wall time: nothing in the simulated market moves faster. */
const LOOK_EVERY_MS = 500;
/** A settled market stays until every subscriber has received it. */
const STAYS_MS = 10 * 60_000;

interface Sent {
  readonly definition: string;
  /** By selection id, as last sent. */
  readonly runners: ReadonlyMap<number, string>;
}

export function worldPublisher(world: World, now: () => number): Publisher {
  return {
    async publish(subscription, send, signal) {
      const sent = new Map<string, Sent>();
      for (let first = true; !signal.aborted; first = false) {
        const nowMs = now();
        const mc = marketsNow(world, subscription, nowMs).flatMap((market) => changeOf(market, sent));
        if (first || mc.length > 0) await send({ pt: nowMs, ...(first && { ct: 'SUB_IMAGE' as const }), mc });
        await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

function marketsNow(world: World, { marketFilter }: MarketSubscription, nowMs: number): SimulatedMarket[] {
  const { eventTypeIds, countryCodes, marketTypes, marketIds } = marketFilter;
  const races = [...world.listedDays(nowMs)].flatMap((day) => racesOf(world, day));
  return races
    .filter((race) => eventTypeIds?.includes(eventTypeOf(race)) ?? true)
    .filter((race) => countryCodes?.includes(race.meeting.track.country) ?? true)
    .filter((race) => isShown(race, nowMs))
    .flatMap((race) => typesOf(race).map((type) => marketAt(race, type, nowMs)))
    .filter(({ type }) => marketTypes?.includes(type) ?? true)
    .filter(({ marketId }) => marketIds?.includes(marketId) ?? true);
}

const isShown = (race: Race, nowMs: number): boolean =>
  nowMs >= opensAtMs(race, BETFAIR) && nowMs < timelineOf(race, 'WIN').closedMs + STAYS_MS;

function changeOf(market: SimulatedMarket, sent: Map<string, Sent>): MarketChange[] {
  const before = sent.get(market.marketId);
  const definition = JSON.stringify(definitionOf(market));
  const rows = market.runners.map((runner) => [runner.selectionId, JSON.stringify(pricesOf(runner))] as const);
  sent.set(market.marketId, { definition, runners: new Map(rows) });
  const rc = rows.flatMap(([id, text]) => (before?.runners.get(id) === text ? [] : [JSON.parse(text) as RunnerChange]));
  if (before?.definition === definition && rc.length === 0) return [];
  return [
    {
      id: market.marketId,
      ...(!before && { img: true }),
      ...(before?.definition !== definition && { marketDefinition: JSON.parse(definition) as MarketDefinition }),
      tv: matchedOn(market),
      rc,
    },
  ];
}

function definitionOf(market: SimulatedMarket): MarketDefinition {
  const { race, type, startMs, settledMs, runners } = market;
  const { track } = race.meeting;
  const marketTime = new Date(startMs).toISOString();
  return {
    bspMarket: hasStartingPrices(race, type),
    turnInPlayEnabled: turnsInPlay(race, type),
    eventId: eventIdOf(race.meeting),
    eventTypeId: eventTypeOf(race),
    numberOfWinners: market.winners,
    marketType: type,
    marketTime,
    suspendTime: marketTime,
    bspReconciled: market.bspReconciled,
    complete: true,
    inPlay: market.inPlay,
    numberOfActiveRunners: runners.filter((runner) => runner.status === 'ACTIVE').length,
    betDelay: market.inPlay ? 1 : 0,
    status: market.status,
    venue: track.name,
    countryCode: track.country,
    timezone: track.country === 'AU' ? 'Australia/Sydney' : 'Pacific/Auckland',
    openDate: new Date(Math.min(...race.meeting.races.map(firstStartMs))).toISOString(),
    version: market.version,
    ...(settledMs !== null && { settledTime: new Date(settledMs).toISOString() }),
    runners: runners.map(definedRunner),
  };
}

/** The live stream has no runner names. */
function definedRunner(runner: MarketRunner, index: number): DefinedRunner {
  const { selectionId, status, adjustmentFactor, removedMs, bsp } = runner;
  return {
    id: selectionId,
    status,
    sortPriority: index + 1,
    ...(adjustmentFactor !== null && { adjustmentFactor }),
    ...(removedMs !== null && { removalDate: new Date(removedMs).toISOString() }),
    ...(bsp !== null && { bsp }),
  };
}

/** The best price of each side; a side without an offer removes its level. */
function pricesOf({ selectionId, back, lay, lastTraded, matched }: MarketRunner): RunnerChange {
  return {
    id: selectionId,
    batb: [[0, back?.price ?? 0, back?.size ?? 0]],
    batl: [[0, lay?.price ?? 0, lay?.size ?? 0]],
    ...(lastTraded !== null && { ltp: lastTraded }),
    tv: matched,
  };
}
