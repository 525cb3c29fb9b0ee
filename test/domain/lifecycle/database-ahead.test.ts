// What a race does when the database and its workflow disagree: repeated orders, a fence that holds another epoch, a
// restored backup.
import { carriedRace, type RaceEvent, type RaceState } from '../../../src/domain/lifecycle/lifecycle';
import { wholeState } from '../../../src/domain/lifecycle/race-effects';
import { at, effectNames, effectsAt, finalRace, interimRace, jumpedRace, liveRace, newRace, play } from './race-script';

const ordered = (version: number, minute = -60): RaceEvent => ({
  type: 'abandoned',
  note: 'abandoned',
  version,
  at: at(minute),
});

describe('an abandonment ordered elsewhere', () => {
  test('counts once: repeated after a reinstatement it changes nothing, a new one does', () => {
    const back = play(liveRace(), ordered(1), { type: 'reinstated', at: at(-50) });
    expect(back).toMatchObject({ phase: 'live', abandonmentVersion: 1 });
    expect(effectsAt(back, ordered(1, -40))).toEqual([]);
    expect(play(back, ordered(2, -40))).toMatchObject({ phase: 'abandoned', abandonmentVersion: 2 });
  });

  test('is acknowledged by the control row, even if the race can no longer be abandoned', () => {
    expect(play(finalRace(), ordered(1, 40))).toMatchObject({ phase: 'final', abandonmentVersion: 1 });
    expect(effectsAt(finalRace(), ordered(1, 40))).toEqual([
      expect.objectContaining({ do: 'set_control', abandonmentVersion: 1, closed: true }),
    ]);
  });
});

describe('a poller that the fence refuses', () => {
  const refused = (race: RaceState, held: number | null): RaceEvent => ({
    type: 'refused',
    epoch: race.epoch,
    held,
    at: at(-60),
  });

  test.each([
    ['a newer epoch, after a reset', 4, 5],
    ['its own epoch: a poller of the run before the reset', 1, 2],
    ['an older epoch, from a backup', 0, 2],
    ['none', null, 2],
  ])('if the control row has %s, the race moves past it and writes its control row again', (_, held, epoch) => {
    const race = liveRace();
    expect(race.epoch).toBe(1);
    expect(effectsAt(race, refused(race, held))).toEqual([
      expect.objectContaining({ do: 'set_control', tier: 'live', epoch, closed: false }),
    ]);
  });

  test('a poll of an earlier epoch or of a race that has jumped changes nothing', () => {
    expect(effectsAt(liveRace(), { ...refused(liveRace(), 9), epoch: 0 } as RaceEvent)).toEqual([]);
    expect(effectsAt(jumpedRace(), { ...refused(jumpedRace(), 9), at: at(2) } as RaceEvent)).toEqual([]);
  });
});

describe('a database restored from an older backup', () => {
  test('a result that is no longer stored is collected again; the jump stays', () => {
    const lost = play(finalRace(), { type: 'resultLost', at: at(40) });
    expect(lost).toMatchObject({ phase: 'jumped', jumpedAt: at(1), placingsKey: null, field: null, onBoard: false });
    expect(effectNames(finalRace(), { type: 'resultLost', at: at(40) })).toEqual(['save_phase']);
    expect(effectsAt(liveRace(), { type: 'resultLost', at: at(-40) })).toEqual([]);
  });

  test('the whole state of a race, by phase', () => {
    const names = (race: RaceState) => wholeState(race).map((effect) => effect.do);
    expect(names(liveRace())).toEqual(['set_control', 'reinstate', 'save_phase']);
    expect(names(interimRace())).toEqual(['set_control', 'reinstate', 'save_phase', 'save_field']);
    expect(names(finalRace())).toEqual(['set_control', 'reinstate', 'save_phase', 'finalise', 'save_field']);
    const off = play(liveRace(), ordered(1));
    expect(names(off)).toEqual(['set_control', 'write_abandoned', 'save_phase', 'save_field']);
    const { epoch } = liveRace();
    const control = { do: 'set_control', epoch, tier: 'live', advertisedStart: at(0), closed: false };
    expect(wholeState(liveRace())[0]).toEqual({ ...control, startVersion: 1, abandonmentVersion: 0 });
  });
});

test('a start that moved and moved back is written too, because the control row has its version', () => {
  const moved: RaceEvent = { type: 'startMoved', start: at(0), version: 3, at: at(-60) };
  expect(effectsAt(liveRace(), moved)).toEqual([
    expect.objectContaining({ do: 'set_control', startVersion: 3, advertisedStart: at(0) }),
  ]);
});

test('the end of a race is stored once, after everything else', () => {
  const over = effectNames(finalRace(), { type: 'tick', at: at(9 * 1_440) });
  expect(over.filter((name) => name === 'close')).toEqual(['close']);
  expect(over.at(-1)).toBe('close');
});

describe('a state from another version', () => {
  test('gets the fields that it lacks', () => {
    const { abandonmentVersion: _, ...older } = newRace(-600);
    expect(carriedRace(older as RaceState)).toEqual(newRace(-600));
  });

  test('of a newer schema is refused, not guessed at', () => {
    const newer = { ...newRace(-600), schema: 2 } as unknown as RaceState;
    expect(() => carriedRace(newer)).toThrow('this version has no schema 2 of a race');
  });
});
