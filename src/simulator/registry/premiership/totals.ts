// The season's totals of every jockey and trainer, added up from the world's races. The days before today are added one at a time in the background:
// the hundred cards of a season take four seconds or, on a busy machine, sixteen, and most of the time is left to the books meanwhile.

import type { Day } from '../../../domain/race/race';
import { type PremiershipRole, seasonOf } from '../../../domain/registry/premiership';
import { addDays, aetDay } from '../../../domain/time/aet';
import { prizeOf } from '../../world/prizes';
import type { History, PastRace } from '../form/history';
import { tierOf } from './tiers';

export interface Totals {
  readonly starts: number;
  /** First to fifth. */
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
const BETWEEN_DAYS_MS = 40;
/** A pause is so many times as long as the day before it took. */
const PAUSES = 3;

export function createSeason(history: History): Season {
  const days = new Map<Day, Record<PremiershipRole, Board>>();
  let filling = false;
  const beginsOn = (nowMs: number): Day => {
    const season = `${seasonOf(aetDay(nowMs))}-08-01`;
    const world = history.beginsOn(nowMs);
    return season > world ? season : world;
  };
  const missing = (nowMs: number): Day | null => {
    for (let day = beginsOn(nowMs); day < aetDay(nowMs); day = addDays(day, 1)) if (!days.has(day)) return day;
    return null;
  };
  const fill = (nowMs: number): void => {
    const day = missing(nowMs);
    filling = day !== null;
    if (day === null) return;
    const beganMs = performance.now();
    days.set(day, boardsOf(history.racesOn(day, nowMs)));
    setTimeout(() => fill(nowMs), Math.max(BETWEEN_DAYS_MS, PAUSES * (performance.now() - beganMs))).unref();
  };
  return {
    beginsOn,
    of(role, states, tiers, nowMs) {
      const today = aetDay(nowMs);
      if (missing(nowMs) !== null) {
        if (!filling) fill(nowMs);
        return null;
      }
      const first = beginsOn(nowMs);
      const boards = [...days].flatMap(([day, one]) => (day >= first && day < today ? [one[role]] : []));
      const all = [...boards, boardsOf(history.racesOn(today, nowMs))[role]];
      const keys = states.flatMap((state) => tiers.map((tier) => `${state} ${tier}`));
      const sums = new Map<string, Totals>();
      for (const board of all)
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

function boardsOf(races: readonly PastRace[]): Record<PremiershipRole, Board> {
  const boards: Record<PremiershipRole, Board> = { jockey: new Map(), trainer: new Map() };
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
  return boards;
}
