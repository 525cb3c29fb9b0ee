// Runs an operator's command on the stack of `npm start`: with its servers and on its clock, because a command on another clock
// would write times of another day.
import { spawnSync } from 'node:child_process';
import { Problem } from '../command/problem.mjs';
import { clockEnvironment, readClock } from './clock.mjs';

export function operate(instance, args) {
  const { urls } = instance.read();
  if (!instance.owner() || !urls.api_url) throw new Problem('Nothing is running (npm start starts it).');
  const env = { ...process.env, ...environmentOf(urls), ...clockEnvironment(readClock(instance), process.env) };
  const command = ['--import', 'tsx', 'src/ops/main.ts', ...args];
  return spawnSync(process.execPath, command, { cwd: instance.root, env, stdio: 'inherit' }).status ?? 1;
}

const environmentOf = (urls) => ({
  NODE_ENV: 'development',
  DATABASE_URL: urls.database_url,
  REDIS_URL: urls.redis_url,
  TEMPORAL_ADDRESS: urls.temporal_address,
  TEMPORAL_NAMESPACE: urls.temporal_namespace,
  SIMULATOR_URL: urls.simulator_url,
});
