import { nextDeadline, step } from '../../../src/domain/lifecycle/lifecycle';
import type { RaceStart } from '../../../src/domain/lifecycle/race-state';
import { type RaceRecord, restoreRace } from '../../../src/domain/lifecycle/restore-race';

const START: RaceStart = {
  raceId: 'race',
  category: 'horse',
  country: 'AU',
  advertisedStart: '2026-11-21T03:00:00.000Z',
  startVersion: 2,
  at: '2026-11-21T02:00:00.000Z',
};
const STORED: RaceRecord = {
  phase: 'live',
  epoch: 4,
  abandonmentVersion: 3,
  marketClosedAt: null,
  inplayAt: null,
  jumpedAt: null,
  leftBoardAt: null,
  result: null,
};
const result = {
  status: 'interim',
  statusNote: null,
  placingsKey: '1:5|2:3|3:4',
  placingsSince: '2026-11-21T03:04:00.000Z',
  protest: false,
  overridden: false,
  resultedAt: '2026-11-21T03:04:00.000Z',
  fieldStatus: 'pending',
  fieldLastPassAt: null,
} as const;

const ticked = (at: string, record: RaceRecord) =>
  step(restoreRace({ ...START, at }, record), { type: 'tick', at }).state;

test('a polled race is polled again under an epoch newer than any poller’s', () => {
  expect(ticked(START.at, STORED)).toMatchObject({
    phase: 'live',
    tier: 'live',
    epoch: 5,
    startVersion: 2,
    abandonmentVersion: 3,
  });
});

test('interim placings keep the time for which they have stood', () => {
  const record = { ...STORED, phase: 'jumped', jumpedAt: '2026-11-21T03:00:30.000Z', result };
  const state = ticked('2026-11-21T03:20:00.000Z', record);
  expect(state).toMatchObject({ phase: 'interim', placingsKey: result.placingsKey, onBoard: false });
  expect(nextDeadline(state)).toEqual({ at: '2026-11-21T03:34:00.000Z', why: 'final' });
});

test.each(['overdue', 'unavailable', 'complete'] as const)(
  'a field that is %s stays so, at any later time',
  (fieldStatus) => {
    const record = {
      ...STORED,
      phase: 'final',
      jumpedAt: START.advertisedStart,
      result: { ...result, status: 'final', fieldStatus, fieldLastPassAt: '2026-11-22T19:00:00.000Z' },
    };
    const at = fieldStatus === 'overdue' ? '2026-11-23T00:00:00.000Z' : '2026-12-21T00:00:00.000Z';
    expect(ticked(at, record as RaceRecord).field?.status).toBe(fieldStatus);
  },
);

test('a fill weeks after the race completes an unavailable field', () => {
  const at = '2026-12-21T00:00:00.000Z';
  const record = {
    ...STORED,
    phase: 'final',
    leftBoardAt: '2026-11-21T03:11:00.000Z',
    result: { ...result, status: 'final', fieldStatus: 'unavailable' },
  };
  const { state, effects } = step(restoreRace({ ...START, at }, record as RaceRecord), { type: 'fieldFilled', at });
  expect(state).toMatchObject({ phase: 'final', field: { status: 'complete' }, over: true });
  expect(effects).toContainEqual(expect.objectContaining({ do: 'save_field' }));
});

describe('the field continues in its state', () => {
  const record = (over: object): RaceRecord => ({
    ...STORED,
    phase: 'final',
    jumpedAt: START.advertisedStart,
    leftBoardAt: '2026-11-21T03:11:00.000Z',
    result: { ...result, status: 'final', ...over },
  });
  const at = '2026-11-23T00:00:00.000Z';
  const passes = (over: object) =>
    step(restoreRace({ ...START, at }, record(over)), { type: 'tick', at }).effects.filter(
      (each) => each.do === 'run_field_pass',
    );

  test('a pass that became due while the workflow was gone is scheduled at once', () => {
    expect(passes({})).toEqual([{ do: 'run_field_pass', at: '2026-11-21T19:00:00.000Z' }]);
    const overdue = { fieldStatus: 'overdue', fieldLastPassAt: '2026-11-21T19:00:03.000Z' };
    expect(passes(overdue)).toEqual([{ do: 'run_field_pass', at: '2026-11-22T19:00:00.000Z' }]);
  });

  test('a pass that ran is not run again, and its instant is kept', () => {
    const ran = { fieldStatus: 'overdue', fieldLastPassAt: '2026-11-22T19:00:03.000Z' } as const;
    expect(passes(ran)).toEqual([]);
    expect(restoreRace({ ...START, at }, record(ran))).toMatchObject({
      lastFieldPassAt: ran.fieldLastPassAt,
      field: { status: 'overdue', expectedAt: '2026-11-23T19:00:00.000Z' },
    });
  });

  test('a result that arrived after the first pass has not missed it', () => {
    expect(passes({ resultedAt: '2026-11-22T20:00:00.000Z' })).toEqual([]);
  });
});

test('an abandoned race keeps its note', () => {
  const abandoned = {
    ...result,
    status: 'abandoned',
    statusNote: 'postponed',
    placingsKey: '',
    fieldStatus: 'not_applicable',
  };
  expect(restoreRace(START, { ...STORED, result: abandoned } as RaceRecord)).toMatchObject({
    phase: 'abandoned',
    note: 'postponed',
  });
});

test('a field completed before the race is restored stays unchanged', () => {
  const record = {
    ...STORED,
    phase: 'final',
    leftBoardAt: '2026-11-21T03:11:00.000Z',
    result: { ...result, status: 'final', fieldStatus: 'complete' },
  };
  const state = ticked('2026-12-21T00:00:00.000Z', record as RaceRecord);
  expect(state).toMatchObject({ field: { status: 'complete' }, over: true });
});

test('a race in an unknown phase begins on the card', () => {
  expect(restoreRace(START, { ...STORED, phase: 'parading' }).phase).toBe('card');
});

test.each(['card', 'live', 'jumped', 'interim', 'final', 'abandoned'])(
  'without a result the phase %s comes from the header',
  (phase) => {
    expect(restoreRace(START, { ...STORED, phase })).toMatchObject({
      phase,
      note: phase === 'abandoned' ? 'abandoned' : null,
      onBoard: true,
      jumpedAt: null,
      placingsKey: null,
      placingsSince: null,
      protest: false,
      overridden: false,
      field: null,
    });
  },
);

test('every stored member is restored', () => {
  const header = {
    marketClosedAt: '2026-11-21T03:00:20.000Z',
    inplayAt: '2026-11-21T03:00:10.000Z',
    jumpedAt: '2026-11-21T03:00:30.000Z',
    leftBoardAt: '2026-11-21T03:10:30.000Z',
  };
  const record = { ...STORED, ...header, result: { ...result, protest: true, overridden: true } };
  expect(restoreRace(START, record)).toMatchObject({
    ...header,
    onBoard: false,
    protest: true,
    overridden: true,
    note: null,
    placingsKey: result.placingsKey,
    placingsSince: result.placingsSince,
    phaseSince: result.placingsSince,
  });
});

test('a result without placings has none, and a race with placings but no stored jump jumped at its start', () => {
  const empty = { ...STORED, result: { ...result, placingsKey: '' } };
  expect(restoreRace(START, empty)).toMatchObject({ placingsKey: null, placingsSince: null, jumpedAt: null });
  expect(restoreRace(START, { ...STORED, result })).toMatchObject({ jumpedAt: START.advertisedStart });
});
