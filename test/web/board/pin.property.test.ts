// A pinned race rings once for each time that its start comes within three minutes, only while the service confirms
// that it is ahead; and nothing counts down to a start that was not confirmed.
import fc from 'fast-check';
import { confirmed, isDone, isDue, pinOf, pinText, rangElsewhere } from '../../../src/web/assets/pin-state.mjs';
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

test('two tabs: one claims the ring, and each sees it once, at whatever moments they read', () => {
  let sounds = 0;
  const act = fc.record({ tab: fc.nat(1), afterMs: fc.integer({ min: 0, max: MINUTE_MS }), reads: fc.boolean() });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      let nowMs = 0;
      const start = { race_id: RACE_ID, title: 'Randwick R5', start_ms: 5 * MINUTE_MS, state: 'ahead' as const };
      let stored = confirmed(null, start, 0);
      const tabs = [0, 1].map(() => ({ pin: stored, beeps: 0, claims: 0 }));
      const read = (tab: (typeof tabs)[number]): void => {
        if (rangElsewhere(tab.pin, stored, nowMs)) tab.beeps += 1;
        tab.pin = stored;
      };
      for (const { tab: at, afterMs, reads } of acts) {
        nowMs += afterMs;
        const tab = tabs[at]!;
        if (reads) {
          stored = confirmed(stored, start, nowMs);
          read(tab);
        }
        if (!isDue(tab.pin, nowMs, 1)) continue;
        read(tab);
        if (!isDue(tab.pin, nowMs, 1)) continue;
        stored = { ...stored, rings: false };
        tab.pin = stored;
        tab.claims += 1;
        tab.beeps += 1;
        // The other tab gets the event of the storage.
        read(tabs[1 - at]!);
        read(tabs[1 - at]!);
      }
      const claims = tabs.reduce((sum, one) => sum + one.claims, 0);
      expect(claims).toBeLessThanOrEqual(1);
      for (const { beeps } of tabs) expect(beeps).toBe(claims);
      sounds += claims;
    }),
    { numRuns: runs(2000) },
  );
  expect(sounds).toBeGreaterThan(0);
  // Late news of a ring makes no sound, and a race that is abandoned or over is done.
  const pin = confirmed(null, { race_id: RACE_ID, title: 'x', start_ms: 5 * MINUTE_MS, state: 'ahead' }, 0);
  expect(rangElsewhere(pin, { ...pin, rings: false }, 6 * MINUTE_MS)).toBe(false);
  expect(STATES.filter((state) => isDone({ ...pin, state }))).toEqual(['abandoned', 'over']);
});
