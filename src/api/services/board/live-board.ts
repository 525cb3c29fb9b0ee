// Assembles what the pages show from the reads and the domain's rules, for customers' eyes (A 1): the same best line, placeholder rule
// and staleness as the API's. Many viewers cost one reading: a board is held for a second.
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../domain/bookmakers';
import type { LiveReads, OutcomeRow } from '../../../store/reads/live-board';
import { captureBound } from '../../../store/reads/prices/captured-prices';
import type { BoardRace } from '../../../store/reads/races/board';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { Reads } from '../../../store/reads/reads';
import { CUSTOMERS } from '../../access/visibility';
import { bestLines } from '../../present/prices/best-lines';
import type { Board, LiveBoard, PriceChart, RaceCard, RaceOutcome, RaceSheet, RaceView } from './model';
import { priceChartOf } from './price-chart';
import { marksAt } from './price-paths';
import { raceMarketOf } from './race-market';
import { raceSheetOf, stateOf, titleOf } from './sheet';
import { type TimedCache, timedCache } from './timed-cache';

export interface LiveBoardDeps {
  readonly reads: Pick<Reads, 'board' | 'capturedPrices'>;
  readonly liveReads: LiveReads;
  /** Race time, epoch milliseconds. */
  now(): number;
}

const NEXT_RACES = 12;
const OFF_RACES = 6;
const OUTCOMES = 5;
const MOVE_OVER_MS = 5 * 60_000;
const HELD_MS = 1000;
const RACES_HELD = 200;
const HOUR_MS = 3_600_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createLiveBoard(deps: LiveBoardDeps): LiveBoard {
  const next = timedCache<readonly BoardRace[]>(HELD_MS, 1);
  const boards = timedCache<Board>(HELD_MS, 1);
  const views = timedCache<RaceView | null>(HELD_MS, RACES_HELD);
  const charts = timedCache<PriceChart | null>(HELD_MS, RACES_HELD);
  const nextRaces = async (nowMs: number) => (await next.get('next', nowMs, () => readNext(deps, nowMs))).value;

  async function ofRace<T>(held: TimedCache<T | null>, raceId: string, read: (nowMs: number) => Promise<T | null>) {
    if (!UUID.test(raceId)) return null;
    const nowMs = deps.now();
    return (await held.get(raceId, nowMs, () => read(nowMs))).value;
  }

  return {
    async board() {
      const nowMs = deps.now();
      const compute = async () => boardOf(deps, await nextRaces(nowMs), nowMs);
      return (await boards.get('board', nowMs, compute)).value;
    },
    race: (raceId) => ofRace(views, raceId, async (nowMs) => viewOf(deps, raceId, await nextRaces(nowMs), nowMs)),
    chart: (raceId) => ofRace(charts, raceId, (nowMs) => chartOf(deps, raceId, nowMs)),
  };
}

/** Open for betting, next to jump first; past its advertised start a race stays until it is seen to jump. */
async function readNext({ reads }: LiveBoardDeps, nowMs: number): Promise<readonly BoardRace[]> {
  const races = await reads.board({
    from: iso(nowMs - HOUR_MS),
    until: iso(nowMs + 24 * HOUR_MS),
    includeUnresolved: true,
    bookmakers: CUSTOMER_BOOKMAKER_KEYS,
    limit: NEXT_RACES + OFF_RACES,
  });
  return races.filter((race) => stateOf(onBoard(race), nowMs) !== 'jumped').slice(0, NEXT_RACES);
}

/** What the board's read returns has neither been seen to jump by the lifecycle nor left. */
const onBoard = (race: BoardRace): LiveRace => ({ ...race, jumped_at: null, left_board_at: null });

async function boardOf(deps: LiveBoardDeps, next: readonly BoardRace[], nowMs: number): Promise<Board> {
  const first = next[0];
  const [featured, off, outcomes] = await Promise.all([
    first ? sheetOf(deps, onBoard(first), nowMs) : null,
    deps.liveReads.offRaces(iso(nowMs), CUSTOMER_BOOKMAKER_KEYS, OFF_RACES),
    deps.liveReads.outcomes(iso(nowMs), OUTCOMES),
  ]);
  return {
    next: next.map((race) => cardOf(race, nowMs)),
    featured,
    jumped: off.map((race) => ({ ...titleOf(race), jumpedMs: Date.parse(race.jumped_at) })),
    outcomes: outcomes.map(outcomeOf),
  };
}

async function viewOf(
  deps: LiveBoardDeps,
  raceId: string,
  next: readonly BoardRace[],
  nowMs: number,
): Promise<RaceView | null> {
  const race = await deps.liveReads.race(raceId, CUSTOMER_BOOKMAKER_KEYS);
  if (race === null) return null;
  const [sheet, outcome] = await Promise.all([sheetOf(deps, race, nowMs), deps.liveReads.outcome(raceId)]);
  return {
    next: next.map((one) => cardOf(one, nowMs)),
    sheet,
    outcome: outcome && outcomeOf(outcome),
  };
}

async function sheetOf(deps: LiveBoardDeps, race: LiveRace, nowMs: number): Promise<RaceSheet> {
  const [news, captured] = await Promise.all([
    deps.liveReads.cardDetails(race.race_id, CUSTOMER_BOOKMAKER_KEYS),
    capturedOf(deps, race),
  ]);
  const marks = marksAt(captured, nowMs - MOVE_OVER_MS);
  return raceSheetOf(race, { marks, news, market: raceMarketOf(race, captured, nowMs) }, nowMs);
}

/** Prices are told until the race leaves the board (A 3). */
async function chartOf(deps: LiveBoardDeps, raceId: string, nowMs: number): Promise<PriceChart | null> {
  const race = await deps.liveReads.race(raceId, CUSTOMER_BOOKMAKER_KEYS);
  if (race === null || race.left_board_at !== null) return null;
  return priceChartOf(race, await capturedOf(deps, race), nowMs);
}

const capturedOf = ({ reads }: LiveBoardDeps, { race_id, startMs }: LiveRace) =>
  reads.capturedPrices({ raceIds: [race_id], bookmakers: CUSTOMERS.compared, from: captureBound([startMs]) });

/** The favourite is the runner that the best prices make shortest. */
function cardOf(race: BoardRace, nowMs: number): RaceCard {
  let favourite: RaceCard['favourite'] = null;
  for (const { runner, win } of bestLines(race, nowMs).runners) {
    const price = win.best?.price;
    if (price === undefined || (favourite !== null && price >= favourite.price)) continue;
    favourite = { number: runner.number, name: runner.name, price };
  }
  return { ...titleOf(race), favourite };
}

function outcomeOf(row: OutcomeRow): RaceOutcome {
  const positions = row.placings.map((placing) => placing.position);
  const dividends = row.dividends as Pick<RaceOutcome, 'straight' | 'exotics'> | null;
  return {
    ...titleOf(row),
    status: row.status,
    note: row.status_note,
    protest: row.protest,
    resultedMs: row.resulted_at === null ? null : Date.parse(row.resulted_at),
    placings: row.placings.map((placing) => ({
      position: placing.position,
      number: placing.number,
      name: placing.name,
      deadHeat: positions.filter((position) => position === placing.position).length > 1,
      win: placing.win_price,
      place: placing.place_price,
      sp: row.runners?.find((runner) => runner.number === placing.number)?.sp ?? null,
    })),
    straight: dividends?.straight ?? [],
    exotics: dividends?.exotics ?? [],
  };
}
