// Reports while the database is unavailable: the last known report, with its own time, for a day; any other failure is
// not hidden.
import { recomputed } from '../../../../src/api/operations/site/recomputed';
import { databaseAway } from '../../../../src/errors';
import { createSharedAnswers } from '../../../../src/store/redis/shared-answers';

const START = Date.parse('2026-11-21T03:00:00Z');
const HOUR_MS = 3_600_000;

function reportOf() {
  const state = { failure: null as Error | null, missing: [] as object[], computed: 0 };
  const read = recomputed('a report', createSharedAnswers(null, 'one'), async (nowMs) => {
    state.computed++;
    if (state.failure) throw state.failure;
    return { as_of: new Date(nowMs).toISOString(), unavailable: state.missing };
  });
  return { state, read: async (afterMs: number) => Date.parse((await read(START + afterMs)).as_of) - START };
}

test('while the database is away the last report is served for a day, and no longer', async () => {
  const { state, read } = reportOf();
  state.failure = databaseAway();
  await expect(read(0)).rejects.toThrow('The database is unavailable.');
  state.failure = null;
  expect(await read(0)).toBe(0);
  state.failure = databaseAway();
  expect(await read(HOUR_MS)).toBe(0);
  expect(await read(24 * HOUR_MS)).toBe(0);
  await expect(read(25 * HOUR_MS)).rejects.toThrow('The database is unavailable.');
  state.failure = null;
  expect(await read(25 * HOUR_MS)).toBe(25 * HOUR_MS);
});

test('a defect is thrown, even if an earlier report exists', async () => {
  const { state, read } = reportOf();
  await read(0);
  state.failure = new TypeError('a mistake');
  await expect(read(HOUR_MS)).rejects.toThrow('a mistake');
});

test('a report that lacks a part is computed again after a minute, a complete one after half an hour', async () => {
  const { state, read } = reportOf();
  state.missing = [{ name: 'archive' }];
  expect(await read(0)).toBe(0);
  expect(await read(59_000)).toBe(0);
  state.missing = [];
  expect(await read(60_000)).toBe(60_000);
  expect(await read(HOUR_MS / 2)).toBe(HOUR_MS / 2);
  const { computed } = state;
  expect(await read(HOUR_MS - 1000)).toBe(HOUR_MS / 2);
  expect(state.computed).toBe(computed);
});
