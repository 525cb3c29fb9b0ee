// When a race that has run should have a result: books report one within minutes. From then on coverage counts a race
// without one.

const EXPECTED_WITHIN_MS = 2 * 3_600_000;

/** For a race advertised for `startMs`. */
export const resultExpectedMs = (startMs: number): number => startMs + EXPECTED_WITHIN_MS;

/** Races that started at or before this instant should have a result at `nowMs`. */
export const resultedByMs = (nowMs: number): number => nowMs - EXPECTED_WITHIN_MS;
