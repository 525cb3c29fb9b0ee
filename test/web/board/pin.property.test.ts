// A pinned race rings once for each time that its start comes within three minutes, only while the service confirms
// that it is ahead; and nothing counts down to a start that was not confirmed.
import fc from 'fast-check';
import { confirmed, isDue, pinOf, pinText } from '../../../src/web/assets/pin-state.mjs';
import { runs } from '../../support/property';

const RACE_ID = '0b0c7a44-7d0d-4b56-9c6e-2a8c6f3f7d11';
const MINUTE_MS = 60_000;
const STATES = ['ahead', 'suspended', 'jumped', 'abandoned', 'over'] as const;
const AHEAD: readonly string[] = ['ahead', 'suspended'];

/** `answer` null: the service does not answer. */
const step = fc.record({
  afterMs: fc.integer({ min: 0, max: 4 * MINUTE_MS }),
  answer: fc.option(
    fc.record({
      inMs: fc.integer({ min: -10 * MINUTE_MS, max: 10 * MINUTE_MS }),
      state: fc.constantFrom(...STATES),
    }),
  ),
});

test('it rings at most once for each approach, in the last three minutes, of a race that is ahead', () => {
  let rung = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(1, 10), (steps, speed) => {
      let nowMs = 0;
      let pin: ReturnType<typeof pinOf> = null;
      let last: { startMs: number; state: string; atMs: number } | null = null;
      // An approach begins with an answer that has the start more than three minutes away.
      let approaches = 0;
      let rings = 0;
      for (const { afterMs, answer } of steps) {
        nowMs += afterMs;
        if (answer) {
          const startMs = nowMs + answer.inMs;
          pin = confirmed(
            pin,
            { race_id: RACE_ID, title: 'Randwick R5', start_ms: startMs, state: answer.state },
            nowMs,
          );
          last = { startMs, state: answer.state, atMs: nowMs };
          if (answer.inMs > 3 * MINUTE_MS) approaches += 1;
        }
        if (pin === null || last === null) continue;
        expect(pinOf(JSON.parse(JSON.stringify(pin)))).toEqual(pin);
        const known = nowMs - last.atMs <= 1.5 * MINUTE_MS * speed;
        const text = pinText(pin, nowMs, speed, 'COUNT');
        expect(text.startsWith('COUNT')).toBe(known && AHEAD.includes(last.state));
        if (!isDue(pin, nowMs, speed)) continue;
        pin = { ...pin, rings: false };
        rings += 1;
        const leftMs = last.startMs - nowMs;
        expect([leftMs > 0 && leftMs <= 3 * MINUTE_MS, AHEAD.includes(last.state), known]).toEqual([true, true, true]);
      }
      expect(rings).toBeLessThanOrEqual(approaches);
      rung += rings;
    }),
    { numRuns: runs(2000) },
  );
  expect(rung).toBeGreaterThan(0);
});

test('what is kept and is no pin is none', () => {
  const pin = confirmed(null, { race_id: RACE_ID, title: 'Randwick R5', start_ms: 1, state: 'ahead' }, 0);
  const broken = [
    { raceId: '../x' },
    { title: 5 },
    { startMs: '1' },
    { confirmedMs: null },
    { rings: 1 },
    { state: 'x' },
  ];
  for (const part of broken) expect(pinOf({ ...pin, ...part })).toBeNull();
  for (const value of [null, 5, 'x', [], {}]) expect(pinOf(value)).toBeNull();
  expect(pinOf(pin)).toEqual(pin);
});
