// A 3, row by row: how a result becomes final, and how its field is covered.
import { nextDeadline } from '../../../src/domain/lifecycle/lifecycle';
import { at, effectNames, effectsAt, finalRace, interimRace, jumpedRace, liveRace, PLACED, play } from './race-script';

describe('the result (A 3)', () => {
  test('a result with placings is interim, and its field is awaited', () => {
    expect(effectNames(jumpedRace(), PLACED('1:4|2:2', 5))).toEqual(['save_phase', 'save_field']);
    expect(interimRace()).toMatchObject({ phase: 'interim', placingsSince: at(5), field: { status: 'pending' } });
  });

  test('a result is final after 30 minutes of stable placings', () => {
    expect(play(interimRace(), { type: 'tick', at: at(34) }).phase).toBe('interim');
    expect(effectNames(interimRace(), { type: 'tick', at: at(35) })).toContain('finalise');
  });

  test('equal placings do not restart the 30 minutes; others do', () => {
    expect(play(interimRace(), PLACED('1:4|2:2', 20)).placingsSince).toBe(at(5));
    expect(play(interimRace(), PLACED('1:2|2:4', 20)).placingsSince).toBe(at(20));
  });

  test('a book’s final result is served as interim until it has stood for 30 minutes', () => {
    expect(play(jumpedRace(), PLACED('1:4', 5, { stage: 'final' })).phase).toBe('interim');
  });

  test('a protest keeps it interim, and may change the placings', () => {
    const lodged = play(interimRace(), PLACED('1:4|2:2', 15, { protest: true }), { type: 'tick', at: at(200) });
    expect(lodged).toMatchObject({ phase: 'interim', protest: true });
    expect(nextDeadline(lodged)?.why).not.toBe('final');
    expect(play(lodged, PLACED('1:4|2:2', 201)).phase).toBe('final');
    expect(play(lodged, PLACED('1:2|2:4', 201)).phase).toBe('interim');
  });

  test('only an operator changes a final result, which is then interim for 30 minutes, and no feed undoes that', () => {
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

  test('other placings, a protest or no reachable book at the final check keep the result interim for thirty minutes more', () => {
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

describe('field coverage (A 3, D25)', () => {
  const NIGHT = 16 * 60;

  test('a pass without a field turns pending into overdue, and schedules the next one', () => {
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

  test('an overdue field is unavailable from the horizon on, and any fill, weeks late, completes it', () => {
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

  test('an unsupported field stays unsupported', () => {
    const nz = play({ ...jumpedRace(), country: 'NZ' }, PLACED('1:4', 5));
    const later = play(nz, { type: 'fieldPassed', at: at(2_000) }, { type: 'fieldFilled', at: at(2_001) });
    expect([nz.field?.status, later.field?.status]).toEqual(['unsupported', 'unsupported']);
  });

  test('a field filled before the first placings is complete when they arrive', () => {
    expect(play(jumpedRace(), { type: 'fieldFilled', at: at(3) }, PLACED('1:4', 5)).field?.status).toBe('complete');
  });
});
