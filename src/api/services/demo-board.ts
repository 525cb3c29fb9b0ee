// The sandbox's sample of the live board: a few Australian races, cut short, made once in 30 seconds.
import type { Static } from '@sinclair/typebox';
import type { BoardRace } from '../../store/reads/board';
import type { Reads } from '../../store/reads/reads';
import { windowOf } from '../board-window';
import type { DemoNextToGo } from '../schemas/demo';
import { timedCache } from '../timed-cache';
import { CUSTOMERS } from '../visibility';

export type DemoRace = Static<typeof DemoNextToGo>['races'][number];

export interface DemoBoard {
  nextToGo(nowMs: number): Promise<{ races: readonly DemoRace[]; cached: boolean }>;
}

const HELD_MS = 30_000;
const MOST = { races: 3, runners: 5, books: 3 };

export function createDemoBoard(reads: Reads): DemoBoard {
  const cache = timedCache<readonly DemoRace[]>(HELD_MS);
  return {
    async nextToGo(nowMs) {
      const held = await cache.get('next-to-go', nowMs, async () => {
        const window = { ...windowOf({ hours_ahead: 24 }, nowMs), countries: ['AU'], includeUnresolved: false };
        const races = await reads.board({ ...window, bookmakers: CUSTOMERS.bookmakers, limit: MOST.races });
        return races.map(sample);
      });
      return { races: held.value, cached: !held.fresh };
    },
  };
}

function sample(race: BoardRace): DemoRace {
  const { race_id, venue, race_number, category, start_time, country } = race;
  const runners = race.runners
    .filter((runner) => !runner.scratched)
    .slice(0, MOST.runners)
    .map(({ name, number }) => ({ name, number, bookmakers: bestQuotes(race, number) }));
  return { race_id, venue, race_number, category, start_time, country, runners };
}

function bestQuotes(race: BoardRace, number: number): DemoRace['runners'][number]['bookmakers'] {
  return race.books
    .flatMap((book) => {
      const price = book.win[book.numbers.indexOf(number)] ?? null;
      return price === null ? [] : [{ key: book.bookmaker, win_price: price, source_url: book.sourceUrl }];
    })
    .sort((a, b) => b.win_price - a.win_price)
    .slice(0, MOST.books);
}
