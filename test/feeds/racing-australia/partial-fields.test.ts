// A partial field is never final (A 2.11 rule 6): each way in which a page can lack a runner, and the property behind
// all of them.
import fc from 'fast-check';
import type { PublishedRace } from '../../../src/domain/results/published-results';
import { mapResults } from '../../../src/feeds/racing-australia/results/results';
import { runs } from '../../support/property';
import {
  finishers,
  type RaceText,
  RESULTS_KEY,
  type RowText,
  resultsPage,
  rowHtml,
  stripHtml,
  titleHtml,
} from './results-pages';

const read = (races: readonly RaceText[], page: Parameters<typeof resultsPage>[1] = {}) =>
  mapResults(resultsPage(races, page), RESULTS_KEY)!;
const outcome = (races: readonly RaceText[], page: Parameters<typeof resultsPage>[1] = {}) => {
  const { value, dropped } = read(races, page);
  return { stages: value.races.map((race) => race.stage), dropped };
};
const whole = { number: 2, rows: finishers(4) };
const less = (count: number, no: string): readonly RowText[] => finishers(count).filter((row) => row.no !== no);

test.each<[string, readonly RowText[], object]>([
  ['a gap in the places', less(5, '3'), {}],
  ['no winner', less(5, '1'), {}],
  ['a row that cannot be lined up', [...finishers(4), { no: '5', cut: 8 }], { runner_unreadable: 1 }],
  ['a row without a number', [...finishers(4), { no: '?', finish: '5' }], { runner_unreadable: 1 }],
  ['a number twice', [...finishers(4), { no: '4', finish: '5' }], { runner_number_repeated: 1 }],
  ['an undocumented code', [...finishers(4), { no: '5', finish: 'ZZ' }], { finish_code_unknown: 1 }],
  ['a starter without a Finish', [...finishers(4), { no: '5' }], { finish_missing: 1 }],
  [
    'a scratched row with a place',
    [...finishers(4), { no: '5', finish: '5', scratched: true }],
    { scratched_with_finish: 1 },
  ],
])('%s: that race is interim, the other final', (_, rows, counted) => {
  expect(outcome([{ number: 1, rows }, whole], { starters: null })).toEqual({
    stages: ['interim', 'final'],
    dropped: { ...counted, race_field_partial: 1 },
  });
});

test('a number left out, if the page states no count or more starters than it has', () => {
  // The last to finish: its place leaves no gap, but its number does.
  const rows = [...less(5, '5').map((row) => ({ ...row, no: `${Number(row.no) + 1}` }))];
  const partial = { stages: ['interim', 'final'], dropped: { race_field_partial: 1 } };
  expect(outcome([{ number: 1, rows }, whole], { starters: null })).toEqual(partial);
  expect(outcome([{ number: 1, rows }, whole], { starters: 9 }).stages).toEqual(['interim', 'interim']);
  // Every starter is there: the number belongs to no runner.
  expect(outcome([{ number: 1, rows }, whole], { starters: 8 })).toEqual({ stages: ['final', 'final'], dropped: {} });
});

test('with fewer starters than stated any race may lack them and none is final, unless the places show which race it is', () => {
  const races = [{ number: 1, rows: finishers(5) }, whole];
  expect(outcome(races, { starters: 9 }).stages).toEqual(['final', 'final']);
  const any = { stages: ['interim', 'interim'], dropped: { race_field_partial: 2 } };
  expect(outcome(races, { starters: 10 })).toEqual(any);
  const gap = [{ number: 1, rows: less(5, '3') }, whole];
  expect(outcome(gap, { starters: 9 }).stages).toEqual(['interim', 'final']);
  expect(outcome(gap, { starters: 10 })).toEqual(any);
});

test('a race without published runners explains the rest of the count', () => {
  expect(outcome([{ number: 1, rows: finishers(5) }, { number: 2 }], { starters: 14 })).toEqual({
    stages: ['final', 'none'],
    dropped: {},
  });
});

test('scratched runners are not starters, those that ran without a place are', () => {
  const rows: RowText[] = [
    ...finishers(3),
    { no: '4', finish: 'FF' },
    { no: '5', scratched: true },
    { no: '6', finish: 'SB', scratched: true, weight: '56kg' },
  ];
  const stage = (starters: number) => outcome([{ number: 1, rows }], { starters }).stages;
  expect(stage(4)).toEqual(['final']);
  // It is undocumented whether SB counts as a starter: neither count proves that a runner is missing.
  expect(stage(5)).toEqual(['final']);
  expect(stage(6)).toEqual(['interim']);
});

test('a title lost between two tables: no race gets another’s runners', () => {
  const page = resultsPage([
    { number: 1, rows: finishers(5) },
    { number: 2, rows: finishers(7) },
    { number: 3, rows: finishers(4) },
  ]);
  const lost = page.replace(stripHtml(finishers(5)), '').replace(titleHtml({ number: 2 }), '<a name="Race2"></a>');
  const { value, dropped } = mapResults(lost, RESULTS_KEY)!;
  expect(value.races.map(({ raceNumber, stage }) => [raceNumber, stage])).toEqual([
    [1, 'interim'],
    [3, 'interim'],
  ]);
  expect(dropped).toEqual({ race_missing: 1, race_field_partial: 2 });
  const orphan = mapResults(page.replace(titleHtml({ number: 2 }), ''), RESULTS_KEY)!;
  expect(orphan.dropped).toMatchObject({ table_without_title: 1, race_missing: 1 });
});

test('a duplicate race: neither is used', () => {
  expect(outcome([whole, { number: 2, rows: finishers(3) }], { starters: null })).toMatchObject({
    stages: ['interim'],
    dropped: { race_number_repeated: 1 },
  });
});

// Only if the page states its starters: without the count, a missing last number may go unnoticed.
test('if a page loses any rows and titles, a final race still has every runner that ran', () => {
  const races = fc.array(
    fc.record({
      ran: fc.integer({ min: 2, max: 6 }),
      out: fc.integer({ min: 0, max: 2 }),
      fallen: fc.integer({ min: 0, max: 1 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(races, fc.infiniteStream(fc.nat(9)), (shape, chance) => {
      const texts = shape.map(
        ({ ran, out, fallen }, i): RaceText => ({ number: i + 1, rows: fieldOf(ran, fallen, out) }),
      );
      const page = resultsPage(texts);
      const full = byNumber(mapResults(page, RESULTS_KEY)!.value.races);
      const pieces = texts.flatMap((text) => [titleHtml(text), ...text.rows!.map(rowHtml)]);
      const damaged = pieces.reduce(
        (html, piece) => (chance.next().value === 0 ? html.replace(piece, '') : html),
        page,
      );
      for (const race of mapResults(damaged, RESULTS_KEY)?.value.races ?? []) {
        if (race.stage !== 'final') continue;
        expect(starters(race)).toEqual(starters(full.get(race.raceNumber)!));
      }
    }),
    { numRuns: runs(150) },
  );
});

const fieldOf = (ran: number, fallen: number, out: number): readonly RowText[] => [
  ...finishers(ran),
  ...Array.from({ length: fallen }, (_, i) => ({ no: `${ran + i + 1}`, finish: 'FF' })),
  ...Array.from({ length: out }, (_, i) => ({ no: `${ran + fallen + i + 1}`, scratched: true })),
];
const byNumber = (races: readonly PublishedRace[]) => new Map(races.map((race) => [race.raceNumber, race]));
const starters = (race: PublishedRace) => race.runners.filter((runner) => runner.status === 'ran');
