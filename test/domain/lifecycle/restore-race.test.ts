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
const HELD: RaceRecord = {
  phase: 'live',
  epoch: 4,
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

const ticked = (at: string, held: RaceRecord) => step(restoreRace({ ...START, at }, held), { type: 'tick', at }).state;

test('a race that was being polled is polled again under a newer epoch than any poller has', () => {
  expect(ticked(START.at, HELD)).toMatchObject({ phase: 'live', tier: 'live', epoch: 5, startVersion: 2 });
});

test('interim placings keep the time they have stood', () => {
  const held = { ...HELD, phase: 'jumped', jumpedAt: '2026-11-21T03:00:30.000Z', result };
  const state = ticked('2026-11-21T03:20:00.000Z', held);
  expect(state).toMatchObject({ phase: 'interim', placingsKey: result.placingsKey, onBoard: false });
  expect(nextDeadline(state)).toEqual({ at: '2026-11-21T03:34:00.000Z', why: 'final' });
});

test.each(['overdue', 'unavailable', 'complete'] as const)(
  'a field that is %s stays so, however late',
  (fieldStatus) => {
    const held = {
      ...HELD,
      phase: 'final',
      jumpedAt: START.advertisedStart,
      result: { ...result, status: 'final', fieldStatus, fieldLastPassAt: '2026-11-22T19:00:00.000Z' },
    };
    const at = fieldStatus === 'overdue' ? '2026-11-23T00:00:00.000Z' : '2026-12-21T00:00:00.000Z';
    expect(ticked(at, held as RaceRecord).field?.status).toBe(fieldStatus);
  },
);

test('a fill weeks after the race completes a field that was given up', () => {
  const at = '2026-12-21T00:00:00.000Z';
  const held = {
    ...HELD,
    phase: 'final',
    leftBoardAt: '2026-11-21T03:11:00.000Z',
    result: { ...result, status: 'final', fieldStatus: 'unavailable' },
  };
  const { state, effects } = step(restoreRace({ ...START, at }, held as RaceRecord), { type: 'fieldFilled', at });
  expect(state).toMatchObject({ phase: 'final', field: { status: 'complete' }, over: true });
  expect(effects).toContainEqual(expect.objectContaining({ do: 'save_field' }));
});

describe('the field goes on where it was', () => {
  const held = (over: object): RaceRecord => ({
    ...HELD,
    phase: 'final',
    jumpedAt: START.advertisedStart,
    leftBoardAt: '2026-11-21T03:11:00.000Z',
    result: { ...result, status: 'final', ...over },
  });
  const at = '2026-11-23T00:00:00.000Z';
  const asks = (over: object) =>
    step(restoreRace({ ...START, at }, held(over)), { type: 'tick', at }).effects.filter(
      (each) => each.do === 'run_field_pass',
    );

  test('a pass that became due while the workflow was gone is asked for at once', () => {
    expect(asks({})).toEqual([{ do: 'run_field_pass', at: '2026-11-21T19:00:00.000Z' }]);
    const overdue = { fieldStatus: 'overdue', fieldLastPassAt: '2026-11-21T19:00:03.000Z' };
    expect(asks(overdue)).toEqual([{ do: 'run_field_pass', at: '2026-11-22T19:00:00.000Z' }]);
  });

  test('one that ran is not run again, and its instant is kept', () => {
    const ran = { fieldStatus: 'overdue', fieldLastPassAt: '2026-11-22T19:00:03.000Z' } as const;
    expect(asks(ran)).toEqual([]);
    expect(restoreRace({ ...START, at }, held(ran))).toMatchObject({
      lastFieldPassAt: ran.fieldLastPassAt,
      field: { status: 'overdue', expectedAt: '2026-11-23T19:00:00.000Z' },
    });
  });

  test('a result that came after the first pass has missed none', () => {
    expect(asks({ resultedAt: '2026-11-22T20:00:00.000Z' })).toEqual([]);
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
  expect(restoreRace(START, { ...HELD, result: abandoned } as RaceRecord)).toMatchObject({
    phase: 'abandoned',
    note: 'postponed',
  });
});

test('a field completed before the race is taken up again is left alone', () => {
  const held = {
    ...HELD,
    phase: 'final',
    leftBoardAt: '2026-11-21T03:11:00.000Z',
    result: { ...result, status: 'final', fieldStatus: 'complete' },
  };
  const state = ticked('2026-12-21T00:00:00.000Z', held as RaceRecord);
  expect(state).toMatchObject({ field: { status: 'complete' }, over: true });
});

test('a phase that this version does not know begins on the card', () => {
  expect(restoreRace(START, { ...HELD, phase: 'parading' }).phase).toBe('card');
});

test.each(['card', 'live', 'jumped', 'interim', 'final', 'abandoned'])(
  'without a result the phase %s is the header’s',
  (phase) => {
    expect(restoreRace(START, { ...HELD, phase })).toMatchObject({
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

test('all that was remembered comes back', () => {
  const header = {
    marketClosedAt: '2026-11-21T03:00:20.000Z',
    inplayAt: '2026-11-21T03:00:10.000Z',
    jumpedAt: '2026-11-21T03:00:30.000Z',
    leftBoardAt: '2026-11-21T03:10:30.000Z',
  };
  const held = { ...HELD, ...header, result: { ...result, protest: true, overridden: true } };
  expect(restoreRace(START, held)).toMatchObject({
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

test('a result without placings has none, and a placed race that no jump is known of jumped at its start', () => {
  const empty = { ...HELD, result: { ...result, placingsKey: '' } };
  expect(restoreRace(START, empty)).toMatchObject({ placingsKey: null, placingsSince: null, jumpedAt: null });
  expect(restoreRace(START, { ...HELD, result })).toMatchObject({ jumpedAt: START.advertisedStart });
});
