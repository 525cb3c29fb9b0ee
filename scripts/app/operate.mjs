// Runs an operator's command on the stack of `npm start`: with its servers and on its clock, because a command on
// another clock would write times of another day.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asksForHelp } from '../command/help.mjs';
import { Problem } from '../command/problem.mjs';
import { clockEnvironment, readClock } from './clock.mjs';
import { directAddress } from './processes.mjs';

/** `as`: the name of the command in the usage text. */
export function operate(instance, args, as = 'npm run stack -- ops') {
  if (!existsSync(join(instance.root, 'node_modules/tsx')))
    throw new Problem('The packages are not installed: run npm ci, or npm start, which installs them.', 2);
  const command = ['--import', 'tsx', 'src/ops/main.ts', '--as', as, ...args];
  return (
    spawnSync(process.execPath, command, { cwd: instance.root, env: environment(instance, args), stdio: 'inherit' })
      .status ?? 1
  );
}

// Help and a missing command need no servers.
function environment(instance, args) {
  if (args.length === 0 || args[0] === 'help' || asksForHelp(args)) return process.env;
  const { urls } = instance.read();
  if (!instance.owner() || !urls.api_url) throw new Problem('Nothing is running (npm start starts it).', 2);
  return { ...process.env, ...environmentOf(urls), ...clockEnvironment(readClock(instance), process.env) };
}

const environmentOf = (urls) => ({
  NODE_ENV: 'development',
  DATABASE_URL: urls.database_url,
  DATABASE_DIRECT_URL: directAddress(urls.database_url),
  REDIS_URL: urls.redis_url,
  TEMPORAL_ADDRESS: urls.temporal_address,
  TEMPORAL_NAMESPACE: urls.temporal_namespace,
  SIMULATOR_URL: urls.simulator_url,
});
