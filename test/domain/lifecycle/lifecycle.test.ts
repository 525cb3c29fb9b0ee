// A 3, row by row: the effects and the state of a race for each kind of event.
import {
  canAbandon,
  canOverride,
  canReinstate,
  nextDeadline,
  type RaceEvent,
  step,
} from '../../../src/domain/lifecycle/lifecycle';
import {
  at,
  effectNames,
  effectsAt,
  finalRace,
  interimRace,
  jumpedRace,
  liveRace,
  newRace,
  PLACED,
  play,
} from './race-script';

describe('tiers (A 2.4 rule 4)', () => {
  test('the first tick puts a race on the card, and a poller on it', () => {
    expect(effectsAt(newRace(-600), { type: 'tick', at: at(-600) })).toEqual([
      {
        do: 'set_control',
        epoch: 1,
        tier: 'card',
        advertisedStart: at(0),
        closed: false,
        startVersion: 1,
        abandonmentVersion: 0,
      },
    ]);
  });

  test('a race found inside three hours is live at once', () => {
    expect(play(newRace(-100), { type: 'tick', at: at(-100) })).toMatchObject({
      phase: 'live',
      tier: 'live',
      epoch: 1,
    });
  });

  test('a race goes live three hours before its start, under a new epoch', () => {
    const card = play(newRace(-600), { type: 'tick', at: at(-600) });
    expect(nextDeadline(card)).toEqual({ at: at(-180), why: 'live_tier' });
    expect(play(card, { type: 'tick', at: at(-181) }).phase).toBe('card');
    expect(play(card, { type: 'tick', at: at(-180) })).toMatchObject({ phase: 'live', tier: 'live', epoch: 2 });
  });
});

describe('a moved start', () => {
  const moved = (minute: number, version: number, when = -100): RaceEvent => ({
    type: 'startMoved',
    start: at(minute),
    version,
    at: at(when),
  });

  test('inside the live window it changes the start under the same epoch', () => {
    expect(effectsAt(liveRace(), moved(25, 2))).toEqual([
      {
        do: 'set_control',
        epoch: 1,
        tier: 'live',
        advertisedStart: at(25),
        closed: false,
        startVersion: 2,
        abandonmentVersion: 0,
      },
    ]);
  });

  test('out of the live window it returns to the card with the next epoch', () => {
    expect(play(liveRace(), moved(600, 2))).toMatchObject({ phase: 'card', tier: 'card', epoch: 2 });
  });

  test.each([1, 0])('version %d, current or older, changes nothing', (version) => {
    const race = liveRace();
    expect(effectsAt(race, moved(25, version))).toEqual([]);
    expect(play(race, moved(25, version)).advertisedStart).toBe(at(0));
  });

  test('applies past the start while no jump is observed', () => {
    const late = play(liveRace(), { type: 'tick', at: at(5) }, moved(15, 2, 6));
    expect(late).toMatchObject({ phase: 'live', advertisedStart: at(15), jumpedAt: null });
  });

  test('is ignored after the jump', () => {
    expect(play(jumpedRace(), moved(600, 2, 3))).toMatchObject({ phase: 'jumped', advertisedStart: at(0) });
  });
});

