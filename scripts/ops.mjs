// `npm run ops -- <command>`: runs an operator's command on the stack of `npm start` in this checkout, with its servers
// and on its clock.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operate } from './app/operate.mjs';
import { runAgain } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';
import { openInstance } from './instance/instance.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await runSession(
  async () => (await runAgain(root)) ?? operate(openInstance(root, 'start'), process.argv.slice(2), 'npm run ops --'),
);
