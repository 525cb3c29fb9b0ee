// `npm run stack -- status|stop|logs|ops`: shows or controls the stack of `npm start` in this checkout, from any other
// terminal. With --json only the JSON goes to stdout.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operate } from './app/operate.mjs';
import { runAgain } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { openInstance } from './instance/instance.mjs';
import { showLogs } from './instance/logs.mjs';
import { readStatus, statusText } from './instance/status.mjs';
import { stopInstance } from './instance/stop.mjs';
import { isSame } from './process/identity.mjs';

const help = `npm run stack -- <command>

  status [--json]          what runs and where; exit code 1 when it is not ready
  stop                     stop it, as Ctrl-C does
  logs [name] [--follow]   the last lines of every log, or of one
  ops <command> …          one of the operator's commands, on its servers and its clock: the same as npm run ops -- <command>

Exit codes: 0 done · 1 not ready, or failed · 2 nothing runs, or a mistake in the command.`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const instance = openInstance(root, 'start');
const commands = {
  status,
  stop,
  logs: (args, signal) => showLogs(instance.logs, args, signal),
  ops: (args) => operate(instance, args),
  help: showHelp,
  '--help': showHelp,
  '-h': showHelp,
};

await runSession(async ({ signal }) => {
  const [name = 'help', ...args] = process.argv.slice(2);
  if (!Object.hasOwn(commands, name)) throw new Problem(`There is no command "${name}".\n\n${help}`);
  return (await runAgain(root)) ?? commands[name](args, signal);
});

async function status(args) {
  const found = await readStatus(instance);
  console.log(args.includes('--json') ? JSON.stringify(found, null, 2) : statusText(found));
  return found.ready ? 0 : 1;
}

// A live owner stops everything itself, in order; what a killed owner left is stopped here.
async function stop(_args, signal) {
  const owner = instance.owner();
  if (owner) process.kill(owner.pid, 'SIGTERM');
  while (owner && isSame(owner)) await sleep(100, undefined, { signal });
  const left = owner ? 0 : await stopInstance({ root, instance, logs: instance.logs });
  console.log(owner || left > 0 ? 'Stopped; the data stays.' : 'Nothing is running.');
}

function showHelp() {
  console.log(help);
}
