// How a row of the results table is read, trap by trap.
import type { PublishedRace } from '../../../../src/domain/results/published-results';
import { mapResults } from '../../../../src/feeds/racing-australia/results/results';
import { expectAField } from '../../results-registry';
import { finishers, type RaceText, RESULTS_KEY, type RowText, resultsPage } from '../results-pages';

function raceOf(race: Partial<RaceText>): PublishedRace {
  const mapped = mapResults(resultsPage([{ number: 1, rows: finishers(3), ...race }]), RESULTS_KEY);
  const read = mapped!.value.races[0]!;
  expectAField(read);
  return read;
}
/** A fourth row below three finishers. */
const fourth = (row: Partial<RowText>) => {
  const race = raceOf({ rows: [...finishers(3), { no: '4', ...row }] });
  return { stage: race.stage, runner: race.runners[3]! };
};

test('a finisher: every cell of the row, the claim cut off, the code decoded', () => {
  const winner = {
    no: '7',
    finish: '1',
    margin: '',
    bar: '12',
    jockey: 'Ms Anna Example(a1.5/54.5kg)',
    sp: '$4.60F',
    code: '2012062480',
  };
  const others = [...Array(6).keys()].map(
    (i): RowText => ({ no: `${i + 1}`, finish: `${i + 2}`, margin: `${i + 1}.25L`, sp: '$1,001' }),
  );
  const race = raceOf({ rows: [{ ...winner, horse: 'DON’T GUESS (NZ)' }, ...others], clock: '12:10PM' });
  expect(race).toMatchObject({
    raceNumber: 1,
    startTime: '2026-11-20T01:10:00.000Z',
    distanceM: 1200,
    raceName: 'Test Plate 1',
    stage: 'final',
  });
  expect(race.runners.at(-1)).toEqual({
    number: 7,
    name: 'DON’T GUESS (NZ)',
    box: 12,
    position: 1,
    status: 'ran',
    dead_heat: false,
    jockey: 'Ms Anna Example',
    trainer: 'Ann & Bob Trainer',
    sp: 4.6,
    sp_note: 'F',
    margin: null,
    time_s: 69.91,
    abnormal: null,
    runner_ref: 'ra:2012062480',
    origin: 'racing_australia',
    measured: { weight_kg: 57, last_600m_s: 34.81 },
  });
  expect(race.runners[1]).toMatchObject({ position: 3, margin: '2.25L', time_s: null, sp: 1001, sp_note: null });
});

test.each([
  ['58.5kg (cd 59kg)', { weight_kg: 58.5, carried_kg: 59 }],
  ['58kg', { weight_kg: 58 }],
  ['light', {}],
])('weight %p', (weight, measured) => {
  expect(fourth({ finish: '4', weight }).runner.measured).toEqual({ ...measured, last_600m_s: 34.81 });
});

test.each([
  ['$3', 3, null],
  ['$2.40F', 2.4, 'F'],
  ['$2.40EF', 2.4, 'EF'],
  ['$2.40 ef', 2.4, 'EF'],
  ['', null, null],
  ['&nbsp;', null, null],
  ['$0', null, null],
  ['$1', null, null],
  ['N/A', null, null],
  ['9/2', null, null],
])('starting price %p', (sp, price, note) => {
  expect(fourth({ finish: '4', sp }).runner).toMatchObject({ sp: price, sp_note: note });
});

test.each([
  ['FF', 'Fell'],
  ['PU', 'PulledUp'],
  ['DQ', 'Disqualified'],
  ['DSQ', 'Disqualified'],
  ['LR', 'LostRider'],
  ['UR', 'LostRider'],
  ['BD', 'BroughtDown'],
  ['DNF', 'DidNotFinish'],
  ['LP', 'LeftAtPost'],
])('%s ran without a place: %s, its price kept', (finish, abnormal) => {
  const { stage, runner } = fourth({ finish, sp: '$7.50' });
  expect(stage).toBe('final');
  expect(runner).toMatchObject({ status: 'ran', position: null, abnormal, sp: 7.5, margin: null, time_s: null });
});

test('TailedOff is not a code: a distance behind is a place with its margin', () => {
  expect(fourth({ finish: '4', margin: '99L' }).runner).toMatchObject({ position: 4, margin: '99L', abnormal: null });
});

