// best-odds for many callers: the lines of a question are computed once in 20 seconds (A 8), and said again once a second with the
// ages of that whole second, so that most answers are bytes already made.
import type { BoardQuery } from '../../store/reads/board';
import type { Reads } from '../../store/reads/reads';
import { tagOf } from '../answer';
import { bestLines, type RaceLines } from '../present/best-lines';
import { presentBestRace } from '../present/best-race';
import { oldestAge } from '../present/freshness';
import { timedCache } from '../timed-cache';

const HELD_MS = 20_000;

/** What tells two questions apart: the window's own instants move with the clock and are not part of it. */
export interface BestOddsQuestion {
  readonly key: string;
  readonly betslip: boolean;
  readonly board: BoardQuery;
}

export interface Said {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly dataAgeSeconds: number | null;
}

export interface BestOddsBoard {
  answer(question: BestOddsQuestion, nowMs: number): Promise<Said>;
}

interface Computed {
  readonly lines: readonly RaceLines[];
  /** The last second said, by how it was held and for whom. */
  readonly said: Map<string, { second: number; said: Said }>;
}

export function createBestOddsBoard(reads: Reads): BestOddsBoard {
  const cache = timedCache<Computed>(HELD_MS);
  return {
    async answer({ key, betslip, board }, nowMs) {
      const compute = async (): Promise<Computed> => {
        const races = await reads.board(board);
        return { lines: races.map((race) => bestLines(race, nowMs)), said: new Map() };
      };
      const held = await cache.get(key, nowMs, compute);
      const second = Math.floor(nowMs / 1000);
      const heldSeconds = held.fresh ? null : Math.max(0, second - Math.floor(held.computedAtMs / 1000));
      const variant = `${betslip} ${held.fresh}`;
      const last = held.value.said.get(variant);
      if (last?.second === second) return last.said;
      const said = say(held.value.lines, { nowMs: second * 1000, heldSeconds, betslip });
      held.value.said.set(variant, { second, said });
      return said;
    },
  };
}

function say(lines: readonly RaceLines[], moment: Parameters<typeof presentBestRace>[1]): Said {
  const races = lines.map((one) => presentBestRace(one, moment));
  const json = JSON.stringify(races);
  return { bytes: Buffer.from(json), tag: tagOf(json), dataAgeSeconds: oldestAge(races) };
}