describe('the jump (A 3 "upcoming -> jumped", D24)', () => {
  test('is the close of the market, and the pollers stop', () => {
    const closed: RaceEvent = { type: 'marketClosed', at: at(1) };
    expect(play(liveRace(), closed)).toMatchObject({ phase: 'jumped', jumpedAt: at(1), marketClosedAt: at(1) });
    expect(effectsAt(liveRace(), closed)).toEqual([
      {
        do: 'set_control',
        epoch: 2,
        tier: 'none',
        advertisedStart: at(0),
        closed: true,
        startVersion: 1,
        abandonmentVersion: 0,
      },
      { do: 'save_phase', phase: 'jumped', jumpedAt: at(1), leftBoardAt: null },
    ]);
  });

  test('a close in the last minute before the start is the jump', () => {
    expect(play(liveRace(), { type: 'marketClosed', at: at(-1) })).toMatchObject({ phase: 'jumped', jumpedAt: at(-1) });
    expect(play(liveRace(), { type: 'marketClosed', at: at(-1.1) }).phase).toBe('live');
  });

  test('A 2.2: an early close is stamped but is not a jump, and a reopening does not change the stamp', () => {
    const shut = play(liveRace(), { type: 'marketClosed', at: at(-30) });
    expect(shut).toMatchObject({ phase: 'live', marketClosedAt: at(-30), jumpedAt: null });
    const open = play(shut, { type: 'marketReopened', at: at(-20) }, { type: 'marketClosed', at: at(1) });
    expect(open).toMatchObject({ phase: 'jumped', marketClosedAt: at(-30), jumpedAt: at(1) });
  });

  test('is the advertised start after an early close without a reopening', () => {
    const shut = play(liveRace(), { type: 'marketClosed', at: at(-5) });
    expect(nextDeadline(shut)).toEqual({ at: at(0), why: 'jump' });
    expect(play(shut, { type: 'tick', at: at(0) })).toMatchObject({ phase: 'jumped', jumpedAt: at(0) });
  });

  test('is the first evidence of a result if the market was not seen to close', () => {
    expect(play(liveRace(), PLACED('1:4', 4))).toMatchObject({ phase: 'interim', jumpedAt: at(4) });
  });

  test('is the advertised start, once the race leaves the board without a close or a result', () => {
    expect(play(liveRace(), { type: 'tick', at: at(9) })).toMatchObject({ phase: 'live', onBoard: true });
    expect(play(liveRace(), { type: 'tick', at: at(10) })).toMatchObject({
      phase: 'jumped',
      jumpedAt: at(0),
      onBoard: false,
      leftBoardAt: at(10),
    });
  });

  test('a result more than half an hour before the start belongs to another race (D17)', () => {
    for (const minute of [-60, -30.1]) {
      expect(play(liveRace(), PLACED('1:4', minute))).toMatchObject({ phase: 'live', placingsKey: null });
    }
    expect(play(liveRace(), PLACED('1:4', -30))).toMatchObject({ phase: 'interim', jumpedAt: at(-30) });
  });

  test('A 3: in play is stamped once and changes nothing else', () => {
    const seen = play(liveRace(), { type: 'inplay', at: at(1) }, { type: 'inplay', at: at(2) });
    expect(seen).toMatchObject({ phase: 'live', inplayAt: at(1), jumpedAt: null });
  });
});

describe('the board (A 3: removed more than 10 minutes after the jump)', () => {
  test('a race leaves it ten minutes after the jump', () => {
    expect(nextDeadline(jumpedRace())).toEqual({ at: at(11), why: 'leave_board' });
    expect(effectNames(jumpedRace(), { type: 'tick', at: at(11) })).toEqual(['save_phase']);
  });

  test('A 2.2: an abandoned race is shown as abandoned until it would have left the board', () => {
    const off = play(liveRace(), { type: 'abandoned', note: 'abandoned', at: at(-50) });
    expect(off.onBoard).toBe(true);
    expect(nextDeadline(off)).toEqual({ at: at(10), why: 'leave_board' });
  });
});

