// The sandbox's sample of the live board: a few Australian races, truncated, computed once in 30 seconds for all API
// processes.
import type { Static } from '@sinclair/typebox';
import { bestWin } from '../../../domain/prices/best-price';
import type { BoardRace } from '../../../store/reads/races/board';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { windowOf } from '../../kernel/endpoint/board-window';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import type { DemoNextToGo } from './racing-demo-schema';

type Sample = Pick<Static<typeof DemoNextToGo>, 'races' | 'truncated'>;
type DemoRace = Sample['races'][number];

export interface DemoBoard {
  nextToGo(nowMs: number): Promise<Sample & { readonly cached: boolean }>;
}

const CACHED_MS = 30_000;
/** The cache key: raise its number when a sample changes in form or content. */
const FORM = 'demo next-to-go 2';
const MOST = { races: 3, runners: 5, books: 3 };

export function createDemoBoard(reads: Pick<Reads, 'board'>, shared: SharedAnswers): DemoBoard {
  return {
    async nextToGo(nowMs) {
      const { value, fresh } = await shared.get(FORM, CACHED_MS, nowMs, async () => {
        const window = { ...windowOf(24, nowMs), countries: ['AU'], includeUnresolved: false };
        return sampleOf(await reads.board({ ...window, bookmakers: CUSTOMERS.bookmakers, limit: MOST.races + 1 }));
      });
      return { ...value, cached: !fresh };
    },
  };
}

function sampleOf(board: readonly BoardRace[]): Sample {
  let truncated = false;
  const cut = <T>(list: readonly T[], most: number): T[] => {
    truncated ||= list.length > most;
    return list.slice(0, most);
  };
  const races = cut(board, MOST.races).map((race): DemoRace => {
    const { race_id, venue, race_number, category, start_time, country } = race;
    const running = race.runners.filter((runner) => !runner.scratched);
    const runners = cut(running, MOST.runners).map(({ name, number }) => ({
      name,
      number,
      bookmakers: cut(quotesOf(race, number), MOST.books),
    }));
    return { race_id, venue, race_number, category, start_time, country, runners };
  });
  return { races, truncated };
}

/** Best price first, without placeholders (A 2.4 rule 2): one of them would come first. */
function quotesOf(race: BoardRace, number: number): DemoRace['runners'][number]['bookmakers'] {
  const quotes = race.books.flatMap((book) => {
    const price = book.win[book.numbers.indexOf(number)] ?? null;
    return price === null ? [] : [{ bookmaker: book.bookmaker, price, ageSeconds: 0, url: book.sourceUrl }];
  });
  const placeholders = new Set(bestWin(quotes).suspects.map(({ bookmaker }) => bookmaker));
  return quotes
    .filter(({ bookmaker }) => !placeholders.has(bookmaker))
    .map(({ bookmaker, price, url }) => ({ key: bookmaker, win_price: price, source_url: url }))
    .sort((a, b) => b.win_price - a.win_price);
}
