// Chooses each of the three servers: the one that the environment names, otherwise one in Docker, otherwise one of our
// own. A server that the environment names is never started, stopped or wiped.
import { outputOf } from '../process/run.mjs';

export const servers = {
  database: { what: 'PostgreSQL with TimescaleDB', variable: 'DATABASE_URL' },
  redis: { what: 'Redis', variable: 'REDIS_URL' },
  temporal: { what: 'Temporal', variable: 'TEMPORAL_ADDRESS' },
};

export function chooseServers(env, dockerAnswers) {
  const choose = ({ variable }) => (env[variable] ? 'environment' : dockerAnswers ? 'docker' : 'local');
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, choose(server)]));
}

export function explainChoice(name, choice) {
  const { what, variable } = servers[name];
  if (choice === 'environment') return `${what}: the one that ${variable} names`;
  if (choice === 'docker') return `${what}: in Docker`;
  return `${what}: a local process (${variable} is not set, no Docker engine answers)`;
}

// A client needs an engine, and an engine needs compose.
export async function dockerAnswers() {
  const engine = await outputOf('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 60_000 });
  return Boolean(engine) && (await outputOf('docker', ['compose', 'version'])) !== null;
}
