// `npm run backup-drill`: proves backup and restore on its own database: pgBackRest sends a base backup and the log to
// an S3-compatible server over TLS, a mistake is planted, the database is restored to the second before it, and every
// row is compared. It touches no data of `npm start`, and removes everything that it made.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drill } from './backup-drill/drill.mjs';
import { tableOf } from './backup-drill/table.mjs';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { claimThrowaway } from './instance/throwaway.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm run backup-drill

Backs up a database of its own with pgBackRest and the settings of deploy/pgbackrest, plants a mistake, restores to the second before it and compares every row.
Needs Linux and root rights, because its PostgreSQL and pgBackRest are Debian's, in a root of their own. Two to four minutes; prints a table of steps.
Exit codes: 0 every row, chunk, right and login is as it was, and workers go on · 1 something is not so.`;

await runSession(async ({ signal, onEnd }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  if (process.argv.length > 2)
    throw new Problem(`${process.argv[2]} is no option: see npm run backup-drill -- --help.`);
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Problem('The drill needs root rights on Linux: its PostgreSQL and pgBackRest run in a Debian root.');
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const ctx = await claimThrowaway(root, { name: 'backup-drill', what: 'the backup drill', signal, onEnd });
  const steps = await drill({ ...ctx, durable: true, database: 'racing' }, onEnd);
  for (const line of ['', ...tableOf(steps), '', 'The restored database is whole.']) console.log(line);
});
