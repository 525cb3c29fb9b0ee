// The status of the stack of `npm start`, from its state file and its processes. It never starts, stops or changes
// anything.
import { readFileSync } from 'node:fs';
import { keysFile } from '../app/processes.mjs';
import { isSame } from '../process/identity.mjs';
import { answersHttp } from '../process/wait-until.mjs';

const nothing = {
  api_url: null,
  ui_url: null,
  database_url: null,
  redis_url: null,
  temporal_address: null,
  temporal_namespace: null,
  simulator_url: null,
  worker_url: null,
  api_metrics_url: null,
  sdk_metrics_url: null,
  mail_folder: null,
  demo_key: null,
  plus_key: null,
  internal_key: null,
  keys_file: null,
};

export async function readStatus(instance) {
  const { urls, processes } = instance.read();
  const running = processes.map(({ name, pid, mark }) => ({ name, pid, running: isSame({ pid, mark }) }));
  if (!instance.owner() || !urls.api_url) return { ready: false, ...nothing, processes: running };
  return { ready: await isReady(urls, running), ...nothing, ...urls, ...keysOf(instance), processes: running };
}

const isReady = async ({ api_url }, running) =>
  running.length > 0 && running.every((process) => process.running) && (await answersHttp(`${api_url}/healthz`));

export function keysOf(instance) {
  try {
    const { demo_key, plus_key, internal_key } = JSON.parse(readFileSync(keysFile(instance), 'utf8'));
    return { demo_key, plus_key, internal_key, keys_file: keysFile(instance) };
  } catch {
    return {};
  }
}

// For a terminal, which may be shared or recorded: only --json contains the internal key.
export function statusText({ internal_key: _, ...status }) {
  const processes = status.processes.map(
    ({ name, pid, running }) => `  ${name.padEnd(12)} ${running ? `pid ${pid}` : 'stopped'}`,
  );
  const present = Object.entries(status).filter(([name, value]) => name !== 'processes' && name !== 'ready' && value);
  const facts = present.map(([name, value]) => `  ${name.padEnd(20)} ${value}`);
  return [status.ready ? 'Ready.' : 'Not ready (npm start starts it).', ...facts, ...processes].join('\n');
}
