// For whoever changes dependencies: `node scripts/complete-lock.mjs` after `npm install`. Some registries do not serve the
// packages made for other platforms; npm then leaves them out of package-lock.json, and `npm ci` refuses such a file
// everywhere. This adds what is missing, from the versions their parents ask for. It installs nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { platformOf } from './install/platform-name.mjs';

const file = 'package-lock.json';

export function completeLock(lock) {
  const added = Object.entries(lock.packages).flatMap(([place, entry]) => missingOf(lock.packages, place, entry));
  const [root, ...others] = [...Object.entries(lock.packages), ...added];
  const sorted = others.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { lock: { ...lock, packages: Object.fromEntries([root, ...sorted]) }, added: added.map(([place]) => place) };
}

function missingOf(packages, place, { optionalDependencies = {}, dev }) {
  const missing = Object.entries(optionalDependencies).filter(([name]) => !isFound(packages, place, name));
  return missing.map(([name, version]) => [
    `node_modules/${name}`,
    { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) },
  ]);
}

// As Node looks a package up: beside the one that asks, then in every folder above.
function isFound(packages, place, name) {
  const parts = place.split('/node_modules/');
  const above = parts.map((_part, depth) => parts.slice(0, parts.length - depth).join('/node_modules/'));
  return [...above.map((folder) => `${folder}/`), ''].some((folder) => `${folder}node_modules/${name}` in packages);
}

function main() {
  const { lock, added } = completeLock(JSON.parse(readFileSync(file, 'utf8')));
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(added.length > 0 ? `Added ${added.length} packages for other platforms.` : `${file} is complete.`);
}

if (process.argv[1]?.endsWith('scripts/complete-lock.mjs')) main();
