// The season's totals of every jockey and trainer, added up from the world's races. The days before today are added one
// at a time in the background: the hundred cards of a season take four seconds or, on a busy machine, sixteen, and the
// books meanwhile get most of the time.

import type { Day } from '../../../domain/race/race';
import { type PremiershipRole, seasonOf } from '../../../domain/registry/premiership';
import { addDays, aetDay } from '../../../domain/time/aet';
import { prizeOf } from '../../world/prizes';
import { inBackground } from '../form/background';
import type { History, PastRace } from '../form/history';
import { tierOf } from './tiers';

export interface Totals {
  readonly starts: number;
  /** The counts of first to fifth places. */
  readonly places: readonly number[];
  readonly prizeMoney: number;
}

/** By `state tier`, then by name. */
type Board = Map<string, Map<string, Totals>>;

export interface Season {
  /** Null while the days before today are being added. */
  of(
    role: PremiershipRole,
    states: readonly string[],
    tiers: readonly string[],
    nowMs: number,
  ): ReadonlyMap<string, Totals> | null;
  /** The first day that counts. */
  beginsOn(nowMs: number): Day;
}

const NOTHING: Totals = { starts: 0, places: [0, 0, 0, 0, 0], prizeMoney: 0 };

type Boards = Record<PremiershipRole, Board>;

const emptyBoards = (): Boards => ({ jockey: new Map(), trainer: new Map() });

/** The totals of the days from `from` to the one before `next`. */
interface Sum {
  readonly from: Day;
  readonly boards: Boards;
  next: Day;
}

function addedUp(history: History, from: Day, end: Day, nowMs: number): Boards {
  const boards = emptyBoards();
  for (let day = from; day < end; day = addDays(day, 1)) addRaces(boards, history.racesOn(day, nowMs));
  return boards;
}

export function createSeason(history: History): Season {
  let sum: Sum | null = null;
  let filling = false;
  const beginsOn = (nowMs: number): Day => {
    const season = `${seasonOf(aetDay(nowMs))}-08-01`;
    const world = history.beginsOn(nowMs);
    return season > world ? season : world;
  };
  /** A new season or a new month begins with another day: the sum then starts over. */
  const sumFrom = (from: Day): Sum => {
    if (sum?.from !== from) sum = { from, next: from, boards: emptyBoards() };
    return sum;
  };
  /**
   * The boards of the days before `today`; null while they are being added. An instant before those that were added
   * gets its own sum.
   */
  const boardsBefore = (today: Day, nowMs: number): Boards | null => {
    const from = beginsOn(nowMs);
    if (sum !== null && today < sum.next) return addedUp(history, from, today, nowMs);
    const { next, boards } = sumFrom(from);
    if (next === today) return boards;
    if (!filling) inBackground(() => addDay(nowMs));
    return null;
  };
  const addDay = (nowMs: number): boolean => {
    const one = sumFrom(beginsOn(nowMs));
    filling = one.next < aetDay(nowMs);
    if (!filling) return false;
    addRaces(one.boards, history.racesOn(one.next, nowMs));
    one.next = addDays(one.next, 1);
    return true;
  };
  return {
    beginsOn,
    of(role, states, tiers, nowMs) {
      const today = aetDay(nowMs);
      const boards = boardsBefore(today, nowMs);
      if (boards === null) return null;
      const ofToday = emptyBoards();
      addRaces(ofToday, history.racesOn(today, nowMs));
      const keys = states.flatMap((state) => tiers.map((tier) => `${state} ${tier}`));
      const sums = new Map<string, Totals>();
      for (const board of [boards[role], ofToday[role]])
        for (const key of keys) for (const [name, totals] of board.get(key) ?? []) add(sums, name, totals);
      return sums;
    },
  };
}

function add(to: Map<string, Totals>, name: string, more: Totals): void {
  const { starts, places, prizeMoney } = to.get(name) ?? NOTHING;
  to.set(name, {
    starts: starts + more.starts,
    places: places.map((count, i) => count + more.places[i]!),
    prizeMoney: prizeMoney + more.prizeMoney,
  });
}

function addRaces(boards: Boards, races: readonly PastRace[]): void {
  for (const race of races.filter(({ track }) => track.category === 'horse')) {
    const key = `${race.track.state} ${tierOf(race.track.name)}`;
    for (const runner of race.field) {
      const totals: Totals = {
        starts: 1,
        places: [1, 2, 3, 4, 5].map((place) => (runner.position === place ? 1 : 0)),
        prizeMoney: prizeOf(race.prizes, race.field, runner),
      };
      for (const role of ['jockey', 'trainer'] as const) {
        const name = runner[role];
        if (name === null) continue;
        const board = boards[role].get(key) ?? new Map<string, Totals>();
        boards[role].set(key, board);
        add(board, name, totals);
      }
    }
  }
}
