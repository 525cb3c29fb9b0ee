// `npm run check`: every check that needs no server, in a minute or two: format and lint, types, unused exports and
// packages, unit tests. `-- --no-tests` leaves out the tests, for CI, which runs them with the others. Every step runs
// even if an earlier one failed, so that one run shows every failure.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { seconds } from './command/progress.mjs';
import { runSession } from './command/session.mjs';
import { run } from './process/run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const logs = join(root, '.local/check');
const steps = [
  { name: 'format and lint', program: 'biome', args: ['ci', '--colors=off'] },
  { name: 'types', program: 'tsc', args: typesOf('.') },
  { name: 'types of scripts', program: 'tsc', args: typesOf('scripts') },
  { name: 'types of browser modules', program: 'tsc', args: typesOf('src/web/assets') },
  { name: 'types of clients', program: 'tsc', args: [...typesOf('clients/typescript'), '--noEmit'] },
  { name: 'types of their examples', program: 'tsc', args: typesOf('clients/typescript/examples') },
  { name: 'types of the command line', program: 'tsc', args: typesOf('clients/odds') },
  { name: 'unused exports and packages', program: 'knip', args: ['--no-progress', '--treat-config-hints-as-errors'] },
  {
    name: 'regular expressions',
    program: 'regular-expressions',
    script: 'scripts/checks/regular-expressions.mjs',
    args: [],
  },
  { name: 'house rules', program: 'house', script: 'scripts/house.mjs', args: ['--check'] },
  { name: 'unit tests', program: 'jest', args: ['--selectProjects', 'unit'] },
];

const help = `npm run check -- [--no-tests]

Runs what needs no server: ${steps.map(({ name }) => name).join(', ')}. --no-tests leaves out the tests.
Exit codes: 0 everything is in order · 1 something is not.`;

await runSession(async ({ signal }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  mkdirSync(logs, { recursive: true });
  const failed = [];
  const chosen = process.argv.includes('--no-tests') ? steps.filter(({ program }) => program !== 'jest') : steps;
  for (const step of chosen) if (!(await passes(step, signal))) failed.push(step.name);
  console.log(failed.length === 0 ? 'Everything is in order.' : `Not in order: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});

function typesOf(project) {
  return ['--pretty', 'false', '--project', project];
}

async function passes({ name, program, script = join('node_modules/.bin', program), args }, signal) {
  const startedAt = Date.now();
  const log = join(logs, `${name.replaceAll(' ', '-')}.log`);
  // Started by path: its first line would use the Node on PATH.
  const command = [join(root, script), ...args];
  const passed = await run(process.execPath, command, { cwd: root, signal, log, what: program }).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  if (!passed) process.stdout.write(readFileSync(log));
  console.log(`  ${passed ? '✓' : '✗'} ${name} (${seconds(Date.now() - startedAt)})`);
  return passed;
}
