import type { ResultRunner } from '../../../src/domain/results/result';
import { mapListings, mapMeeting } from '../../../src/feeds/topaz/meeting';
import type { TopazRace, TopazRun } from '../../../src/feeds/topaz/payload';
import { KEY, meetingRow, out, race, ran, reserve, results, unplaced } from './replies';

const mapped = (races: readonly TopazRace[], change = {}) => mapMeeting(results(races, change), KEY)!;
const raceOf = (runs: readonly unknown[], change: Partial<TopazRace> = {}) => {
  const { value, dropped } = mapped([race(runs as TopazRun[], change)]);
  return { ...value.races[0]!, dropped };
};
const runnerOf = (run: TopazRun, others: readonly TopazRun[] = []): ResultRunner =>
  raceOf([run, ...others]).runners.find(({ number }) => number === run.rugNumber)!;
const EIGHT = Array.from({ length: 8 }, (_, i) => ran(i + 1, i + 1));

describe('a list of meetings', () => {
  const query = { region: 'VIC', from: '2026-11-20', to: '2026-11-21' };

  test('has each by its id, its day and the registry’s name of its track', () => {
    expect(mapListings([meetingRow(), meetingRow({ meetingId: -7, trackName: 'Sandown (SAP)' })], query)).toEqual({
      value: [
        { key: '900012680', day: '2026-11-21', region: 'VIC', venue: 'Meadows (MEP)' },
        { key: '-7', day: '2026-11-21', region: 'VIC', venue: 'Sandown (SAP)' },
      ],
      bookAt: null,
      dropped: {},
    });
  });

  test.each([
    ['2026-11-21T00:00:00.000Z', '2026-11-21'],
    ['2026-11-21T00:00:00', '2026-11-21'],
    ['2026-11-21', '2026-11-21'],
    // Melbourne's midnight as an instant, in summer and in winter.
    ['2026-11-20T13:00:00.000Z', '2026-11-21'],
    ['2026-07-20T14:00:00.000Z', '2026-07-21'],
  ])('a day given as %s is %s', (meetingDate, day) => {
    const days = { region: 'VIC', from: day, to: day };
    expect(mapListings([meetingRow({ meetingDate })], days)!.value).toEqual([expect.objectContaining({ day })]);
  });

  test('trials are not meetings, other days are left out, other authorities’ and unreadable rows are counted', () => {
    const rows = [
      meetingRow({ isQuali: true }),
      meetingRow({ meetingType: 'Qualifying Trial' }),
      meetingRow({ meetingDate: '2026-11-22T00:00:00.000Z' }),
      meetingRow({ owningAuthorityCode: 'NZ' }),
      { ...meetingRow(), trackName: ' ' },
      { ...meetingRow(), meetingDate: 'yesterday' },
      null,
    ];
    expect(mapListings(rows, query)).toEqual({
      value: [],
      bookAt: null,
      dropped: { other_authority: 1, meeting_unreadable: 3 },
    });
  });

  test('an error sent with 200 is not a list', () => {
    expect(mapListings({ error: true, message: 'Invalid date' }, query)).toBeNull();
  });
});

describe('a meeting', () => {
  test('gives venue, start and distance of each race', () => {
    expect(mapped([race(EIGHT)])).toMatchObject({
      value: {
        source: 'topaz',
        key: KEY,
        category: 'greyhound',
        day: '2026-11-21',
        venue: 'Meadows (MEP)',
        note: null,
        races: [
          {
            raceNumber: 3,
            startTime: '2026-11-21T09:12:00.000Z',
            distanceM: 525,
            raceName: 'SHORTY DOGS STAKE',
            stage: 'final',
          },
        ],
      },
      dropped: {},
    });
  });

  test('another meeting, or one without a place, a day or races, is malformed', () => {
    expect(mapMeeting(results([], { meetingId: 1 }), KEY)).toBeNull();
    expect(mapMeeting({ ...results([]), trackName: null }, KEY)).toBeNull();
    expect(mapMeeting({ ...results([]), meetingDate: null }, KEY)).toBeNull();
    expect(mapMeeting(meetingRow(), KEY)).toBeNull();
    expect(mapMeeting([], KEY)).toBeNull();
  });

  test('two races with the same number are both ignored, and a race without a number is counted', () => {
    const { value, dropped } = mapped([race(EIGHT), race([]), race([], { raceNumber: 0 })]);
    expect(value.races).toEqual([]);
    expect(dropped).toEqual({ race_number_repeated: 2, race_unreadable: 1 });
  });

  test('a start without a zone is not guessed, and a distance may have the name that runs use', () => {
    const odd = { ...race(EIGHT, { raceStart: '2026-11-21 20:12' }), distance: undefined, distanceInMetres: 300 };
    expect(mapped([odd as unknown as TopazRace]).value.races[0]).toMatchObject({ startTime: null, distanceM: 300 });
  });
});

