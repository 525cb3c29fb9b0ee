// What the commands of the start report when the simulated books fail: a list that could not be read never counts as a
// day without races.
import { runCommand } from '../../src/ops/run-command';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

let simulator: Simulator;
let url: string;
let db: TestDatabase;
beforeAll(async () => {
  simulator = createSimulator({ seed: 'faults of the past', now: Date.now });
  [url, db] = await Promise.all([simulator.listen(0), createTestDatabase()]);
});
afterAll(async () => {
  await simulator?.close();
  await db?.drop();
});

const run = (argv: readonly string[], variables: Record<string, string> = {}) =>
  runCommand(argv, { ...process.env, DATABASE_URL: db.url, SIMULATOR_URL: url, LOG_LEVEL: 'silent', ...variables });
const switched = (method: string, fault: string) => fetch(`${url}/faults/${fault}`, { method });
const races = async () => (await db.pool.query('SELECT count(*) AS races FROM races')).rows[0].races;

const COMMANDS = [['past-days', '--days', '2'], ['first-hour']];
const TRIED = { out: '', code: 1 };

test.each(COMMANDS)('%s: the simulator is away', async (...argv) => {
  const { err, ...end } = await run(argv, { SIMULATOR_URL: 'http://127.0.0.1:1' });
  expect(end).toEqual(TRIED);
  expect(err).toMatch(/^Lists could not be read: \w+ of [\d-]{10} \(network\)/);
  expect(await races()).toBe(0);
});

test.each(COMMANDS)('%s: every list hangs', async (...argv) => {
  await switched('PUT', 'hanging');
  try {
    const { err, ...end } = await run(argv, { FEED_TIMEOUT_MS: '100' });
    expect(end).toEqual(TRIED);
    expect(err).toMatch(/^Lists could not be read: \w+ of [\d-]{10} \(timeout\)/);
    expect(await races()).toBe(0);
  } finally {
    await switched('DELETE', 'hanging');
  }
});

test('past-days: one list of fourteen answers 500, and nothing of that day is placed', async () => {
  await switched('PUT', 'server_error?book=tab');
  try {
    const past = await run(['past-days', '--days', '1']);
    expect(past).toMatchObject(TRIED);
    expect(past.err).toMatch(/^Lists could not be read: tab of [\d-]{10} \(http_error\)\.\n$/);
    expect(await races()).toBe(0);
  } finally {
    await switched('DELETE', 'server_error');
  }
});
