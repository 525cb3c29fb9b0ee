// Builds the programs of the service: one file each, with the packages unchanged beside it. Starting from one file
// takes a third of the processor time of starting from the sources, and two thirds of the memory (docs/decisions/0024).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kept } from '../command/outcome.mjs';
import { run } from '../process/run.mjs';
import { keepLinesOnly } from './line-maps.mjs';

const PROGRAMS = ['api', 'ops', 'simulator', 'workers'];

/** The first lines of a program: errors then name the lines of the sources. Source maps of packages are not read. */
const MAIN = `require('node:module').setSourceMapsSupport(true);\nrequire('./program.js');\n`;

/** The folder of `npm run build`, unless it names another. */
export const usualFolder = (root) => join(root, 'dist');

/**
 * Writes `<folder>/<program>/main.js`. The folder is below `root`, where the packages are found. `isOwn`: no user chose
 * the folder, so the contents of an earlier build are removed first.
 */
export async function buildPrograms(root, folder, { isOwn = true } = {}) {
  const { build } = await import('esbuild');
  if (isOwn) rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(PROGRAMS.map((name) => [`${name}/program`, `src/${name}/main.ts`])),
      'api/thread': 'src/api/kernel/input/large/thread.ts',
      'workers/build-bundle': 'src/workers/build-bundle.ts',
    },
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.map')) await keepLinesOnly(join(root, file));
  for (const name of PROGRAMS) writeFileSync(join(folder, name, 'main.js'), MAIN);
}

/** The inputs of a build, below the checkout: the sources, and the files that determine how they become programs. */
const MADE_OF = [
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/app/line-maps.mjs',
  'scripts/app/programs.mjs',
];
const STAMP = 'made-of';

/**
 * Builds unless the folder has the programs of exactly these sources. The leftovers of an interrupted build do not
 * count.
 */
export async function ensurePrograms(root, folder) {
  const stamp = join(folder, STAMP);
  const sources = hashOf(root);
  const files = PROGRAMS.flatMap((name) => [`${name}/main.js`, `${name}/program.js`]);
  const isWhole = [...files, STAMP].every((file) => existsSync(join(folder, file)));
  if (isWhole && readFileSync(stamp, 'utf8') === sources) return new Kept('no source has changed');
  await buildPrograms(root, folder);
  writeFileSync(stamp, sources);
}

function hashOf(root) {
  const hash = createHash('sha256').update(`node ${process.versions.node}\0`);
  for (const path of MADE_OF.flatMap((place) => filesAt(root, place)))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Paths below `root`, in the same order on every machine. */
function filesAt(root, place) {
  if (!existsSync(join(root, place))) return [];
  if (!statSync(join(root, place)).isDirectory()) return [place];
  return readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .sort();
}

/**
 * The code of the workflow sandbox, at the path where every worker reads it: a worker that builds it keeps the memory
 * of the bundler. `log`: a file.
 */
export function buildBundle(root, folder, { signal, log }) {
  const options = { cwd: root, signal, log, what: 'the build of the workflow bundle' };
  return run(process.execPath, [join(folder, 'workers/build-bundle.js')], options);
}

export const programsFolder = (instance) => join(instance.folder, 'programs');

/** The programs' environment: compiled code is cached for the next start. */
export const compileCache = (instance) => ({ NODE_COMPILE_CACHE: join(instance.folder, 'compiled') });
