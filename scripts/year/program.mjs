// The year itself is TypeScript, because it calls the service's own functions: it runs as its own process, whose output
// is the command's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';

const PROGRAM = 'test/support/year/main.ts';

export async function runYear({ root, instance, signal }, servers, days) {
  const { folder } = instance;
  // The leftovers of a previous run.
  rmSync(join(folder, 'bulk'), { recursive: true, force: true });
  const env = { ...process.env, YEAR: JSON.stringify({ ...servers, folder, days }) };
  const args = ['--import', 'tsx', join(root, PROGRAM)];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  const [code, by] = await once(child, 'exit');
  signal.removeEventListener('abort', stop);
  if (code === null) throw new Problem(`The year was ended by ${by}.`);
  return code;
}