describe('when a result is final', () => {
  const [winner, ...rest] = EIGHT;
  const gone = { ...out(8), scratched: false };

  test.each<[string, readonly unknown[], Partial<TopazRace>, string]>([
    ['entered and whole', EIGHT, {}, 'final'],
    ['complete, without a flag that it is entered', EIGHT, { isRaceResultEntered: null }, 'final'],
    ['whole, and still to be entered', EIGHT, { isRaceResultEntered: false }, 'interim'],
    ['a starter without its end', [...EIGHT.slice(0, 7), gone], {}, 'interim'],
    ['a place that is missing', EIGHT.filter(({ place }) => place !== 5), {}, 'interim'],
    ['no winner', rest, {}, 'interim'],
    ['a winner that fell', [ran(1, 1, { abnormalResult: 'Fell' }), ...rest], {}, 'interim'],
    ['a rug that cannot be read', [...EIGHT.slice(0, 7), { ...ran(8, 8), rugNumber: null }], {}, 'interim'],
    ['a dog without a name', [...EIGHT.slice(0, 7), { ...ran(8, 8), dogName: '' }], {}, 'interim'],
    ['a row that is none', [...EIGHT, null], {}, 'interim'],
    ['one rug twice', [...EIGHT, ran(8, 9, { runId: 1 })], {}, 'interim'],
    ['a dog that placed and was out', [...EIGHT, out(9, { place: 9, boxNumber: 3 })], {}, 'interim'],
    ['a field without an outcome', EIGHT.map((run) => ({ ...run, place: null })), {}, 'none'],
    ['entered and nothing else', [], {}, 'none'],
    ['whole but for those that did not run', [winner, ...rest.slice(0, 5), out(7), reserve(9)], {}, 'final'],
    ['a dead heat for second', [ran(1, 1), ran(2, 2), ran(3, 2), ran(4, 4)], {}, 'final'],
    ['a dead heat that the next place ignores', [ran(1, 1), ran(2, 2), ran(3, 2), ran(4, 3)], {}, 'final'],
  ])('%s', (_, runs, change, stage) => {
    const read = raceOf(runs, change);
    expect(read.stage).toBe(stage);
    if (stage === 'none') expect(read.runners).toEqual([]);
  });

  test('everything unread is counted', () => {
    expect(raceOf([null, { ...ran(8, 8), rugNumber: null }, { ...ran(7, 7), dogName: '' }]).dropped).toEqual({
      run_unreadable: 1,
      rug_unreadable: 1,
      dog_name_unreadable: 1,
    });
    expect(raceOf(EIGHT, { isRaceResultEntered: null }).dropped).toEqual({ result_flag_missing: 1 });
  });

  test('of two dogs with one rug neither can be identified as the one that was backed', () => {
    const read = raceOf([...EIGHT, ran(8, 9, { runId: 1 })]);
    expect([read.runners.map(({ number }) => number), read.dropped]).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      { rug_repeated: 2 },
    ]);
  });

  test('a duplicate run is one run, and an empty box is none', () => {
    const read = raceOf([...EIGHT.slice(0, 7), EIGHT[0], out(8, { dogName: 'Vacant Box' })]);
    expect([read.stage, read.runners.length, read.dropped]).toEqual(['final', 7, { run_repeated: 1 }]);
  });
});

