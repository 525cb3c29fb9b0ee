// A 3, row by row: a race that does not run, and a race that is reinstated.
import { nextDeadline, type RaceEvent } from '../../../src/domain/lifecycle/lifecycle';
import { at, effectNames, interimRace, jumpedRace, liveRace, newRace, PLACED, play } from './race-script';

const off: RaceEvent = { type: 'abandoned', note: 'postponed', at: at(-30) };

test('an abandonment in any phase before final stops the pollers, and note and field show it', () => {
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

test('no notice abandons a race with placings, even an operator’s', () => {
  const seen = PLACED('', 8, { stage: 'abandoned', note: 'abandoned' });
  const given: RaceEvent = { type: 'overridden', placingsKey: '1:7|2:2', at: at(7) };
  expect(play(interimRace(), seen).phase).toBe('interim');
  expect(play(jumpedRace(), given, seen)).toMatchObject({ phase: 'interim', placingsKey: '1:7|2:2' });
});

test('a result of an abandoned race is ignored until the race is reinstated', () => {
  expect(play(liveRace(), off, PLACED('1:4', 5)).phase).toBe('abandoned');
});

test('a reinstated race enters its current tier, with pollers of a new epoch', () => {
  const back = play(liveRace(), off, { type: 'reinstated', at: at(-20) });
  expect(back).toMatchObject({ phase: 'live', tier: 'live', epoch: 3, note: null, field: null });
});

test('a reinstatement forgets an early close of the market', () => {
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

test('a race that had left the board returns to it', () => {
  const gone = play(liveRace(), off, { type: 'tick', at: at(11) });
  expect(effectNames(gone, { type: 'reinstated', at: at(12) })).toEqual(['set_control', 'reinstate', 'save_phase']);
  expect(nextDeadline(play(gone, { type: 'reinstated', at: at(12) }))).toEqual({ at: at(22), why: 'jump' });
});

test('a race reinstated after a presumed jump has not run, and a new start applies', () => {
  const called = play(jumpedRace(), { ...off, at: at(2) }, { type: 'reinstated', at: at(9) });
  expect(called).toMatchObject({ phase: 'live', jumpedAt: null, marketClosedAt: at(1), onBoard: true });
  const moved = play(called, { type: 'startMoved', start: at(60), version: 2, at: at(10) });
  expect(nextDeadline(moved)).toEqual({ at: at(70), why: 'jump' });
});

test('a race reinstated after its placings awaits them again', () => {
  const back = play(interimRace(), { ...off, at: at(10) }, { type: 'reinstated', at: at(20) });
  expect(back).toMatchObject({ phase: 'live', placingsKey: null, field: null });
  expect(play(back, PLACED('1:4|2:2', 21))).toMatchObject({
    phase: 'interim',
    jumpedAt: at(21),
    placingsSince: at(21),
  });
});

test('an abandonment that a book reports without a note is noted as abandoned', () => {
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
