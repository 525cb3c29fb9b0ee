// The stored runs of a thoroughbred (B 2.6).
import { type Static, Type } from '@sinclair/typebox';
import { raceFacts } from '../../wire/race-schema';
import { amount, count, named, nullable, oneOf, text, whole } from '../../wire/vocabulary';
import { exampleRunSource, origin, runEntry, runRace, runSource, statFigures } from './run-schema';

const HorseRun = named(
  'HorseRun',
  Type.Object({
    ...runRace,
    ...runEntry,
    status: oneOf(['ran', 'scratched']),
    abnormal: nullable(
      text('Why it has no position, as the registry’s results give it; `SB`: scratched at the barrier.'),
    ),
    time_s: nullable(amount('Seconds; of the winner only.')),
    sp_note: nullable(text('`F`: favourite; `EF`: equal favourite.')),
    jockey: nullable(text('On that day.')),
    weight_kg: nullable(amount('Allotted weight in kilograms.')),
    carried_kg: nullable(amount('Carried weight in kilograms; null where it was not published.')),
    race_class: raceFacts.race_class,
    race_time_s: nullable(amount('The winner’s time in seconds.')),
    last_600m_s: nullable(amount('Seconds of the last 600 m; null where they were not published.')),
    prize_total: nullable(whole('Prize money of the race in dollars.')),
    prize_won: nullable(
      amount('Dollars, by the published prizes: a dead heat shares them, 0 outside the paid places. Null if unknown.'),
    ),
    horse_ref: text('Stable reference of the name, `pe:` and the folded name.'),
    origin,
  }),
);

export const HorseRuns = named(
  'HorseRuns',
  Type.Object({
    horse: text('Name in its latest run.'),
    name_key: text('The name folded to lowercase letters and digits: all runs under it are included.'),
    horse_ref: text('Stable reference of the name, `pe:` and the folded name.'),
    runner_refs: Type.Array(text(), { description: 'Every registry code of these runs, newest first.' }),
    runs_total: count('Number of stored runs, whatever `limit` is; scratchings included.'),
    runs: Type.Array(HorseRun, { description: 'Newest first.' }),
    stats: named('RunStats', Type.Object(statFigures, { description: 'Over every stored run, whatever `limit` is.' })),
    source: named('HorseRunsSource', Type.Object({ ...runSource, sport: text('Always `thoroughbred`.') })),
  }),
);

type HorseRunsWire = Static<typeof HorseRuns>;
export type HorseRunWire = HorseRunsWire['runs'][number];

export const exampleHorseRuns: HorseRunsWire = {
  horse: 'BACK UP BARBIE',
  name_key: 'backupbarbie',
  horse_ref: 'pe:backupbarbie',
  runner_refs: ['ra:2012062480'],
  runs_total: 1,
  runs: [
    {
      date: '2026-11-07',
      start_time: '2026-11-07T04:20:00.000Z',
      venue: 'Rosehill Gardens',
      race_number: 6,
      distance_m: 1500,
      race_name: 'HARVEST MOON PLATE',
      track_condition: 'Soft (5)',
      number: 4,
      box: 9,
      position: 2,
      margin: '0.75L',
      sp: 6.5,
      dead_heat: false,
      trainer: 'A Trainer',
      field_size: 11,
      runner_ref: 'ra:2012062480',
      result_id: '7c1b7f0e-52a4-5d0c-8b6e-3f1d2a9c4e55',
      status: 'ran',
      abnormal: null,
      time_s: null,
      sp_note: null,
      jockey: 'Ms Grace Palmer',
      weight_kg: 57.5,
      carried_kg: null,
      race_class: 'BenchMark 78',
      race_time_s: 91.24,
      last_600m_s: null,
      prize_total: 160_000,
      prize_won: 30_400,
      horse_ref: 'pe:backupbarbie',
      origin: 'results',
    },
  ],
  stats: { starts: 1, wins: 0, places: 1, win_pct: 0, place_pct: 100 },
  source: { ...exampleRunSource, collectors: ['racing_australia'], sport: 'thoroughbred' },
};
