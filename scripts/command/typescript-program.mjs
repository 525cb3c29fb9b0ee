// A part of a command that is TypeScript, because it calls the service's own functions: it runs as its own process,
// whose output is the command's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Problem } from './problem.mjs';

/** Returns its exit code. `what` it is, in a sentence. A stop of the command lets it remove what it made, and end. */
export async function runTypeScript(program, { root, env, signal, what }) {
  const args = ['--import', 'tsx', join(root, program)];
  const ownEnv = { ...process.env, ...env };
  const child = spawn(process.execPath, args, { cwd: root, env: ownEnv, stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  const [code, by] = await once(child, 'exit');
  signal.removeEventListener('abort', stop);
  if (code === null) throw new Problem(`${what} was ended by ${by}.`);
  return code;
}
