// Prometheus and promtool: this machine's own, otherwise those in its distribution's package.
import { dirname, join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { unpackPackage } from './debian-package.mjs';

/** The folder of both programs, or null if there are none. */
export async function ensurePrometheus(ctx) {
  const own = onPath('promtool');
  if (own && onPath('prometheus')) return dirname(own);
  const root = await unpackPackage(ctx, 'prometheus', 'Unpacking Prometheus (19 MB)');
  return root && join(root, 'usr/bin');
}
