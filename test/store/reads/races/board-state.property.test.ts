// The state of a race has one definition (D63): the functions of the database and of the domain never differ, for any
// stored facts and at every boundary.
import fc from 'fast-check';
import { BOOKMAKERS } from '../../../../src/domain/bookmakers';
import { type BoardFacts, boardJumpMs, boardState } from '../../../../src/domain/race/board-state';
import { runs } from '../../../support/property';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const START_MS = Date.parse('2026-11-21T03:10:00.000Z');
const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** The instants at which a rule begins or ends for some fact, and others. */
const boundary = fc.constantFrom(-60, -1, 0, 5, 10, 20, 59, 60, 61, 65, 70, 71, 75, 400);
const instant = fc
  .tuple(boundary, fc.constantFrom(-1, 0, 1), fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }), fc.boolean())
  .map(([minutes, edge, other, exact]) => START_MS + minutes * MINUTE + (exact ? edge : other));
const sometimes = (arbitrary: fc.Arbitrary<number>): fc.Arbitrary<string | null> =>
  fc.option(arbitrary.map(iso), { nil: null });

const facts: fc.Arbitrary<BoardFacts> = fc.record({
  start_time: fc.constant(iso(START_MS)),
  status: fc.constantFrom('open', 'abandoned'),
  market_status: fc.constantFrom(null, 'OPEN', 'SUSPENDED', 'CLOSED'),
  market_closed_at: sometimes(instant),
  market_state_source: fc.constantFrom(null, ...BOOKMAKERS.map(({ key }) => key)),
  jumped_at: sometimes(instant),
  left_board_at: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: instant.map(iso) }),
});

/** Half of the instants are those at which this very race changes its state. */
const cases = facts.chain((race) =>
  fc
    .oneof(
      instant,
      fc
        .constantFrom(0, 10 * MINUTE)
        .chain((on) => fc.constantFrom(-1, 0, 1).map((edge) => boardJumpMs(race) + on + edge)),
    )
    .map((atMs) => ({ race, atMs })),
);

const STATES = `
  SELECT race_state(start_time, status, market_status, market_closed_at, market_state_source, jumped_at, left_board_at, at) AS state,
         race_jump(start_time, status, market_status, market_closed_at, market_state_source, jumped_at) AS jump
    FROM jsonb_to_recordset($1) AS r (place integer, start_time timestamptz, status text, market_status text, market_closed_at timestamptz,
         market_state_source text, jumped_at timestamptz, left_board_at timestamptz, at timestamptz)
   ORDER BY place`;

test('the database and the domain agree on every race at every instant', async () => {
  const drawn: (readonly [string, string])[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(cases, { minLength: 50, maxLength: 50 }), async (races) => {
      const rows = races.map(({ race, atMs }, place) => ({ place, ...race, at: iso(atMs) }));
      const { rows: stored } = await db.pool.query(STATES, [JSON.stringify(rows)]);
      const expected = races.map(({ race, atMs }) => ({ state: boardState(race, atMs), jump: iso(boardJumpMs(race)) }));
      expect(stored).toEqual(expected);
      for (const { state, jump } of expected) drawn.push([state, jump]);
    }),
    { numRuns: runs(500) },
  );
  expect(new Set(drawn.map(([state]) => state)).size).toBe(4);
});

test('the rules are inlined in the statement: no function is called per race', async () => {
  const { rows } = await db.pool.query(`
    EXPLAIN (VERBOSE, FORMAT TEXT) SELECT race_id FROM races r
     WHERE race_state(r.start_time, r.status, r.market_status, r.market_closed_at, r.market_state_source, r.jumped_at, r.left_board_at, '2026-11-21Z') = 'ahead'`);
  expect(JSON.stringify(rows)).not.toMatch(/race_state|race_jump|market_state_shown/);
});
