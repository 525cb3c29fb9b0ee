// What the battery reports about the processor time of routes.
const { createWorkRows, workFaults, workLines } = require('../../../../scripts/fuzz/hostile/work.mjs') as {
  createWorkRows(): { add(one: object): void; rows(): readonly object[] };
  workFaults(rows: readonly object[], limits: object): readonly (readonly [string, string])[];
  workLines(rows: readonly object[]): readonly string[];
};

const LIMITS = { keylessMs: 10, creditMs: 20 };

function rowsOf(...routes: readonly { route: string; ms: readonly number[]; credits?: number; keyless?: boolean }[]) {
  const work = createWorkRows();
  for (const { route, ms, credits = 0, keyless = false } of routes)
    for (const one of ms) work.add({ route, ms: one, credits, keyless });
  return work.rows();
}

test('the median of the requests counts, whatever the first one took', () => {
  const rows = rowsOf({ route: 'GET /', ms: [400, 2, 2, 2, 3], keyless: true });
  expect(workFaults(rows, LIMITS)).toEqual([]);
  expect(workLines(rows)).toContain('    GET /: 2.0 ms a request without a key');
});

test('a route without a key, and one for its credits, may take no longer than the limits; fewer than five requests prove nothing', () => {
  const rows = rowsOf(
    { route: 'GET /slow', ms: [11, 11, 11, 11, 11], keyless: true },
    { route: 'GET /slow', ms: [11, 11, 11, 11, 11] },
    { route: 'GET /dear', ms: [120, 120, 120, 120, 120], credits: 5 },
    { route: 'GET /fair', ms: [90, 90, 90, 90, 90], credits: 5 },
    { route: 'GET /once', ms: [900], keyless: true },
  );
  expect(workFaults(rows, LIMITS)).toEqual([
    ['takes more than 10 ms without a key', 'GET /slow'],
    ['takes more than 20 ms a credit', 'GET /dear'],
  ]);
});
