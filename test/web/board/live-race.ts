// A race of two runners as the store reads it; a test states only the values that it is about.

import type { BoardBook } from '../../../src/store/reads/races/board';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { boardRace, runnerRow } from '../../support/races/board-race';

export const NOW = Date.parse('2026-11-21T02:00:00Z');
export const START = '2026-11-21T02:10:00.000Z';

export { runnerRow as runner } from '../../support/races/board-race';

export const book = (bookmaker: string, win: (number | null)[], ageSeconds = 5): BoardBook => ({
  bookmaker,
  polledAtMs: NOW - ageSeconds * 1000,
  sourceUrl: null,
  numbers: win.map((_, i) => i + 1),
  win,
  place: win.map(() => null),
  top2: [],
  top3: [],
  top4: [],
  tote: null,
});

export const race = (over: Partial<LiveRace> = {}): LiveRace => ({
  ...boardRace({
    startMs: Date.parse(START),
    market_status: 'OPEN',
    market_state_source: 'pointsbetau',
    runners: [runnerRow(1), runnerRow(2)],
  }),
  jumped_at: null,
  left_board_at: null,
  ...over,
});
