// Composes what each page shows. Many viewers cost one read: a page's values are cached for a second.
import { raceMeeting } from './meeting';
import type { Board, LiveBoard, PriceChart, RaceCard, RaceOutcome, RaceSheet, RaceView } from './model';
import { priceChartOf } from './price-chart';
import { CHOICES, EVERY_RACE, type RaceFilter } from './race-filter';
import { lastStaleFromMs, priceOf } from './runners';
import { stateOf, titleOf } from './sheet';
import type { BoardSource, VisibleRace } from './source';
import { pricesAsOf, standingSheetOf } from './standing-sheet';
import { type TimedCache, timedCache } from './timed-cache';

export interface LiveBoardDeps {
  readonly source: BoardSource;
  /** Race time, epoch milliseconds. */
  now(): number;
}

const NEXT_RACES = 12;
const JUMPED_RACES = 6;
const OUTCOMES = 5;
const CACHED_MS = 1000;
const RACES_CACHED = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createLiveBoard({ source, now }: LiveBoardDeps): LiveBoard {
  const next = timedCache<readonly VisibleRace[]>(CACHED_MS, CHOICES);
  const boards = timedCache<Board>(CACHED_MS, CHOICES);
  const views = timedCache<RaceView | null>(CACHED_MS, RACES_CACHED);
  const charts = timedCache<PriceChart | null>(CACHED_MS, RACES_CACHED);
  const nextRaces = async (nowMs: number, filter = EVERY_RACE) =>
    (await next.get(choiceOf(filter), nowMs, () => readNext(source, nowMs, filter))).value;

  async function ofRace<T>(cache: TimedCache<T | null>, raceId: string, read: (nowMs: number) => Promise<T | null>) {
    if (!UUID.test(raceId)) return null;
    const nowMs = now();
    return (await cache.get(raceId, nowMs, () => read(nowMs))).value;
  }

  return {
    async board(filter = EVERY_RACE) {
      const nowMs = now();
      const compute = async () => boardOf(source, await nextRaces(nowMs, filter), filter, nowMs);
      return (await boards.get(choiceOf(filter), nowMs, compute)).value;
    },
    race: (raceId) => ofRace(views, raceId, async (nowMs) => viewOf(source, raceId, await nextRaces(nowMs), nowMs)),
    chart: (raceId) => ofRace(charts, raceId, (nowMs) => chartOf(source, raceId, nowMs)),
  };
}

const choiceOf = ({ code, country, state }: RaceFilter): string => `${code}/${country}/${state}`;

/** Open for betting, next to jump first; past its advertised start a race stays until its market closes. */
async function readNext(source: BoardSource, nowMs: number, filter: RaceFilter): Promise<readonly VisibleRace[]> {
  const races = await source.boardRaces(NEXT_RACES + JUMPED_RACES, nowMs, filter);
  return races.filter((race) => stateOf(race, nowMs) !== 'jumped').slice(0, NEXT_RACES);
}

async function boardOf(
  source: BoardSource,
  next: readonly VisibleRace[],
  filter: RaceFilter,
  nowMs: number,
): Promise<Board> {
  const first = next[0];
  const [featured, jumped, outcomes] = await Promise.all([
    first ? sheetOf(source, first, nowMs) : null,
    source.jumpedRaces(JUMPED_RACES, nowMs, filter),
    source.outcomes(OUTCOMES, nowMs, filter),
  ]);
  return { next: next.map(cardOf), featured, jumped, outcomes };
}

async function viewOf(
  source: BoardSource,
  raceId: string,
  next: readonly VisibleRace[],
  nowMs: number,
): Promise<RaceView | null> {
  const race = await source.race(raceId, nowMs);
  if (race === null) return null;
  const [sheet, outcome, races] = await Promise.all([
    sheetOf(source, race, nowMs),
    source.outcome(raceId),
    source.meeting(raceId),
  ]);
  return { next: next.map(cardOf), meeting: raceMeeting(races, nowMs), sheet: placed(sheet, outcome), outcome };
}

/** With the finishing positions. */
function placed(sheet: RaceSheet, outcome: RaceOutcome | null): RaceSheet {
  const position = (number: number) => outcome?.placings.find((row) => row.number === number)?.position ?? null;
  return { ...sheet, runners: sheet.runners.map((runner) => ({ ...runner, position: position(runner.number) })) };
}

async function sheetOf(source: BoardSource, race: VisibleRace, nowMs: number): Promise<RaceSheet> {
  const [changes, captured] = await Promise.all([source.cardChanges(race.raceId), source.captured(race)]);
  return standingSheetOf(race, { captured, changes }, nowMs);
}

/** The favourite is the runner whose best price is the shortest. */
function cardOf(race: VisibleRace): RaceCard {
  let favourite: RaceCard['favourite'] = null;
  for (const { number, name, win } of race.runners) {
    const price = win.best?.price;
    if (price === undefined || (favourite !== null && price >= favourite.price)) continue;
    const at = race.books.filter((book) => priceOf(book, 'win', number) === price);
    favourite = { number, name, price, staleFromMs: lastStaleFromMs(at) };
  }
  return { ...titleOf(race), favourite };
}

async function chartOf(source: BoardSource, raceId: string, nowMs: number): Promise<PriceChart | null> {
  const race = await source.race(raceId, nowMs);
  if (race === null || !race.keepsPrices) return null;
  return priceChartOf(race, await source.captured(race), pricesAsOf(race, nowMs));
}
