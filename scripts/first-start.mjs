// `npm run first-start`: measures what a new user experiences. It clones this checkout as committed and starts the
// clone with its own cache, several times: with nothing installed, as a second clone, with packages and servers but no
// data, and with data. It prints one table and removes what it made.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { portVariables } from './app/start-ports.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { stepsOf, tableOf } from './first-start/steps.mjs';
import { removeTree } from './install/remove-tree.mjs';
import { freePorts } from './process/ports.mjs';
import { run } from './process/run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm run first-start -- [options]

  --times N   how often it starts from nothing (default 3)
  --help      this text

About four minutes for each time, on a quiet machine. Needs what npm start needs, and git.`;

await runSession(async ({ signal, onEnd }) => {
  const { values } = parseArgs({
    options: { times: { type: 'string', default: '3' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const times = Number(values.times);
  if (!Number.isInteger(times) || times < 1)
    throw new Problem(`--times is "${values.times}": give a number from 1 on.`);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const runs = { 'nothing there': [], 'second clone': [], 'no data': [], 'data kept': [] };
  for (let n = 0; n < times; n++) await fromNothing(runs, signal, onEnd);
  for (const line of tableOf(runs)) console.log(line);
});

async function fromNothing(runs, signal, onEnd) {
  const folder = mkdtempSync(join(tmpdir(), 'first-start-'));
  const remove = () => removeTree(folder);
  onEnd(remove);
  const start = async (column, clone, args = []) => {
    const steps = await started(join(folder, clone), args, folder, signal);
    runs[column].push(steps);
    console.log(`${column}: ready after ${steps.Ready.toFixed(0)} s`);
  };
  await cloneTo(join(folder, 'first'), signal);
  await start('nothing there', 'first');
  await start('data kept', 'first');
  await cloneTo(join(folder, 'second'), signal);
  await start('second clone', 'second');
  await start('no data', 'second', ['--fresh']);
  remove();
}

function cloneTo(place, signal) {
  return run('git', ['clone', '--quiet', root, place], { signal, log: `${place}.log`, what: 'git clone' });
}

/** Starts the clone, waits until it is ready, and stops it. */
async function started(clone, args, folder, signal) {
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    ...(await ownPorts()),
    XDG_CACHE_HOME: join(folder, 'cache'),
    npm_config_cache: join(folder, 'npm'),
  };
  delete env.PINNED_NODE;
  const beganAt = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const stop = () => child.kill('SIGINT');
  signal.addEventListener('abort', stop, { once: true });
  const lines = [];
  for await (const text of createInterface({ input: child.stdout })) {
    console.log(text);
    lines.push({ text, ms: performance.now() - beganAt });
    if (text.startsWith('  Ready after ')) stop();
  }
  await ended;
  signal.throwIfAborted();
  return stepsOf(lines);
}

async function ownPorts() {
  const ports = await freePorts(portVariables.length);
  return Object.fromEntries(portVariables.map((name, n) => [name, String(ports[n])]));
}
