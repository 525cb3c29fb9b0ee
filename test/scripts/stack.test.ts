import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scripts = join(__dirname, '../../scripts');
const stack = (...args: string[]) =>
  spawnSync(process.execPath, [join(scripts, 'stack.mjs'), ...args], { encoding: 'utf8' });

test('status --json prints only JSON, with every field that a script may read', () => {
  const { stdout, status } = stack('status', '--json');
  const found = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining([
      'ready',
      'api_url',
      'ui_url',
      'database_url',
      'redis_url',
      'temporal_address',
      'temporal_namespace',
      'simulator_url',
      'worker_url',
      'api_metrics_url',
      'sdk_metrics_url',
      'demo_key',
      'plus_key',
      'internal_key',
    ]),
  );
  expect(status).toBe(found.ready ? 0 : 1);
});

test('an unknown command is refused', () => {
  const { stderr, status } = stack('destroy');
  expect(status).toBe(1);
  expect(stderr).toContain('There is no command "destroy".');
});

test('help needs no server, no package and no running stack', () => {
  const asked = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(scripts, script), ...args], { encoding: 'utf8' });
  for (const [script, title] of [
    ['test.mjs', 'npm test -- [files]'],
    ['check.mjs', 'npm run check'],
    ['audit.mjs', 'npm run audit'],
    ['soak.mjs', 'npm run soak'],
    ['mutate.mjs', 'npm run mutate'],
  ] as const) {
    const { status, stdout, stderr } = asked(script, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^${title.replace(/[[\]]/g, '.')}`));
  }
  const { status, stdout } = stack('ops', 'keys', 'revoke', '--help');
  expect([status, stdout.split('\n')[0]]).toEqual([0, 'usage: npm run stack -- ops keys revoke LAST4|ID']);
  expect(stack('ops')).toMatchObject({ status: 2, stderr: 'No command is given: see npm run stack -- ops --help.\n' });
});

test('the help texts of start, stack and ops are consistent', () => {
  const helpOf = (script: string): string =>
    spawnSync(process.execPath, [join(scripts, script), '--help'], { encoding: 'utf8' }).stdout;
  for (const [script, title] of [
    ['start.mjs', 'npm start -- [options]'],
    ['stack.mjs', 'npm run stack -- <command>'],
    ['ops.mjs', 'npm run ops -- <command>'],
  ] as const) {
    const [first, second, third, ...rest] = helpOf(script).trimEnd().split('\n');
    expect([first, second]).toEqual([title, '']);
    expect(third).toMatch(/^ {2}\S/);
    expect(rest.at(-1)).toMatch(/^Exit codes: .*\d/);
  }
});

test('before npm ci every command reports what is missing, in one sentence', () => {
  const bare = mkdtempSync(join(tmpdir(), 'bare-'));
  try {
    cpSync(scripts, join(bare, 'scripts'), { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(scripts, '..', name), join(bare, name));
    const { scripts: commands } = JSON.parse(readFileSync(join(bare, 'package.json'), 'utf8'));
    // Nothing is installed here: npm is not found.
    const env = { ...process.env, PATH: bare };
    for (const [name, command] of Object.entries<string>(commands)) {
      const [, script] = command.split(' ');
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [join(bare, script!), ...args], { encoding: 'utf8', env });
      const { stderr } = name === 'stack' ? run('ops', 'seed') : run();
      expect([name, stderr.trim().split('\n')]).toEqual([name, [expect.stringMatching(/^[A-Z].*\.$/)]]);
    }
  } finally {
    rmSync(bare, { recursive: true });
  }
});

test('the search attributes are those that operators search by', () => {
  expect(JSON.parse(readFileSync(join(scripts, 'servers/search-attributes.json'), 'utf8'))).toEqual({
    RacePhase: 'Keyword',
    PollTier: 'Keyword',
    FieldStatus: 'Keyword',
    Venue: 'Keyword',
    WorkStatus: 'Keyword',
    EventType: 'Keyword',
    Category: 'Keyword',
    Country: 'Keyword',
    AdvertisedStart: 'Datetime',
  });
});
