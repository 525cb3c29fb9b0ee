// A race of the board as the store reads it, made in memory: a test states only the values that it is about.
import { FACTS, type FactColumns } from '../../../src/domain/race/race-facts';
import type { BoardRace } from '../../../src/store/reads/races/board';
import type { RunnerRow } from '../../../src/store/reads/races/runners';

export const runnerRow = (number: number, over: Partial<RunnerRow> = {}): RunnerRow => ({
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

const NO_FACTS = Object.fromEntries(FACTS.map(([, { name }]) => [name, null])) as unknown as FactColumns;

export const boardRace = (over: Partial<BoardRace> = {}): BoardRace => {
  const startMs = over.startMs ?? Date.parse('2026-11-21T03:10:00.000Z');
  return {
    race_id: '00000000-0000-4000-8000-000000000001',
    venue: 'Flemington',
    venue_id: 'flemington',
    venue_canonical: 'Flemington',
    venue_site: 'flemington',
    race_number: 1,
    category: 'horse',
    country: 'AU',
    start_time: new Date(startMs).toISOString(),
    ...NO_FACTS,
    track_condition_changed_at: null,
    status: 'open',
    market_status: null,
    inplay: null,
    market_closed_at: null,
    inplay_at: null,
    market_state_source: null,
    startMs,
    runners: [1, 2, 3].map((number) => runnerRow(number)),
    books: [],
    ...over,
  };
};
