// Known vulnerabilities from a dump of advisories in the OSV format (https://ossf.github.io/osv-schema/), for machines
// whose registry has no audit: a folder of JSON files, as osv.dev publishes them for npm.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, valid } from 'semver';

const SERIOUS = new Set(['HIGH', 'CRITICAL']);

/** The lines to print and the exit code: 0 nothing serious, 1 something serious or an unreadable dump. */
export function auditByDump(folder, dump) {
  try {
    const advisories = advisoriesIn(dump);
    if (advisories.length === 0) return { lines: [`${dump} has no advisory of npm.`], exitCode: 1 };
    const installed = productionPackages(folder);
    const found = advisories.flatMap((one) => findings(one, installed));
    const newest = advisories
      .map(({ modified }) => modified)
      .sort()
      .at(-1);
    const of = `${advisories.length} advisories, the newest of ${newest}`;
    if (found.length === 0) return { lines: [`No production package has a vulnerability among ${of}.`], exitCode: 0 };
    return { lines: [...found.map(lineOf), `Of ${of}.`], exitCode: found.some(isSerious) ? 1 : 0 };
  } catch (error) {
    return { lines: [`The advisories cannot be read: ${error.message}`], exitCode: 1 };
  }
}

function advisoriesIn(dump) {
  const files = readdirSync(dump).filter((name) => name.endsWith('.json'));
  const all = files.map((name) => parsed(join(dump, name)));
  return all.filter(({ withdrawn, affected }) => !withdrawn && affected?.some(isOfNpm));
}

function parsed(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error.message}`);
  }
}

const isOfNpm = ({ package: named }) => named?.ecosystem === 'npm';

/** Name → versions. Development packages stay on the developer's machine. */
function productionPackages(folder) {
  const { packages } = parsed(join(folder, 'package-lock.json'));
  const versions = new Map();
  for (const [path, { version, dev, name = path.split('node_modules/').at(-1) }] of Object.entries(packages))
    if (path !== '' && version && !dev) versions.set(name, [...(versions.get(name) ?? []), version]);
  return versions;
}

function findings(advisory, installed) {
  return advisory.affected.filter(isOfNpm).flatMap((affected) => {
    const { name } = affected.package;
    const hit = (installed.get(name) ?? []).filter((version) => isAffected(version, affected));
    return [...new Set(hit)].map((version) => ({ advisory, affected, name, version }));
  });
}

function isAffected(version, { versions = [], ranges = [] }) {
  if (versions.includes(version)) return true;
  return ranges.some(({ type, events }) => type === 'SEMVER' && isWithin(version, events));
}

/** Events in order: from `introduced`, to before `fixed` or up to `last_affected`. */
function isWithin(version, events) {
  let within = false;
  for (const { introduced, fixed, last_affected: last } of events) {
    if (introduced !== undefined && (introduced === '0' || atLeast(version, introduced))) within = true;
    if (fixed !== undefined && atLeast(version, fixed)) within = false;
    if (last !== undefined && atLeast(version, last) && version !== last) within = false;
  }
  return within;
}

/** A version that cannot be compared counts as affected. */
const atLeast = (version, bound) => !valid(version) || !valid(bound) || compare(version, bound) >= 0;

const severityOf = ({ advisory }) => String(advisory.database_specific?.severity ?? 'UNRATED').toUpperCase();
/** A vulnerability without a rating may be serious. */
const isSerious = (found) => SERIOUS.has(severityOf(found)) || severityOf(found) === 'UNRATED';

const lineOf = (found) =>
  `${severityOf(found).toLowerCase()}: ${found.name} ${found.version}: ${found.advisory.summary ?? 'no summary'} (${found.advisory.id})`;