describe('abandoned', () => {
  test('a race is abandoned by its own state, whatever its runs show', () => {
    expect(raceOf(EIGHT, { isAbandoned: true })).toMatchObject({ stage: 'abandoned', runners: [] });
  });

  test.each([
    ['ABANDONED', 'abandoned'],
    ['Meeting Postponed', 'postponed'],
  ])('a meeting that is %s does not run', (statusCode, note) => {
    const { value } = mapped([race(EIGHT.map((run) => ({ ...run, place: null })))], { statusCode });
    expect([value.note, value.races[0]!.stage]).toEqual([note, 'abandoned']);
  });

  test('a meeting abandoned half way keeps the races that ran', () => {
    const left = race(
      EIGHT.map((run) => ({ ...run, place: null })),
      { raceNumber: 4 },
    );
    const { value } = mapped([race(EIGHT), left], { statusCode: 'ABANDONED' });
    expect([value.note, ...value.races.map(({ stage }) => stage)]).toEqual([null, 'final', 'abandoned']);
  });

  test('an undocumented code means nothing', () => {
    expect(mapped([race(EIGHT)], { statusCode: 'F' }).value.note).toBeNull();
  });
});

describe('a runner', () => {
  test('in our terms', () => {
    expect(runnerOf(ran(4, 2), [ran(1, 1)])).toEqual({
      number: 4,
      name: 'DOG 4',
      box: 4,
      position: 2,
      status: 'ran',
      dead_heat: false,
      jockey: null,
      trainer: 'Trainer 4',
      sp: 6.4,
      sp_note: null,
      margin: '0.50L',
      time_s: 30.12,
      abnormal: null,
      runner_ref: 'grv:695144534',
      origin: 'topaz',
      measured: { weight_kg: 30.4, first_split_s: 5.02, pir: '22', grade: 'Grade 5' },
    });
  });

  test('unmeasured values are left out; the dog’s own grade replaces the race’s', () => {
    const none = { weightInKg: 0, firstSplitTime: null, secondSplitTime: 17.2, pir: '<b>', raceType: null };
    expect(runnerOf(ran(4, 1, none)).measured).toEqual({ second_split_s: 17.2, grade: '5' });
    const nothing = { ...none, secondSplitTime: null, incomingGrade: null };
    expect(runnerOf(ran(4, 1, nothing))).not.toHaveProperty('measured');
  });

  test('a reserve with a run keeps the rug that it was backed by, and has the box that it jumped from', () => {
    expect(runnerOf(ran(9, 1, { boxNumber: 4 }))).toMatchObject({ number: 9, box: 4, status: 'ran', position: 1 });
  });

  test.each<[string, TopazRun, ResultRunner['status']]>([
    ['out', out(3), 'scratched'],
    ['out late', out(3, { isLateScratching: true }), 'late_scratching'],
    ['out late, and not marked as out', out(3, { isLateScratching: true, scratched: false }), 'late_scratching'],
    ['a reserve', reserve(9), 'reserve'],
    ['a reserve that is called scratched for that', reserve(10, { scratched: true, unplaced: 'SCR' }), 'reserve'],
    ['a reserve that had a box and came out', out(9, { boxNumber: 2 }), 'scratched'],
  ])('%s', (_, run, status) => {
    const runner = runnerOf(run, [ran(1, 1)]);
    expect(runner).toMatchObject({ status, position: null, sp: null, time_s: null, margin: null, abnormal: null });
    expect(raceOf([run, ran(1, 1)])).toMatchObject({ stage: 'final', dropped: {} });
  });

  test.each([
    ['Fell', 'Fell'],
    ['FELL', 'Fell'],
    ['Pulled Up', 'PulledUp'],
    ['Disqualified', 'Disqualified'],
    ['Stayed in Box', 'StayedInBox'],
    ['TailedOff', 'TailedOff'],
  ])('%s is its finish, in whichever field', (reason, abnormal) => {
    const runs = [
      unplaced(2, reason),
      unplaced(2, '', { unplaced: reason }),
      unplaced(2, '', { unplacedCode: reason }),
    ];
    for (const run of runs) {
      const read = raceOf([ran(1, 1), run]);
      expect(read).toMatchObject({ stage: 'final', dropped: {} });
      expect(read.runners[1]).toMatchObject({ status: 'ran', position: null, abnormal, sp: 5, time_s: null });
    }
  });

  test('a tailed-off dog has its place, a fallen one has none even if a place is sent', () => {
    expect(runnerOf(ran(2, 2, { abnormalResult: 'TailedOff' }), [ran(1, 1)])).toMatchObject({ position: 2 });
    const read = raceOf([ran(1, 1), ran(2, 2, { abnormalResult: 'Fell' })]);
    expect(read.runners[1]).toMatchObject({ position: null, abnormal: 'Fell' });
    expect(read.dropped).toEqual({ place_of_unplaced: 1 });
  });

  test('an unknown reason for no place ends the run and is counted, never published', () => {
    const read = raceOf([ran(1, 1), unplaced(2, 'Balked')]);
    expect([read.stage, read.runners[1]!.abnormal, read.dropped]).toEqual(['final', null, { abnormal_unknown: 1 }]);
  });

  test('the winner’s margin is the second’s and is left out, for both in a dead heat', () => {
    const { runners } = raceOf([ran(1, 1), ran(2, 1), ran(3, 3)]);
    expect(runners.map(({ dead_heat, position, margin }) => [dead_heat, position, margin])).toEqual([
      [true, 1, null],
      [true, 1, null],
      [false, 3, '1.00L'],
    ]);
  });

  test('after a dead heat the next place skips, however the registry counts', () => {
    for (const third of [2, 3]) {
      const { runners } = raceOf([ran(1, 1), ran(2, 1), ran(3, third)]);
      expect(runners.map(({ position }) => position)).toEqual([1, 1, 3]);
    }
  });

  test('seconds never become a margin, and an invalid margin is counted', () => {
    expect(runnerOf(ran(2, 2, { resultMarginLengths: null }), [ran(1, 1)]).margin).toBeNull();
    const read = raceOf([ran(1, 1), ran(2, 2, { resultMarginLengths: 'a nose' })]);
    expect([read.runners[1]!.margin, read.dropped]).toEqual([null, { margin_unreadable: 1 }]);
  });

  test.each<[unknown, number | null, string | null, object]>([
    [4.6, 4.6, null, {}],
    ['4.60', 4.6, null, {}],
    ['$2.40F', 2.4, 'F', {}],
    ['$2.40 EF', 2.4, 'EF', {}],
    [0, null, null, {}],
    [null, null, null, {}],
    ['', null, null, {}],
    [1, null, null, { sp_unreadable: 1 }],
    [-3, null, null, { sp_unreadable: 1 }],
    ['evens', null, null, { sp_unreadable: 1 }],
    // Any value that JSON can have: converting this one to text throws.
    [{ toString: 0 }, null, null, { sp_unreadable: 1 }],
  ])('a starting price of %p', (startPrice, sp, sp_note, dropped) => {
    const read = raceOf([ran(1, 1, { startPrice } as Partial<TopazRun>)]);
    expect([read.runners[0]!.sp, read.runners[0]!.sp_note, read.dropped]).toEqual([sp, sp_note, dropped]);
  });

  test('the price may be under its other name', () => {
    const run = { ...ran(1, 1), startPrice: undefined, startingPrice: 3.5 };
    expect(raceOf([run]).runners[0]!.sp).toBe(3.5);
  });

  test('an id below 0 is an id, a missing one and 0 are not; a time of 0 is not a time', () => {
    expect(runnerOf(ran(1, 1, { dogId: -339746 })).runner_ref).toBe('grv:-339746');
    expect(runnerOf(ran(1, 1, { dogId: 0 })).runner_ref).toBeNull();
    expect(runnerOf({ ...ran(1, 1), dogId: null as unknown as number }).runner_ref).toBeNull();
    expect(runnerOf(ran(1, 1, { resultTime: 0 })).time_s).toBeNull();
  });
});
