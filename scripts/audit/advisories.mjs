// Asks npm which installed packages have known vulnerabilities. It reads only the lock file: it needs no node_modules
// and changes nothing.
import { execFile } from 'node:child_process';

/** These severities fail the audit; lower ones are only printed. */
const SERIOUS = new Set(['high', 'critical']);
const PATIENCE_MS = 120_000;

/**
 * The lines to print and the exit code: 0 nothing serious, 1 something serious, 3 not run because the registry has no
 * audit.
 */
export async function audit(folder, env, signal) {
  return verdictOf(await npmAudit(folder, env, signal));
}

// Development packages and their vulnerabilities stay on the developer's machine.
function npmAudit(folder, env, signal) {
  const args = ['audit', '--omit=dev', '--package-lock-only', '--json'];
  return new Promise((resolve) => {
    const options = { cwd: folder, env, signal, timeout: PATIENCE_MS, maxBuffer: 2 ** 26, encoding: 'utf8' };
    execFile('npm', args, options, (_error, stdout) => resolve(stdout));
  });
}

export function verdictOf(text) {
  const report = parsed(text);
  if (report?.metadata === undefined) return { lines: [`Not run: ${reasonOf(report)}.`], exitCode: 3 };
  const found = Object.values(report.vulnerabilities);
  if (found.length === 0) return { lines: ['No production package has a known vulnerability.'], exitCode: 0 };
  return { lines: found.map(lineOf), exitCode: found.some(({ severity }) => SERIOUS.has(severity)) ? 1 : 0 };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(report) {
  const status = report?.statusCode;
  if (status >= 400 && status < 500) return `the registry has no audit (${status})`;
  return `the registry does not answer (${status ?? report?.error?.code ?? report?.code ?? 'no reply'})`;
}

// `via` contains the names of packages that bring a vulnerability in, or the advisories themselves.
function lineOf({ name, severity, range, via }) {
  const reasons = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`));
  return `${severity}: ${name} ${range}: ${[...new Set(reasons)].join('; ')}`;
}