describe('runners that did not run', () => {
  const out = { status: 'scratched', position: null, box: null, sp: null, sp_note: null, time_s: null };

  test.each(['', 'SCR', 'Scr', 'SCRATCHED', 'LSCR'])('a scratched row with %p as Finish', (finish) => {
    const { stage, runner } = fourth({ finish, scratched: true });
    expect(stage).toBe('final');
    expect(runner).toMatchObject({ ...out, abnormal: null, jockey: 'A Rider', runner_ref: 'ra:904' });
  });

  test('SB is scratched at the barrier: it has a weight, and may have a price without a bet', () => {
    const sb = { finish: 'SB', weight: '58.5kg', scratched: true };
    expect(fourth(sb).runner).toMatchObject({ ...out, abnormal: 'SB' });
    expect(fourth({ ...sb, sp: '$5.50' }).runner).toMatchObject({ ...out, sp: 5.5, abnormal: 'SB' });
    // The class is only styling; only the code decides.
    expect(fourth({ ...sb, bar: '0', scratched: false }).runner).toMatchObject({ ...out, sp: 5, abnormal: 'SB' });
  });

  test('an emergency without a start is a reserve, with any code; with a weight it was in the race', () => {
    const reserve = { ...out, number: 4, status: 'reserve', abnormal: null };
    expect(fourth({ no: '4e', scratched: true }).runner).toMatchObject(reserve);
    expect(fourth({ no: '4e', finish: 'SB', scratched: true }).runner).toMatchObject(reserve);
    expect(fourth({ no: '4E', finish: 'SB', weight: '54kg', scratched: true }).runner).toMatchObject({
      ...out,
      abnormal: 'SB',
    });
    expect(fourth({ no: '4e', finish: '4' }).runner).toMatchObject({ number: 4, status: 'ran', position: 4 });
  });

  test('DNS did not start', () => {
    expect(fourth({ finish: 'DNS', scratched: true }).runner).toMatchObject({ ...out, abnormal: 'DidNotStart' });
  });

  test('a blank Finish without weight and price did not start, whatever its class', () => {
    expect(fourth({ weight: '', sp: '', bar: '0' }).runner).toMatchObject(out);
  });
});

describe('dead heats share their Finish', () => {
  const placed = (...finishes: readonly string[]) =>
    raceOf({
      rows: finishes.map((finish, i) => ({ no: `${i + 1}`, finish, margin: finish === '1' ? '' : '1L' })),
    });
  test.each([
    [
      ['1', '1', '3'],
      [true, true, false],
    ],
    [
      ['1', '2', '2', '4'],
      [false, true, true, false],
    ],
    [
      ['1', '2', '2', '2', '5'],
      [false, true, true, true, false],
    ],
  ])('%p', (finishes, shared) => {
    const race = placed(...finishes);
    expect(race.stage).toBe('final');
    expect(race.runners.map((runner) => runner.dead_heat)).toEqual(shared);
  });
  test('both winners have the race’s time', () => {
    expect(placed('1', '1', '3').runners.map((runner) => runner.time_s)).toEqual([69.91, 69.91, null]);
  });
});

describe('the race’s time is the winner’s', () => {
  const winners = (race: Partial<RaceText>) => raceOf(race).runners[0]!.time_s;
  test.each([
    ['0:56.55', 56.55],
    ['2:07.78', 127.78],
    ['58.4', 58.4],
    ['0:00.00', null],
    ['', null],
    ['N/A', null],
  ])('%p', (time, seconds) => expect(winners({ time })).toBe(seconds));

  test.each([
    'Original 1st placegetter (Some Horse) Disqualified AR 240 (Original Margin 0.2L)',
    'Protest by rider of 2nd (A) against 1st (B). Protest Upheld.',
  ])('the time is not that of a winner that was not first past the post: %s', (comments) =>
    expect(winners({ comments })).toBeNull(),
  );

  test('nor of one that the page lists behind another', () => {
    expect(
      winners({
        rows: [
          { no: '1', finish: '1', margin: '0.1L' },
          { no: '2', finish: '2', margin: '' },
        ],
      }),
    ).toBeNull();
  });

  test('comments on others do not change it', () => {
    const comments = 'Original 4th placegetter (Some Horse) Disqualified. Time: 9:99.99 was not the race';
    expect(winners({ comments })).toBe(69.91);
  });
});

test('a short row is padded; a note across the table is not a runner', () => {
  const rows = [...finishers(2), { no: '3', finish: '3', margin: '99L', cut: 2 }];
  const race = raceOf({ rows });
  expect(race.stage).toBe('final');
  expect(race.runners[2]).toMatchObject({ position: 3, sp: null, margin: '99L' });
  const page = resultsPage([{ number: 1, rows }]).replace(
    '</table>\n<div class="footer"',
    '<tr><td colspan="11">Weighed in</td></tr></table>\n<div class="footer"',
  );
  expect(page).toContain('Weighed in');
  expect(mapResults(page, RESULTS_KEY)).toMatchObject({ dropped: {}, value: { races: [{ stage: 'final' }] } });
});
