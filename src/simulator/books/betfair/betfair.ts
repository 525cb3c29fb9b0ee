// Betfair Exchange's API-NG: the catalogue of its markets and their books, by POST and JSON, within the points that a
// request may cost. It omits the runners' weights, because their format is undocumented. The stream of the same markets
// is in stream/.
import type { Category } from '../../../domain/race/race';
import type {
  BookRunnerRow,
  CatalogueRequest,
  CatalogueRow,
  CatalogueRunnerRow,
  EventRow,
  MarketBookRequest,
  MarketBookRow,
  MarketFilter,
} from '../../../feeds/betfair/payload';
import type { Meeting, Race } from '../../world/race';
import { firstStartMs } from '../../world/story/race-times';
import { racesOf, type World } from '../../world/world';
import { type Book, type BookReply, json } from '../reply';
import {
  headAt,
  type MarketHead,
  type MarketRunner,
  marketAt,
  readMarketId,
  type SimulatedMarket,
  typesOf,
} from './market';
import { hasStartingPrices, type MarketType, turnsInPlay } from './timeline';

const PATHS = '/exchange/betting/rest/v1.0/';
const MOST_POINTS = 200;
const CATALOGUE_POINTS: Readonly<Record<string, number>> = { MARKET_DESCRIPTION: 1, RUNNER_METADATA: 1 };
const BOOK_POINTS: Readonly<Record<string, number>> = { EX_BEST_OFFERS: 5, SP_AVAILABLE: 3, SP_TRADED: 7 };
const BARE_BOOK_POINTS = 2;
const EVENT_TYPES: Readonly<Record<Category, { readonly id: string; readonly name: string }>> = {
  horse: { id: '7', name: 'Horse Racing' },
  harness: { id: '7', name: 'Horse Racing' },
  greyhound: { id: '4339', name: 'Greyhound Racing' },
};
const FIRST_EVENT = 30_000_000;
const LONGEST_DELAY_MS = 3 * 3_600_000;

export function betfairBook(world: World): Book {
  return ({ method, path, body, nowMs }) => {
    const call = method === 'POST' ? CALLS[path] : undefined;
    return call ? call(world, body, nowMs) : json(404, { message: 'Not Found' });
  };
}

const CALLS: Readonly<Record<string, (world: World, body: string, nowMs: number) => BookReply>> = {
  [`${PATHS}listMarketCatalogue/`]: listMarketCatalogue,
  [`${PATHS}listMarketBook/`]: listMarketBook,
};

function listMarketCatalogue(world: World, body: string, nowMs: number): BookReply {
  const { filter, marketProjection, maxResults } = JSON.parse(body) as CatalogueRequest;
  const points = marketProjection.reduce((sum, each) => sum + (CATALOGUE_POINTS[each] ?? 0), 0);
  if (points * maxResults > MOST_POINTS) return tooMuch();
  const found = marketsOf(world, filter, nowMs).sort((a, b) => a.startMs - b.startMs);
  return json(
    200,
    found.slice(0, maxResults).map((market) => catalogueRow(market, new Set(marketProjection), nowMs)),
  );
}

const tooMuch = (): BookReply => json(400, { errorCode: 'TOO_MUCH_DATA' });

/** Unsettled markets that match the filter. */
function marketsOf(world: World, filter: MarketFilter, nowMs: number): MarketHead[] {
  const days = [...world.listedDays(nowMs)].sort();
  const races = days.flatMap((day) => racesOf(world, day)).filter((race) => fits(race, filter));
  const isRequested = (type: MarketType): boolean => filter.marketTypeCodes?.includes(type) ?? true;
  const markets = races.flatMap((race) =>
    typesOf(race)
      .filter(isRequested)
      .map((type) => headAt(race, type, nowMs)),
  );
  return markets.filter(
    ({ marketId, status, startMs }) =>
      status !== 'CLOSED' && (filter.marketIds?.includes(marketId) ?? true) && startsIn(filter, startMs),
  );
}

function startsIn({ marketStartTime }: MarketFilter, startMs: number, slackMs = 0): boolean {
  if (!marketStartTime) return true;
  return startMs >= Date.parse(marketStartTime.from) - slackMs && startMs <= Date.parse(marketStartTime.to) + slackMs;
}

/**
 * The cheap part of the filter, before a race's markets are computed. Its start may still move, hence the tolerance.
 */
function fits(race: Race, filter: MarketFilter): boolean {
  const { eventTypeIds, eventIds, marketIds, marketCountries } = filter;
  const { track } = race.meeting;
  return (
    (eventTypeIds?.includes(EVENT_TYPES[track.category].id) ?? true) &&
    (eventIds?.includes(eventIdOf(race.meeting)) ?? true) &&
    (marketCountries?.includes(track.country) ?? true) &&
    (marketIds?.some((id) => readMarketId(id)?.serial === race.serial) ?? true) &&
    startsIn(filter, firstStartMs(race), LONGEST_DELAY_MS)
  );
}

export const eventIdOf = (meeting: Meeting): string => String(FIRST_EVENT + meeting.serial);
export const eventTypeOf = (race: Race): string => EVENT_TYPES[race.meeting.track.category].id;

