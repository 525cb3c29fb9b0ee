// The life of one command: it runs a body and, however the body ends (success, a failure, Ctrl-C, a closed terminal),
// undoes what the body started, newest first, and ends the process. It undoes only what was passed to `onEnd`; what is
// to be printed last is passed first.
import { asProblem, Problem } from './problem.mjs';

export const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export async function runSession(body) {
  const controller = new AbortController();
  const undo = [];
  listenForSignals(controller);
  const { signal } = controller;
  const end = await endOf(Promise.resolve({ signal, onEnd: (step) => undo.push(step) }).then(body), signal);
  // Parallel work ends here: nothing new starts while the cleanup runs.
  controller.abort(new Problem('Stopped.'));
  await undoAll(undo);
  if (end.error) print(end.error);
  else process.exitCode = end.exitCode;
  // Explicit: at the natural end Node closes its handles one by one, and 24.21 has spun there for ever when a child
  // (esbuild) ended at that moment. What was printed is written: files, terminals and pipes are synchronous.
  process.exit();
}

// If a signal caused the failure, the signal is the reason.
const endOf = (running, signal) =>
  running.then(
    (exitCode) => ({ exitCode: exitCode ?? 0 }),
    (error) => ({ error: signal.aborted ? signal.reason : error }),
  );

// A signal may arrive twice (from the terminal and from npm): only the first one counts; stopping is never interrupted
// and needs no explanation.
function listenForSignals(controller) {
  process.stdout.on('error', () => {});
  for (const [name, exitCode] of Object.entries(signals)) {
    process.on(name, () => controller.abort(new Problem('', exitCode)));
  }
}

function print(error) {
  const problem = asProblem(error);
  if (problem.message) process.stderr.write(`\n${problem.message}\n`);
  if (process.env.DEBUG && problem !== error) process.stderr.write(`${error?.stack}\n`);
  process.exitCode = problem.exitCode;
}

async function undoAll(undo) {
  for (const step of undo.reverse()) {
    await Promise.resolve()
      .then(step)
      .catch((error) => process.stderr.write(`${asProblem(error).message}\n`));
  }
}

export function whenAborted(signal) {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
