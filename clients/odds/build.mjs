// Builds `dist/odds.js`: the program, the client and its libraries in one file, and beside it the licences of these
// libraries.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const own = dirname(fileURLToPath(import.meta.url));
const dist = join(own, 'dist');

rmSync(dist, { recursive: true, force: true });
const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
const { metafile } = await build({
  absWorkingDir: own,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/odds.js',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  define: { ODDS_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
const libraries = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
);
writeFileSync(join(dist, 'LICENSES.txt'), [...libraries].sort().map(licenceOf).join('\n'));

/** @param {string} folder of a library, from here */
function licenceOf(folder) {
  const place = join(own, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no licence beside it.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(place, file), 'utf8').trim()}\n`;
}
