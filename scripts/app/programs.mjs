// Builds the programs of the service: one file each, its packages beside it as they are. A start from one file takes a third of the processor time of
// a start from the sources, and two thirds of the memory (docs/decisions/0024).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAMS = ['api', 'ops', 'simulator', 'workers'];

/** The first lines of a program: errors name the lines of the sources. Maps of packages are not read. */
const MAIN = `require('node:module').setSourceMapsSupport(true);\nrequire('./program.js');\n`;

/** Writes `<folder>/<program>/main.js`. The folder is below `root`, where the packages are found. */
export async function buildPrograms(root, folder) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(PROGRAMS.map((name) => [`${name}/program`, `src/${name}/main.ts`])),
      'api/thread': 'src/api/input/large/thread.ts',
    },
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  for (const name of PROGRAMS) writeFileSync(join(folder, name, 'main.js'), MAIN);
}

export const programsFolder = (instance) => join(instance.folder, 'programs');

/** Their environment: compiled code is kept for the next start. */
export const compileCache = (instance) => ({ NODE_COMPILE_CACHE: join(instance.folder, 'compiled') });
