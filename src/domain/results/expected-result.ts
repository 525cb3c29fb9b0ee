// By when a race that has run should have a result: books report one within minutes. Coverage counts a race without one
// from then on.

const EXPECTED_WITHIN_MS = 2 * 3_600_000;

/** Of a race advertised for `startMs`. */
export const resultExpectedMs = (startMs: number): number => startMs + EXPECTED_WITHIN_MS;

/** Races that started by then should have one at `nowMs`. */
export const resultedByMs = (nowMs: number): number => nowMs - EXPECTED_WITHIN_MS;
