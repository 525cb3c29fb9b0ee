// `npm run soak`, for nights: tests that prove by number of cases run at full count: properties on a new seed, which it
// prints; the kill tests five times, each recovery limited to seconds; the fuzz with 300 examples per operation. It
// ends at the first failure and prints how to repeat it. With --memory it soaks the running service instead
// (soak/memory-soak.mjs).
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { signalGroup } from './process/run.mjs';
import { MOST_MB, MOST_SLOPE } from './soak/memory.mjs';
import { soakMemory } from './soak/memory-soak.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const KILLS = 5;
const RECOVERY_MOST_SECONDS = 30;
const FUZZ_EXAMPLES = 300;
const NO_PYTHON = 3;

/** Each step as a person would type it. `accepts`: exit codes that are not failures. */
export function soakSteps(seed) {
  const kills = { env: { RECOVERY_MOST_SECONDS: String(RECOVERY_MOST_SECONDS) }, args: ['test', '--', 'test/chaos'] };
  return [
    { env: { PROPERTY_RUNS: 'all', PROPERTY_SEED: String(seed) }, args: ['test'] },
    ...Array.from({ length: KILLS }, () => kills),
    {
      env: {},
      args: ['run', 'fuzz', '--', '--examples', String(FUZZ_EXAMPLES), '--seed', String(seed)],
      accepts: [NO_PYTHON],
    },
  ];
}

export const typed = ({ env, args }) =>
  [...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'npm', ...args].join(' ');

const help = `npm run soak -- [options]

For nights: ${soakSteps('<new>').length} runs, each printed as a person would type it; ends at the first failure. PROPERTY_SEED=7 repeats a seed.

  --memory      the memory of the worker, the simulator and the API instead: starts them as npm start does, at speed 1, prints each one's resident
                memory, and what is kept of it and of the heap after a forced collection, and the growth of both per hour from the middle on; exit code 1 from
                ${MOST_MB} MB together, or from ${MOST_SLOPE * 100} % an hour
  --minutes N   how long, with --memory: 90`;

export function parseSoakOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: { memory: { type: 'boolean', default: false }, minutes: { type: 'string', default: '90' } },
    }));
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}: see npm run soak -- --help.`);
  }
  const minutes = Number(values.minutes);
  if (!(Number.isFinite(minutes) && minutes > 0))
    throw new Problem(`--minutes is "${values.minutes}": give a number above 0.`);
  return { memory: values.memory, minutes };
}

async function main({ signal, onEnd }) {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const { memory, minutes } = parseSoakOptions(process.argv.slice(2));
  const pinned = await runOnPinnedNode(root, { signal });
  if (pinned !== null) return pinned;
  if (memory) return soakMemory({ root, signal, onEnd, minutes });
  const seed = Number(process.env.PROPERTY_SEED ?? randomInt(1, 2 ** 31));
  console.log(`Seed ${seed}.`);
  for (const step of soakSteps(seed)) {
    console.log(`\n$ ${typed(step)}`);
    const code = await ended(step, signal);
    if (code === 0 || step.accepts?.includes(code)) continue;
    console.log(`\nFailed with exit code ${code}. To repeat it:\n  ${typed(step)}`);
    return code;
  }
  console.log('\nNothing failed.');
  return 0;
}

function ended({ env, args }, signal) {
  const child = spawn('npm', args, { cwd: root, env: { ...process.env, ...env }, detached: true, stdio: 'inherit' });
  const end = () => signalGroup(child.pid, 'SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  }).finally(() => signal.removeEventListener('abort', end));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runSession(main);
