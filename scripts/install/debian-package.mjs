// A package of this machine's distribution, unpacked into the cache. Nothing is installed on the machine; apt verifies
// what it downloads.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';

/**
 * The folder that contains the package's files as they would be below `/`, or null if there is no apt or no such
 * package. `title`: the title of the step.
 */
export async function unpackPackage(ctx, name, title) {
  if (!onPath('apt-get') || !onPath('dpkg-deb')) return null;
  const version = (await candidate(name)) ?? (await refreshed(ctx, name));
  if (version === null) return null;
  const folder = join(cacheRoot(), `${name}-${version.replaceAll(/[^\w.+-]/g, '_')}`);
  const build = (target) =>
    ctx.progress.step(title, async () => {
      const log = join(ctx.logs, `${name}.log`);
      // As root, apt downloads as its own user, to whom the folder does not belong; apt reports that and continues.
      await run('apt-get', ['download', `${name}=${version}`], { cwd: target, signal: ctx.signal, log });
      const [file] = readdirSync(target).filter((each) => each.endsWith('.deb'));
      await run('dpkg-deb', ['-x', join(target, file), join(target, 'root')], { signal: ctx.signal, log });
    });
  await installed(folder, build, { signal: ctx.signal });
  return join(folder, 'root');
}

/** The version that apt knows; null if its lists do not have the package. */
async function candidate(name) {
  const text = await outputOf('apt-cache', ['policy', name]);
  const version = /^ +Candidate: (\S+)$/m.exec(text ?? '')?.[1];
  return version && version !== '(none)' ? version : null;
}

async function refreshed({ signal, logs }, name) {
  if (process.getuid?.() !== 0) return null;
  await run('apt-get', ['update'], { signal, log: join(logs, 'apt-get.log') });
  return candidate(name);
}
