// The commands of docs/runbook.md, typed as printed there: on the game day's ports and servers, with a value for each
// name in angle brackets.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { programsFolder } from '../app/programs.mjs';
import { withDatabase } from './database.mjs';

const WITHIN_MS = 60_000;

/** The code of a section, by its anchor. */
export function printedIn(runbook, section) {
  const [, ...sections] = runbook.split(/^## /m);
  const text = sections.find((one) => anchorOf(one.split('\n', 1)[0]) === section);
  if (text === undefined) throw new Error(`The runbook has no section ${section}.`);
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
}

const anchorOf = (title) => title.trim().toLowerCase().replaceAll(' ', '-');

/**
 * `type(section, begin, values)`: runs the command of the section that begins with `begin` and resolves to what it
 * prints. Rejects if the section prints no such command, or if it fails.
 */
export function openRunbook({ ctx, servers, env, api, key, ports }) {
  const runbook = readFileSync(join(ctx.root, 'docs/runbook.md'), 'utf8');
  const tools = makeTools(ctx, servers);
  const shell = {
    ...env,
    API: api,
    KEY: key,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    DATABASE_URL: servers.databaseUrl,
    DATABASE_DIRECT_URL: '',
  };
  shell.PATH = [tools, process.env.PATH].join(delimiter);
  return async (section, begin, values = {}) => {
    const printed = printedIn(runbook, section).find((one) => one.startsWith(begin));
    if (printed === undefined) throw new Error(`${section} of the runbook prints no command that begins with ${begin}`);
    const text = filledIn(printed, ports, values);
    if (text.startsWith('SELECT')) return JSON.stringify(await withDatabase(servers, ({ query }) => query(text)));
    const options = { cwd: ctx.root, env: shell, timeout: WITHIN_MS, signal: ctx.signal };
    const { stdout } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', text], options);
    return stdout;
  };
}

/** `ports`: the game day's ports by those that the runbook names. */
function filledIn(printed, ports, values) {
  const named = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`<${name}>`, value), printed);
  return named.replaceAll(/127\.0\.0\.1:(\d+)/g, (whole, port) => (ports[port] ? `127.0.0.1:${ports[port]}` : whole));
}

/** The programs on an operator's path: `ops`, as the runbook's first lines define it, and Temporal's own command. */
function makeTools({ instance }, { temporalCli }) {
  const folder = join(instance.folder, 'tools');
  mkdirSync(folder, { recursive: true });
  const tool = (name, command) => {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  };
  tool('ops', `'${process.execPath}' '${join(programsFolder(instance), 'ops', 'main.js')}'`);
  tool('temporal', `'${temporalCli}'`);
  return folder;
}
