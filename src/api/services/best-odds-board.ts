// best-odds for many callers: the lines of a question are computed once in 20 seconds (A 8), and said again once a second with the
// ages of that whole second, so that most answers are bytes already made.
import type { BoardQuery, BoardRace } from '../../store/reads/board';
import type { Reads } from '../../store/reads/reads';
import { tagOf } from '../answer';
import { type AgedJson, agedJson, fill, hole, membersOf } from '../present/aged-json';
import { bestLines, type RaceLines } from '../present/best-lines';
import { agesOf, presentBestRace } from '../present/best-race';
import type { BetslipLookup } from '../present/betslip';
import { oldestAge } from '../present/freshness';
import { timedCache } from '../timed-cache';
import type { BetslipBoard } from './betslip-links';

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

/** Best lines of a question, and their JSON but for the ages. */
interface Computed {
  readonly lines: readonly RaceLines[];
  readonly json: AgedJson;
  readonly tag: string;
  /** The last second said, to who computed it and to the others. */
  readonly said: Map<boolean, { second: number; said: Said }>;
}

export function createBestOddsBoard(reads: Reads, slips: BetslipBoard): BestOddsBoard {
  const cache = timedCache<Computed>(HELD_MS);
  return {
    async answer({ key, betslip, board }, nowMs) {
      const compute = async () => {
        const races = await reads.board(board);
        return computed(races, nowMs, betslip ? await slips.linksOf(races) : null);
      };
      const held = await cache.get(`${betslip} ${key}`, nowMs, compute);
      const { said } = held.value;
      const second = Math.floor(nowMs / 1000);
      const last = said.get(held.fresh);
      if (last?.second === second) return last.said;
      const heldSeconds = held.fresh ? null : Math.max(0, second - Math.floor(held.computedAtMs / 1000));
      const now = say(held.value, second * 1000, heldSeconds);
      said.set(held.fresh, { second, said: now });
      return now;
    },
  };
}

/** Holes are numbered race by race: one for each of its books, then one for the race itself. */
function computed(races: readonly BoardRace[], nowMs: number, betslip: BetslipLookup | null): Computed {
  const lines = races.map((race) => bestLines(race, nowMs));
  let next = 0;
  const wire = lines.map((one) => {
    const holes = new Map(one.race.books.map((book) => [book, next++]));
    return presentBestRace(one, { quote: (book) => hole(holes.get(book)!), race: hole(next++) }, betslip);
  });
  const json = agedJson(wire);
  return { lines, json, tag: tagOf(json.pieces.join('')), said: new Map() };
}

function say({ lines, json, tag }: Computed, nowMs: number, heldSeconds: number | null): Said {
  const members: string[] = [];
  const races = lines.map((one) => {
    const ages = agesOf(one, nowMs, heldSeconds);
    for (const book of one.race.books) members.push(membersOf(ages.quote(book)));
    members.push(membersOf(ages.race));
    return ages.race;
  });
  const bytes = Buffer.from(fill(json, members));
  // What a quote's freshness says beside its age (tier, stale) is part of the tag.
  return { bytes, tag: tagOf(`${tag}{${members.join(',')}}`), dataAgeSeconds: oldestAge(races) };
}