describe('the end', () => {
  test('a final race stays open a day for operators, and until its field is settled', () => {
    const filled = play(finalRace(), { type: 'fieldFilled', at: at(40) });
    expect(nextDeadline(filled)).toEqual({ at: at(35 + 1_440), why: 'close' });
    expect(play(filled, { type: 'tick', at: at(35 + 1_440) }).over).toBe(true);
    expect(play(finalRace(), { type: 'tick', at: at(35 + 1_440) }).over).toBe(false);
  });

  test('a race without a result ends after three days', () => {
    expect(play(jumpedRace(), { type: 'tick', at: at(3 * 1_440) }).over).toBe(false);
    expect(play(jumpedRace(), { type: 'tick', at: at(3 * 1_440 + 1) }).over).toBe(true);
  });

  test('an unsettled protest is waited for three days, and a later ruling still counts', () => {
    const lodged = play(interimRace(), PLACED('1:4|2:2', 15, { protest: true }), { type: 'fieldFilled', at: at(20) });
    const close = at(5 + 3 * 1_440);
    expect(nextDeadline(play(lodged, { type: 'tick', at: at(60) }))).toEqual({ at: close, why: 'close' });
    const over = play(lodged, { type: 'tick', at: close });
    expect(over).toMatchObject({ over: true, phase: 'interim', protest: true });
    expect(play(over, PLACED('1:4|2:2', 5_000))).toMatchObject({ over: false, phase: 'final' });
    expect(play(over, PLACED('1:2|2:4', 5_000))).toMatchObject({ over: false, phase: 'interim' });
  });

  test('nothing is scheduled for a race that has ended', () => {
    const over = play(
      liveRace(),
      { type: 'abandoned', note: 'abandoned', at: at(-9) },
      { type: 'tick', at: at(9_999) },
    );
    expect([over.over, nextDeadline(over)]).toEqual([true, null]);
  });
});

describe('an event that does not apply in a phase changes only the clock', () => {
  const races = {
    card: () => play(newRace(-600), { type: 'tick', at: at(-600) }),
    live: liveRace,
    jumped: jumpedRace,
    trotters: () => ({ ...jumpedRace(), category: 'harness' as const }),
    interim: interimRace,
    final: finalRace,
    complete: () => play(finalRace(), { type: 'fieldFilled', at: at(36) }),
    abandoned: () => play(liveRace(), { type: 'abandoned', note: 'abandoned', at: at(-30) }),
  };
  const nonsense: readonly [object, readonly (keyof typeof races)[]][] = [
    [{ type: 'reinstated' }, ['live', 'jumped', 'interim', 'final']],
    [{ type: 'overridden', placingsKey: '1:7' }, ['card', 'live', 'abandoned']],
    [{ type: 'overridden', placingsKey: '' }, ['jumped', 'final']],
    [{ type: 'notFinal', placingsKey: '1:7', protest: false }, ['live', 'jumped', 'interim', 'abandoned']],
    [{ type: 'notFinal', placingsKey: '', protest: false }, ['final']],
    [{ type: 'fieldFilled' }, ['card', 'live', 'trotters', 'complete', 'abandoned']],
    [{ type: 'fieldPassed' }, ['live', 'jumped', 'complete', 'abandoned']],
    [{ type: 'marketReopened' }, ['jumped', 'final']],
  ];

  test.each(nonsense.flatMap(([event, phases]) => phases.map((phase) => [event, phase] as const)))(
    '%p in %s',
    (event, phase) => {
      const race = races[phase]();
      // One second later, which makes nothing due.
      const now = new Date(Date.parse(race.asOf) + 1000).toISOString();
      expect(play(race, { ...event, at: now } as RaceEvent)).toEqual({ ...race, asOf: now });
      expect(play(race, { ...event, at: at(-900) } as RaceEvent)).toEqual(race);
    },
  );
});

test('a reopened market is open, so the start alone is no longer the jump', () => {
  const race = play(liveRace(), { type: 'marketClosed', at: at(-30) }, { type: 'marketReopened', at: at(-20) });
  expect(play(race, { type: 'tick', at: at(1) })).toMatchObject({ phase: 'live', marketShut: false });
});

test('the phase decides which orders an operator may give', () => {
  const rows = [liveRace(), jumpedRace(), interimRace(), finalRace()];
  const abandoned = play(liveRace(), { type: 'abandoned', note: 'abandoned', at: at(-9) });
  const allowed = [...rows, abandoned].map((race) => [canAbandon(race), canReinstate(race), canOverride(race)]);
  expect(allowed).toEqual([
    [true, false, false],
    [true, false, true],
    [true, false, true],
    [false, false, true],
    [true, true, false],
  ]);
});

test('an event known only to a newer version is refused, not ignored', () => {
  const newer = { type: 'stewardsInquiry', at: at(1) } as unknown as RaceEvent;
  expect(() => step(liveRace(), newer)).toThrow('this version has no event stewardsInquiry');
});
