// A race of two runners as the pages' services are handed it; a test names only what it is about.
import type { LiveRace } from '../../../src/store/reads/asked-race';
import type { BoardBook } from '../../../src/store/reads/board';
import type { RunnerRow } from '../../../src/store/reads/runners';

export const NOW = Date.parse('2026-11-21T02:00:00Z');
export const START = '2026-11-21T02:10:00.000Z';

export const runner = (number: number, over: Partial<RunnerRow> = {}): RunnerRow => ({
  number,
  name: `Runner ${number}`,
  barrier: null,
  jockey: null,
  trainer: null,
  weightKg: null,
  form: null,
  runnerRef: null,
  emergency: null,
  scratched: false,
  scratchedAt: null,
  late: null,
  ...over,
});

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
  race_id: '00000000-0000-4000-8000-000000000001',
  venue: 'Flemington',
  venue_id: 'flemington',
  venue_canonical: 'Flemington',
  venue_site: 'flemington',
  race_number: 1,
  category: 'horse',
  country: 'AU',
  start_time: START,
  startMs: Date.parse(START),
  race_name: null,
  distance_m: null,
  track_condition: null,
  weather: null,
  race_class: null,
  conditions: null,
  prize_total: null,
  rail: null,
  track_name: null,
  places_paid: null,
  track_condition_changed_at: null,
  status: 'open',
  market_status: 'OPEN',
  inplay: null,
  market_closed_at: null,
  inplay_at: null,
  market_state_source: 'pointsbetau',
  jumped_at: null,
  left_board_at: null,
  runners: [runner(1), runner(2)],
  books: [],
  ...over,
});
