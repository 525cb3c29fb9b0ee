import fc from 'fast-check';
import { isVacantBox } from '../../../src/domain/race/runner';
import { idOf, textOf } from '../../../src/feeds/reading/read';
import { mapListings, mapMeeting } from '../../../src/feeds/topaz/meeting';
import type { TopazRun } from '../../../src/feeds/topaz/payload';
import { runs } from '../../support/property';
import { expectAField } from '../results-registry';
import { KEY, meetingRow, race, ran, results } from './replies';

const EIGHT = Array.from({ length: 8 }, (_, i) => ran(i + 1, i + 1));
const odd = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    ' ',
    0,
    -1,
    1,
    3,
    9,
    1.5,
    '4',
    '$3.10F',
    '0.25L',
    'Fell',
    'Vacant Box',
    'constructor',
    'A\0B',
    70_000,
    1e308,
    { toString: 0 },
    true,
    false,
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const field = fc.constantFrom(...(Object.keys(EIGHT[0]!) as (keyof TopazRun)[]));
const spoilt = fc.array(fc.tuple(fc.nat(7), field, odd), { minLength: 1, maxLength: 6 });

test('with any fault in a run, the published field is valid, and a final one has the finish of every dog that jumped', () => {
  fc.assert(
    fc.property(spoilt, (changes) => {
      const runs = EIGHT.map((run) => ({ ...run })) as Record<string, unknown>[];
      for (const [index, name, value] of changes) runs[index]![name] = value;
      const { value } = mapMeeting(results([race(runs as unknown as TopazRun[])]), KEY)!;
      for (const one of value.races) expectAField(one);
      for (const { runners } of value.races.filter(({ stage }) => stage === 'final')) {
        expect(runners).toHaveLength(runsIn(runs).length);
      }
    }),
    { numRuns: runs(500) },
  );
});

/** Without empty boxes, and each runner with an id once. */
function runsIn(rows: readonly Record<string, unknown>[]): readonly unknown[] {
  const dogs = rows.filter(({ dogName }) => textOf(dogName) === null || !isVacantBox(String(dogName)));
  return dogs.filter(
    ({ runId }, i) => idOf(runId) === null || dogs.findIndex((dog) => idOf(dog.runId) === idOf(runId)) === i,
  );
}

test('no reply makes the mappers throw', () => {
  const query = { region: 'VIC', from: '2026-11-20', to: '2026-11-21' };
  fc.assert(
    fc.property(fc.jsonValue(), odd, (body, value) => {
      mapMeeting(body, KEY);
      mapListings(body, query);
      mapMeeting({ ...meetingRow(), races: [body, value, { raceNumber: 1, runs: [body, value] }] }, KEY);
      mapListings([body, { ...meetingRow(), meetingDate: value }], query);
    }),
  );
});
