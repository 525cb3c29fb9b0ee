// Prometheus and promtool: this machine's own, else those of its distribution's package, unpacked into the cache. Nothing is installed on the machine;
// apt verifies what it downloads.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';

/** The folder of both programs, or null where there are none. */
export async function ensurePrometheus(ctx) {
  const own = onPath('promtool');
  if (own && onPath('prometheus')) return dirname(own);
  if (!onPath('apt-get') || !onPath('dpkg-deb')) return null;
  const version = (await candidate()) ?? (await refreshed(ctx));
  if (version === null) return null;
  const folder = join(cacheRoot(), `prometheus-${version.replaceAll(/[^\w.+-]/g, '_')}`);
  const build = (target) =>
    ctx.progress.step('Unpacking Prometheus (19 MB)', async () => {
      const log = join(ctx.logs, 'prometheus.log');
      // Of root's, apt has a user that downloads; the folder is not that user's, and apt says so and goes on.
      await run('apt-get', ['download', `prometheus=${version}`], { cwd: target, signal: ctx.signal, log });
      const file = readdirSync(target).find((name) => name.endsWith('.deb'));
      await run('dpkg-deb', ['-x', join(target, file), join(target, 'root')], { signal: ctx.signal, log });
    });
  await installed(folder, build, { signal: ctx.signal });
  return join(folder, 'root/usr/bin');
}

/** The version that apt knows; null: its lists do not have the package. */
async function candidate() {
  const text = await outputOf('apt-cache', ['policy', 'prometheus']);
  const version = /^ +Candidate: (\S+)$/m.exec(text ?? '')?.[1];
  return version && version !== '(none)' ? version : null;
}

async function refreshed({ signal, logs }) {
  if (process.getuid?.() !== 0) return null;
  await run('apt-get', ['update'], { signal, log: join(logs, 'apt-get.log') });
  return candidate();
}
