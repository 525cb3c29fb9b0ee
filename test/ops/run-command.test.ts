// What an operator who looks for help reads, without a server and without settings.
import { COMMANDS } from '../../src/ops/commands';
import { runCommand } from '../../src/ops/run-command';

/** If the settings were read, each of these runs would be refused. */
const BROKEN = { DATABASE_URL: 'x' };
const run = (...args: string[]) => runCommand(args, BROKEN, 'npm run stack -- ops');

test.each(['--help', '-h', 'help'])('%s lists every command as the operator types it', async (word) => {
  const { code, out, err } = await run(word);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^npm run stack -- ops <command>\n/);
  for (const { name, about } of COMMANDS) {
    expect(out).toContain(`\n  ${name}`);
    expect(out).toContain(`\n      ${about}\n`);
  }
});

test.each(COMMANDS.map(({ name, synopsis }) => [name, synopsis]))(
  '%s --help prints its own usage',
  async (name, synopsis) => {
    const { code, out } = await run(...name.split(' '), '--help');
    expect(code).toBe(0);
    expect(out).toContain(`usage: npm run stack -- ops ${name} ${synopsis}`.trim());
  },
);

test.each([
  [['overide', '--race', 'x'], "There is no command 'overide'. Did you mean override?"],
  [['frobnicate'], /^There is no command 'frobnicate'[.] Commands are migrate, .*resync[.]$/],
  [[], 'No command is given: see npm run stack -- ops --help.'],
  [['migrate', '--force'], "Unknown option '--force': see npm run stack -- ops migrate --help."],
  [['migrate', 'now'], "'now' is more than migrate takes: see npm run stack -- ops migrate --help."],
  [['keys', 'lst'], "'lst' is more than keys takes: see npm run stack -- ops keys --help."],
  [['override', '--race'], /^Option '--race <value>' argument missing: see npm run stack -- ops override --help[.]$/],
] as [string[], string | RegExp][])('%j is a mistake, refused in one sentence', async (args, sentence) => {
  const { code, out, err } = await run(...args);
  expect([code, out]).toEqual([2, '']);
  if (typeof sentence === 'string') expect(err).toBe(`${sentence}\n`);
  else expect(err.trimEnd()).toMatch(sentence);
});

test('a missing option is named with the whole usage of the command', async () => {
  const { code, err } = await runCommand(['override'], { LOG_LEVEL: 'silent' }, 'ops');
  expect([code, err]).toEqual([2, '--race is missing: ops override --race RACE_ID --order 4,2=7,1 [--note WHY]\n']);
});
