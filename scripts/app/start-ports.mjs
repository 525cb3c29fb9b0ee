// The ports of `npm start`: each has a default and an environment variable to change it. Below 32768, where no system
// picks ports for outgoing connections.
import { Problem } from '../command/problem.mjs';
import { requireFree } from '../process/ports.mjs';

const table = [
  { key: 'api', what: 'the API', variable: 'API_PORT', usual: 8080 },
  { key: 'worker', what: "the worker's health check", variable: 'WORKER_HEALTH_PORT', usual: 8081 },
  { key: 'apiMetrics', what: "the API's metrics", variable: 'API_METRICS_PORT', usual: 8082 },
  { key: 'sdkMetrics', what: "the metrics of Temporal's SDK", variable: 'WORKER_SDK_METRICS_PORT', usual: 8083 },
  { key: 'simulator', what: 'the simulator', variable: 'SIMULATOR_PORT', usual: 8090 },
  { key: 'ui', variable: 'TEMPORAL_UI_PORT', usual: 8233 },
  { key: 'temporal', variable: 'TEMPORAL_PORT', usual: 7233 },
  { key: 'postgres', variable: 'POSTGRES_PORT', usual: 15432 },
  { key: 'redis', variable: 'REDIS_PORT', usual: 16379 },
];

/** The environment variables, one for each port. */
export const portVariables = table.map(({ variable }) => variable);

export function startPorts(env, chosen = {}) {
  return Object.fromEntries(
    table.map(({ key, variable, usual }) => [key, chosen[key] ?? portFrom(variable, env[variable] || usual)]),
  );
}

export function portFrom(name, text) {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Problem(`${name} is "${text}", which is no port: give a number from 1 to 65535.`);
}

export async function requireAppPorts(ports) {
  for (const { key, what, variable } of table) if (what) await requireFree({ port: ports[key], what, variable });
}
