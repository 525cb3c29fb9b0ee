// Servers that the environment names are used unchanged; whether they respond is checked before anything is installed.
import { Problem } from '../command/problem.mjs';
import { acceptsTcp } from '../process/wait-until.mjs';
import { servers } from './choose.mjs';

const usualPorts = { 'postgres:': 5432, 'postgresql:': 5432, 'redis:': 6379, 'rediss:': 6379, 'temporal:': 7233 };

export async function requireNamedServers(env, choice) {
  const named = Object.keys(choice).filter((name) => choice[name] === 'environment');
  await Promise.all(named.map((name) => requireAnswer(servers[name], env[servers[name].variable])));
}

async function requireAnswer({ what, variable }, value) {
  const { hostname, port } = placeOf(variable, value);
  if (await acceptsTcp(port, hostname)) return;
  throw new Problem(`${variable} names ${what} at ${hostname}:${port}, and nothing answers there.`);
}

// Temporal's address has no scheme. Only the host and port of the value are ever printed: it may contain a password.
export function placeOf(variable, value) {
  const text = value.includes('://') ? value : `temporal://${value}`;
  if (!URL.canParse(text)) throw new Problem(`${variable} is not a valid address.`);
  const url = new URL(text);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || usualPorts[url.protocol] || 0 };
}
