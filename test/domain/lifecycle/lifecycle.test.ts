// A 3, row by row: the effects and the state of a race for each kind of event.
import {
  canAbandon,
  canOverride,
  canReinstate,
  nextDeadline,
  type RaceEvent,
  step,
} from '../../../src/domain/lifecycle/lifecycle';
import { at, effectNames, effectsAt, finalRace, interimRace, jumpedRace, liveRace, newRace, play } from './race-script';

const PLACED = (key: string, minute: number, more: object = {}): RaceEvent => ({
  type: 'resultSeen',
  stage: 'interim',
  placingsKey: key,
  protest: false,
  at: at(minute),
  ...more,
});

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

  test('three hours out it goes live under a new epoch', () => {
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

  test('A 2.2: an early close is stamped but is no jump, and a reopening does not change the stamp', () => {
    const shut = play(liveRace(), { type: 'marketClosed', at: at(-30) });
    expect(shut).toMatchObject({ phase: 'live', marketClosedAt: at(-30), jumpedAt: null });
    const open = play(shut, { type: 'marketReopened', at: at(-20) }, { type: 'marketClosed', at: at(1) });
    expect(open).toMatchObject({ phase: 'jumped', marketClosedAt: at(-30), jumpedAt: at(1) });
  });

  test('after an early close without reopening, the advertised start', () => {
    const shut = play(liveRace(), { type: 'marketClosed', at: at(-5) });
    expect(nextDeadline(shut)).toEqual({ at: at(0), why: 'jump' });
    expect(play(shut, { type: 'tick', at: at(0) })).toMatchObject({ phase: 'jumped', jumpedAt: at(0) });
  });

  test('without a close, the first evidence of a result', () => {
    expect(play(liveRace(), PLACED('1:4', 4))).toMatchObject({ phase: 'interim', jumpedAt: at(4) });
  });

  test('without either, the advertised start, once the race leaves the board', () => {
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
  test('ten minutes after the jump', () => {
    expect(nextDeadline(jumpedRace())).toEqual({ at: at(11), why: 'leave_board' });
    expect(effectNames(jumpedRace(), { type: 'tick', at: at(11) })).toEqual(['save_phase']);
  });

  test('A 2.2: an abandoned race is shown as abandoned until it would have left the board', () => {
    const off = play(liveRace(), { type: 'abandoned', note: 'abandoned', at: at(-50) });
    expect(off.onBoard).toBe(true);
    expect(nextDeadline(off)).toEqual({ at: at(10), why: 'leave_board' });
  });
});

describe('the result (A 3)', () => {
  test('a result with placings is interim, and its field is awaited', () => {
    expect(effectNames(jumpedRace(), PLACED('1:4|2:2', 5))).toEqual(['save_phase', 'save_field']);
    expect(interimRace()).toMatchObject({ phase: 'interim', placingsSince: at(5), field: { status: 'pending' } });
  });

  test('final after 30 minutes of stable placings', () => {
    expect(play(interimRace(), { type: 'tick', at: at(34) }).phase).toBe('interim');
    expect(effectNames(interimRace(), { type: 'tick', at: at(35) })).toContain('finalise');
  });

  test('equal placings do not restart the 30 minutes; others do', () => {
    expect(play(interimRace(), PLACED('1:4|2:2', 20)).placingsSince).toBe(at(5));
    expect(play(interimRace(), PLACED('1:2|2:4', 20)).placingsSince).toBe(at(20));
  });

  test('a book’s final result is interim for us until it has stood', () => {
    expect(play(jumpedRace(), PLACED('1:4', 5, { stage: 'final' })).phase).toBe('interim');
  });

  test('a protest keeps it interim, and may change the placings', () => {
    const lodged = play(interimRace(), PLACED('1:4|2:2', 15, { protest: true }), { type: 'tick', at: at(200) });
    expect(lodged).toMatchObject({ phase: 'interim', protest: true });
    expect(nextDeadline(lodged)?.why).not.toBe('final');
    expect(play(lodged, PLACED('1:4|2:2', 201)).phase).toBe('final');
    expect(play(lodged, PLACED('1:2|2:4', 201)).phase).toBe('interim');
  });

  test('only an operator changes a final result; the placings take their own 30 minutes, and no feed undoes them', () => {
    expect(
      play(finalRace(), PLACED('1:2|2:4', 40), { type: 'abandoned', note: 'abandoned', at: at(41) }),
    ).toMatchObject({
      phase: 'final',
      placingsKey: '1:4|2:2',
    });
    const changed = play(finalRace(), { type: 'overridden', placingsKey: '1:2', at: at(60) });
    expect(changed).toMatchObject({ phase: 'interim', placingsKey: '1:2', overridden: true });
    expect(play(changed, PLACED('1:4|2:2', 61)).placingsKey).toBe('1:2');
    expect(play(changed, { type: 'tick', at: at(90) }).phase).toBe('final');
  });

  test('other placings, a protest or no reachable book at the final check: interim, for thirty minutes more', () => {
    const checked = (placingsKey: string, protest = false) =>
      play(finalRace(), { type: 'notFinal', placingsKey, protest, at: at(40) });
    expect(checked('1:2|2:4')).toMatchObject({ phase: 'interim', placingsKey: '1:2|2:4', placingsSince: at(40) });
    expect(play(checked('1:2|2:4'), { type: 'tick', at: at(70) }).phase).toBe('final');
    expect(checked('1:4|2:2')).toMatchObject({ phase: 'interim', placingsSince: at(40) });
    const protested = checked('1:4|2:2', true);
    expect(protested).toMatchObject({ phase: 'interim', protest: true });
    expect(play(protested, PLACED('1:4|2:2', 90)).phase).toBe('final');
  });

  test('an operator who confirms a final leaves it final', () => {
    expect(play(finalRace(), { type: 'overridden', placingsKey: '1:4|2:2', at: at(60) }).phase).toBe('final');
  });

  test('withdrawn placings change nothing; an empty result only shows that the race ran', () => {
    expect(play(interimRace(), PLACED('', 20)).placingsKey).toBe('1:4|2:2');
    expect(play(liveRace(), PLACED('', 4))).toMatchObject({ phase: 'jumped', placingsKey: null });
  });
});

describe('abandonment (A 3: race did not run)', () => {
  const off: RaceEvent = { type: 'abandoned', note: 'postponed', at: at(-30) };

  test('from any phase before final: pollers stop, and note and field show it', () => {
    for (const race of [newRace(-600), liveRace(), jumpedRace(), interimRace()]) {
      expect(play(race, off)).toMatchObject({ phase: 'abandoned', tier: 'none', note: 'postponed' });
      expect(play(race, off).field).toEqual({ status: 'not_applicable', source: null, note: null, expectedAt: null });
    }
    expect(effectNames(liveRace(), off)).toEqual(['set_control', 'write_abandoned', 'save_phase', 'save_field']);
  });

  test('a repeated abandonment is written once; another note is written again', () => {
    const abandoned = play(liveRace(), off);
    expect(effectNames(abandoned, off)).toEqual([]);
    expect(effectNames(abandoned, { ...off, note: 'transferred to Kilmore' })).toEqual(['write_abandoned']);
  });

  test('a book that reports the race abandoned is a notice too', () => {
    const seen = PLACED('', 3, { stage: 'abandoned', note: 'transferred to Kilmore' });
    expect(play(liveRace(), seen)).toMatchObject({ phase: 'abandoned', note: 'transferred to Kilmore' });
    expect(play(liveRace(), off, seen)).toMatchObject({ phase: 'abandoned', note: 'postponed' });
  });

  test('but not for a race with placings, even an operator’s: it ran', () => {
    const seen = PLACED('', 8, { stage: 'abandoned', note: 'abandoned' });
    const given: RaceEvent = { type: 'overridden', placingsKey: '1:7|2:2', at: at(7) };
    expect(play(interimRace(), seen).phase).toBe('interim');
    expect(play(jumpedRace(), given, seen)).toMatchObject({ phase: 'interim', placingsKey: '1:7|2:2' });
  });

  test('a result of an abandoned race is ignored until the race is reinstated', () => {
    expect(play(liveRace(), off, PLACED('1:4', 5)).phase).toBe('abandoned');
  });

  test('reinstated: in the tier of the hour, with pollers of a new epoch', () => {
    const back = play(liveRace(), off, { type: 'reinstated', at: at(-20) });
    expect(back).toMatchObject({ phase: 'live', tier: 'live', epoch: 3, note: null, field: null });
  });

  test('reinstated: an early close of the market is forgotten', () => {
    const paused = play(liveRace(), { type: 'marketClosed', at: at(-40) }, off, { type: 'reinstated', at: at(-20) });
    expect(play(paused, { type: 'tick', at: at(1) }).phase).toBe('live');
  });

  test('a start moved while abandoned applies once the race is reinstated', () => {
    const moved: RaceEvent = { type: 'startMoved', start: at(600), version: 2, at: at(5) };
    const gone = play(liveRace(), off, moved, { type: 'tick', at: at(615) });
    expect(gone).toMatchObject({ phase: 'abandoned', onBoard: false });
    const back = play(liveRace(), off, moved, { type: 'reinstated', at: at(200) });
    expect(back).toMatchObject({ phase: 'card', onBoard: true, advertisedStart: at(600) });
    const shut = play(jumpedRace(), { ...off, at: at(2) }, { ...moved, at: at(3) }, { type: 'reinstated', at: at(4) });
    expect(shut).toMatchObject({ phase: 'card', advertisedStart: at(600) });
  });

  test('a race that had left the board comes back to it', () => {
    const gone = play(liveRace(), off, { type: 'tick', at: at(11) });
    expect(effectNames(gone, { type: 'reinstated', at: at(12) })).toEqual(['set_control', 'reinstate', 'save_phase']);
    expect(nextDeadline(play(gone, { type: 'reinstated', at: at(12) }))).toEqual({ at: at(22), why: 'jump' });
  });

  test('reinstated after a presumed jump: it has not run, and a new start applies', () => {
    const called = play(jumpedRace(), { ...off, at: at(2) }, { type: 'reinstated', at: at(9) });
    expect(called).toMatchObject({ phase: 'live', jumpedAt: null, marketClosedAt: at(1), onBoard: true });
    const moved = play(called, { type: 'startMoved', start: at(60), version: 2, at: at(10) });
    expect(nextDeadline(moved)).toEqual({ at: at(70), why: 'jump' });
  });

  test('reinstated after its placings: they are awaited again', () => {
    const back = play(interimRace(), { ...off, at: at(10) }, { type: 'reinstated', at: at(20) });
    expect(back).toMatchObject({ phase: 'live', placingsKey: null, field: null });
    expect(play(back, PLACED('1:4|2:2', 21))).toMatchObject({
      phase: 'interim',
      jumpedAt: at(21),
      placingsSince: at(21),
    });
  });
});

describe('field coverage (A 3, D25)', () => {
  const NIGHT = 16 * 60;

  test('pending -> overdue when a pass runs without a field, and the next one is scheduled', () => {
    const final = finalRace();
    expect(nextDeadline(final)).toEqual({ at: at(NIGHT), why: 'field_pass' });
    expect(effectsAt(final, { type: 'tick', at: at(NIGHT) })).toContainEqual({ do: 'run_field_pass', at: at(NIGHT) });
    const overdue = play(final, { type: 'tick', at: at(NIGHT) }, { type: 'fieldPassed', at: at(NIGHT + 1) });
    expect(overdue.field).toMatchObject({ status: 'overdue', expectedAt: at(NIGHT + 1_440) });
  });

  test('a pass is scheduled once', () => {
    const scheduled = play(finalRace(), { type: 'tick', at: at(NIGHT) });
    expect(effectNames(scheduled, { type: 'tick', at: at(NIGHT + 1) })).toEqual([]);
  });

  test('overdue -> unavailable at the horizon; any fill, weeks late, completes it', () => {
    const days = (n: number) => at(n * 1_440);
    const lost = play(finalRace(), { type: 'tick', at: days(6) });
    expect(lost.field?.status).toBe('unavailable');
    const filled = play(lost, { type: 'fieldFilled', at: days(40) });
    expect(filled.field).toEqual({ status: 'complete', source: 'racing_australia', note: null, expectedAt: null });
  });

  test('ticks alone bring a missing field to unavailable, and the race to its end', () => {
    let race = finalRace();
    const reasons: string[] = [];
    for (let due = nextDeadline(race); due !== null && reasons.length < 20; due = nextDeadline(race)) {
      reasons.push(due.why);
      race = play(race, { type: 'tick', at: due.at });
    }
    expect(reasons).toEqual([...Array(6).fill('field_pass'), 'field_horizon']);
    expect(race).toMatchObject({ over: true, field: { status: 'unavailable', expectedAt: null } });
  });

  test('unsupported never changes', () => {
    const nz = play({ ...jumpedRace(), country: 'NZ' }, PLACED('1:4', 5));
    const later = play(nz, { type: 'fieldPassed', at: at(2_000) }, { type: 'fieldFilled', at: at(2_001) });
    expect([nz.field?.status, later.field?.status]).toEqual(['unsupported', 'unsupported']);
  });

  test('a field filled before the first placings is complete when they arrive', () => {
    expect(play(jumpedRace(), { type: 'fieldFilled', at: at(3) }, PLACED('1:4', 5)).field?.status).toBe('complete');
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

test('a book that reports a race abandoned without a note', () => {
  const seen = { stage: 'abandoned' as const };
  for (const note of ['', null]) {
    expect(play(liveRace(), PLACED('', 3, { ...seen, note }))).toMatchObject({ phase: 'abandoned', note: 'abandoned' });
  }
});

test('an abandonment ends a protest, and the race stays a day from the later of its notice and its start', () => {
  const protested = play(interimRace(), PLACED('1:4|2:2', 15, { protest: true }));
  expect(play(protested, { type: 'abandoned', note: 'abandoned', at: at(20) }).protest).toBe(false);
  const closes = (minute: number) => {
    const off = play(
      newRace(-600),
      { type: 'abandoned', note: 'abandoned', at: at(minute) },
      { type: 'tick', at: at(60) },
    );
    return nextDeadline(off);
  };
  expect(closes(-500)).toEqual({ at: at(1_440), why: 'close' });
  expect(closes(30)).toEqual({ at: at(30 + 1_440), why: 'close' });
});

test('the orders that an operator may give, by phase', () => {
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

test('an event that only a newer version has is refused, not ignored', () => {
  const newer = { type: 'stewardsInquiry', at: at(1) } as unknown as RaceEvent;
  expect(() => step(liveRace(), newer)).toThrow('this version has no event stewardsInquiry');
});
