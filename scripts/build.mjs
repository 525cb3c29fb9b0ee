// `npm run build`: the programs of the service, one file each, for an image. `npm start` and `npm test` build their
// own.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBundle, buildPrograms, usualFolder } from './app/programs.mjs';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm run build -- [folder]

Writes <folder>/api/main.js, and ops, simulator and workers beside it. The folder is dist, which is emptied first, or one below the checkout, whose packages they need.
The code of the workflow sandbox is built too, where every worker of the checkout reads it.`;

await runSession(async ({ signal }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const chosen = process.argv[2];
  const folder = chosen === undefined ? usualFolder(root) : resolve(root, chosen);
  await buildPrograms(root, folder, { isOwn: chosen === undefined });
  const local = join(root, '.local');
  mkdirSync(local, { recursive: true });
  await buildBundle(root, folder, { signal, log: join(local, 'bundle.log') });
});
