// Maps Sportsbet's racecard, pure: the `Win or Place` market and its `L` prices.
// Results, deductions and top 2, 3 and 4 are on the card in undocumented shapes and are not read.
import type { FeedRunner, RaceFacts, RaceSnapshot } from '../../domain/race/feed-race';
import { NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { MarketStatus } from '../../domain/race/race';
import { type Batch, batchOf } from '../bulk';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import {
  asRow,
  countOf,
  idOf,
  instantOfSeconds,
  type JsonObject,
  listOf,
  numberOf,
  positiveOf,
  rowOf,
  textOf,
} from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { raceNameOf } from './list';

/** Null if it is not a racecard, or another race's. */
export function mapRacecard(payload: unknown, sourceRaceId: string): Mapped<RaceSnapshot> | null {
  const race = asRow(payload);
  if (!race || !Array.isArray(race.markets) || idOf(race.id) !== sourceRaceId) return null;
  const drops = countDrops();
  const value: RaceSnapshot = {
    sourceRaceId,
    startTime: instantOfSeconds(race.startTime),
    facts: factsOf(race),
    marketStatus: marketStatusOf(race.bettingStatus, drops),
    inPlay: null,
    runners: runnersOf(race, drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** Many racecards, in `events` or bare. An unreadable one costs only itself. */
export function mapRacecards(payload: unknown): Batch | null {
  const rows = Array.isArray(payload) ? payload : asRow(payload)?.events;
  return Array.isArray(rows) ? batchOf(rows, (row) => idOf(asRow(row)?.id), mapRacecard) : null;
}

function factsOf(race: JsonObject): RaceFacts {
  return {
    ...NO_FACTS,
    raceName: raceNameOf(race),
    distanceM: countOf(race.distance),
    trackCondition: textOf(race.trackStatus),
  };
}

const STATUSES: ReadonlyMap<string, MarketStatus> = new Map([
  ['PRICED', 'OPEN'],
  // In running or suspended: it may be priced again, so it is not read as closed.
  ['OFF', 'SUSPENDED'],
  ['RESULTED', 'CLOSED'],
]);

function marketStatusOf(bettingStatus: unknown, drops: Drops): MarketStatus | null {
  if (bettingStatus == null) return null;
  const status = STATUSES.get(textOf(bettingStatus) ?? '') ?? null;
  if (status === null) drops.add('status_unknown');
  return status;
}

const KEYS = { number: ['runnerNumber'], name: 'name' } as const;

function runnersOf(race: JsonObject, drops: Drops): FeedRunner[] {
  const market = listOf(race.markets)
    .map(rowOf)
    .find(({ name }) => name === 'Win or Place');
  if (!market) drops.add('win_market_missing');
  const priced = race.bettingStatus === 'PRICED';
  return readRunners(
    listOf(market?.selections),
    KEYS,
    (row, number, name) => runnerOf(row, number, name, priced, drops),
    drops,
  );
}

function runnerOf(row: JsonObject, number: number, name: string, priced: boolean, drops: Drops): FeedRunner {
  const scratched = row.isOut === true;
  const grams = positiveOf(row.weightGram);
  if ((textOf(row.result) ?? '-') !== '-') drops.add('result_without_documented_meaning');
  const live = livePrice(row, priced && !scratched, drops);
  return {
    number,
    name,
    barrier: countOf(row.drawNumber),
    jockey: textOf(row.jockey),
    trainer: textOf(row.trainer),
    weightKg: grams === null ? null : grams / 1000,
    form: textOf(row.shortForm),
    runnerRef: null,
    emergency: null,
    scratching: scratched ? OUT : null,
    ...winAndPlace(decimalOf(live, 'win'), decimalOf(live, 'place'), scratched, drops),
    toteWin: null,
  };
}

const NONE: JsonObject = Object.freeze({});

/** In a priced race only an active selection (`A`) can be backed: any other price is dropped and counted. */
function livePrice(row: JsonObject, backable: boolean, drops: Drops): JsonObject {
  const live = listOf(row.prices)
    .map(rowOf)
    .find(({ priceCode }) => priceCode === 'L');
  if (!live || !backable || (row.statusCode ?? 'A') === 'A') return live ?? NONE;
  drops.add('selection_not_active');
  return NONE;
}

/** The decimal as sent; if only the fraction is sent, 1 + n/d rounded to the cent. */
function decimalOf(price: JsonObject, leg: 'win' | 'place'): unknown {
  const decimal = price[`${leg}Price`];
  if (decimal != null) return decimal;
  const numerator = numberOf(price[`${leg}PriceNum`]);
  const denominator = positiveOf(price[`${leg}PriceDen`]);
  return numerator === null || denominator === null ? null : Math.round((1 + numerator / denominator) * 100) / 100;
}