function catalogueRow(market: MarketHead, requested: ReadonlySet<string>, nowMs: number): CatalogueRow {
  const { race, type, marketId } = market;
  const marketTime = new Date(market.startMs).toISOString();
  const description = {
    marketType: type,
    marketTime,
    bspMarket: hasStartingPrices(race, type),
    turnInPlayEnabled: turnsInPlay(race, type),
  };
  return {
    marketId,
    marketName: type === 'WIN' ? raceName(race) : 'To Be Placed',
    ...(requested.has('MARKET_START_TIME') && { marketStartTime: marketTime }),
    ...(requested.has('MARKET_DESCRIPTION') && { description }),
    ...(requested.has('EVENT_TYPE') && { eventType: EVENT_TYPES[race.meeting.track.category] }),
    ...(requested.has('EVENT') && { event: eventRow(race.meeting) }),
    ...(requested.has('RUNNER_DESCRIPTION') && {
      runners: marketAt(race, type, nowMs).runners.map((runner, i) =>
        catalogueRunner(race, runner, i, requested.has('RUNNER_METADATA')),
      ),
    }),
  };
}

/** Number, distance, class; only harness appends the gait. */
function raceName({ number, distanceM, raceClass, meeting }: Race): string {
  const gait = meeting.track.category === 'harness' ? ' Pace' : '';
  return `R${number} ${distanceM}m ${raceClass}${gait}`;
}

function eventRow(meeting: Meeting): EventRow {
  const { name, country } = meeting.track;
  const first = Math.min(...meeting.races.map(firstStartMs));
  return {
    id: eventIdOf(meeting),
    name: `${name} (${country === 'AU' ? 'AUS' : 'NZL'}) ${meeting.day}`,
    countryCode: country,
    timezone: country === 'AU' ? 'Australia/Sydney' : 'Pacific/Auckland',
    venue: name,
    openDate: new Date(first).toISOString(),
  };
}

function catalogueRunner(
  race: Race,
  { selectionId, runner }: MarketRunner,
  i: number,
  whole: boolean,
): CatalogueRunnerRow {
  const horse = race.meeting.track.category === 'horse' && {
    CLOTH_NUMBER: String(runner.number),
    STALL_DRAW: runner.barrier === null ? null : String(runner.barrier),
    JOCKEY_NAME: runner.jockey,
    TRAINER_NAME: runner.trainer,
    FORM: runner.form,
  };
  return {
    selectionId,
    runnerName: `${runner.number}. ${runner.name}`,
    handicap: 0,
    sortPriority: i + 1,
    ...(whole && { metadata: { runnerId: String(selectionId), ...horse } }),
  };
}

function listMarketBook(world: World, body: string, nowMs: number): BookReply {
  const { marketIds, priceProjection } = JSON.parse(body) as MarketBookRequest;
  const requested = new Set<string>(priceProjection?.priceData ?? []);
  const points = [...requested].reduce((sum, each) => sum + (BOOK_POINTS[each] ?? MOST_POINTS), 0) || BARE_BOOK_POINTS;
  if (points * marketIds.length > MOST_POINTS) return tooMuch();
  return json(
    200,
    marketIds.flatMap((id) => bookRow(world, id, requested, nowMs)),
  );
}

function bookRow(world: World, id: string, requested: ReadonlySet<string>, nowMs: number): MarketBookRow[] {
  const meant = readMarketId(id);
  const race = meant && world.raceBySerial(meant.serial, nowMs);
  if (!meant || !race || !typesOf(race).includes(meant.type)) return [];
  const market = marketAt(race, meant.type, nowMs);
  return [
    {
      marketId: id,
      isMarketDataDelayed: false,
      status: market.status,
      betDelay: market.inPlay ? 1 : 0,
      bspReconciled: market.bspReconciled,
      complete: true,
      inplay: market.inPlay,
      numberOfWinners: market.winners,
      numberOfRunners: market.runners.length,
      numberOfActiveRunners: market.runners.filter((runner) => runner.status === 'ACTIVE').length,
      totalMatched: matchedOn(market),
      version: market.version,
      runners: market.runners.map((runner) => runnerRow(runner, requested)),
    },
  ];
}

export const matchedOn = ({ runners }: SimulatedMarket): number =>
  Math.round(runners.reduce((sum, runner) => sum + runner.matched, 0) * 100) / 100;

function runnerRow(runner: MarketRunner, requested: ReadonlySet<string>): BookRunnerRow {
  const { selectionId, status, adjustmentFactor, removedMs, lastTraded, matched, bsp, back, lay } = runner;
  return {
    selectionId,
    handicap: 0,
    status,
    ...(adjustmentFactor !== null && { adjustmentFactor }),
    ...(removedMs !== null && { removalDate: new Date(removedMs).toISOString() }),
    ...(lastTraded !== null && { lastPriceTraded: lastTraded }),
    totalMatched: matched,
    ...(requested.has('SP_TRADED') && { sp: { actualSP: bsp ?? 'NaN' } }),
    ...(requested.has('EX_BEST_OFFERS') && {
      ex: { availableToBack: back ? [back] : [], availableToLay: lay ? [lay] : [] },
    }),
  };
}
