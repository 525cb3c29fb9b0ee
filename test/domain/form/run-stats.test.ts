// How a customer names an animal, and which runs its record counts (B 4.6 to 4.8).
import fc from 'fast-check';
import { animalQuery } from '../../../src/domain/form/animal';
import { DIMENSIONS, groupedRuns, runStats } from '../../../src/domain/form/run-stats';
import type { StoredRun } from '../../../src/domain/form/stored-run';

test.each([
  ['Gold Trip (FR)', { key: 'goldtrip' }],
  ["  O'Reilly's  BOY ", { key: 'oreillysboy' }],
  ['pe:goldtrip', { key: 'goldtrip' }],
  ['PE:Gold Trip', { key: 'goldtrip' }],
  ['ra:2012062480', { ref: 'ra:2012062480' }],
  ['RA:2012062480', { ref: 'ra:2012062480' }],
  ['2012062480', { ref: 'ra:2012062480' }],
  ['Number 9', { key: 'number9' }],
  ['grv:5', { key: 'grv5' }],
  ['…', null],
])('a horse by %s', (text, query) => expect(animalQuery(text, 'horse')).toEqual(query));

test.each([
  ['Quick Sixpence', { key: 'quicksixpence' }],
  ['grv:-531', { ref: 'grv:-531' }],
  ['GRSA:88x', { ref: 'grsa:88x' }],
  ['531882', { ref: 'grv:531882' }],
  ['-531', { ref: 'grv:-531' }],
  ['pe:quick', { key: 'pequick' }],
])('a greyhound by %s', (text, query) => expect(animalQuery(text, 'greyhound')).toEqual(query));

const run = (over: Partial<StoredRun>): StoredRun =>
  ({
    status: 'ran',
    position: 1,
    venue: 'Sandown Park',
    venue_site: 'sandown',
    distance_m: 515,
    box: 4,
    grade: null,
    time_s: 29.4,
    first_split_s: null,
    ...over,
  }) as StoredRun;

test('only starts count, and a place is any of the first three', () => {
  const runs = [1, 3, 4, null].map((position) => run({ position }));
  const out = [run({ status: 'scratched', position: null }), run({ status: 'reserve', position: null })];
  expect(runStats([...runs, ...out])).toEqual({ starts: 4, wins: 1, places: 2, winPct: 25, placePct: 50 });
  expect(runStats(out)).toEqual({ starts: 0, wins: 0, places: 0, winPct: null, placePct: null });
});

test('groups are combined, ordered by starts, under the newest spelling of a track', () => {
  const runs = [
    run({ venue: 'Sandown (SAP)', position: 2, time_s: null }),
    run({ box: 8 }),
    run({ venue_site: 'themeadows', venue: 'The Meadows', distance_m: 525, time_s: 30 }),
    run({ time_s: 29.8 }),
    run({ status: 'scratched', position: null, time_s: null }),
  ];
  const [sandown, meadows, ...none] = groupedRuns(runs, ['track', 'distance']);
  expect(none).toEqual([]);
  expect(sandown).toMatchObject({ track: 'Sandown (SAP)', distanceM: 515, box: null, starts: 3, wins: 2, places: 3 });
  expect(sandown).toMatchObject({ avgTimeS: (29.4 + 29.8) / 2, bestTimeS: 29.4, avgFirstSplitS: null });
  expect(meadows).toMatchObject({ track: 'The Meadows', distanceM: 525, starts: 1, bestTimeS: 30 });
  expect(groupedRuns(runs, ['box']).map(({ box, starts }) => [box, starts])).toEqual([
    [4, 3],
    [8, 1],
  ]);
  expect(groupedRuns(runs, ['grade'])).toMatchObject([{ grade: null, track: null, starts: 4 }]);
});

test('in any grouping the groups add up to the record', () => {
  const runs = fc.array(
    fc.record({
      status: fc.constantFrom('ran' as const, 'scratched' as const),
      position: fc.option(fc.integer({ min: 1, max: 8 })),
      venue_site: fc.constantFrom('a', 'b'),
      distance_m: fc.constantFrom(400, 515, null),
      box: fc.constantFrom(1, 8, null),
    }),
  );
  fc.assert(
    fc.property(runs, fc.subarray([...DIMENSIONS], { minLength: 1 }), (some, by) => {
      const all = some.map((one) => run(one));
      const groups = groupedRuns(all, by);
      const sum = (of: 'starts' | 'wins' | 'places') => groups.reduce((total, group) => total + group[of], 0);
      const { starts, wins, places } = runStats(all);
      expect([sum('starts'), sum('wins'), sum('places')]).toEqual([starts, wins, places]);
    }),
  );
});
