// A separate disk for the servers of a game day: a file of this machine, mounted where their data will be. Only root
// may mount.
import { existsSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackPackage } from '../../install/debian-package.mjs';
import { launch } from '../../process/launch.mjs';
import { onPath } from '../../process/on-path.mjs';
import { freePorts } from '../../process/ports.mjs';
import { run } from '../../process/run.mjs';
import { answersHttp, waitUntil } from '../../process/wait-until.mjs';
import { claimDataInRoot } from '../../servers/data-folder.mjs';
import { ensurePostgres } from '../../servers/programs.mjs';

const SIZE = 1200 * 2 ** 20;
/** Nothing is reserved: all free space is available to the servers. */
const FORMAT = ['-q', '-F', '-m', '0'];

/** Mounts it empty; it is removed with the data of the instance. Null if no disk can be mounted. */
export async function mountDisk(ctx, onEnd) {
  if (process.getuid?.() !== 0 || !onPath('mkfs.ext4') || !existsSync('/dev/loop-control')) return null;
  // Servers installed on this machine have their data elsewhere. The root must be complete before anything is put into
  // it.
  if (await ensurePostgres(ctx)) return null;
  const place = claimDataInRoot(ctx.instance);
  const image = join(ctx.instance.folder, 'disk');
  const options = { signal: ctx.signal, log: join(ctx.logs, 'disk.log') };
  onEnd(() => rmSync(image, { force: true }));
  writeFileSync(image, '');
  truncateSync(image, SIZE);
  await run('mkfs.ext4', [...FORMAT, image], options);
  await run('mount', ['-o', 'loop', image, place], options);
  const ballast = join(place, 'ballast');
  return {
    place,
    exporter: await startExporter(ctx),
    /** Leaves this share of it free. */
    async fill(share) {
      const { bavail, blocks, bsize } = statfsSync(place);
      await run('fallocate', ['-l', String(Math.floor((bavail - share * blocks) * bsize)), ballast], options);
    },
    empty: () => rmSync(ballast, { force: true }),
  };
}

/** What a node exporter on each server reports about its disks, as `127.0.0.1:<port>`; null if there is none. */
async function startExporter(ctx) {
  const root = await unpackPackage(ctx, 'prometheus-node-exporter', 'Unpacking the node exporter');
  if (root === null) return null;
  const [port] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  const args = ['--collector.disable-defaults', '--collector.filesystem', `--web.listen-address=${address}`];
  const command = join(root, 'usr/bin/prometheus-node-exporter');
  const running = launch(ctx, { name: 'node-exporter', command, args, cwd: ctx.root });
  await waitUntil(() => answersHttp(`http://${address}/metrics`), { process: running, signal: ctx.signal });
  return address;
}
