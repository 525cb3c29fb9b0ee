// `npm run pictures`: takes the pictures of the README again, of the real pages on a fixed afternoon, with the page of
// each as text beside it. On a PostgreSQL of its own, which is removed at the end.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { runTypeScript } from './command/typescript-program.mjs';
import { claimThrowaway } from './instance/throwaway.mjs';
import { startPostgres } from './servers/postgres.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAM = 'test/web/pictures/take.ts';
const help = `npm run pictures

Takes the pictures of the README again, writes the text of each page beside its picture (docs/pictures), and what the pictures show into the README. A test compares the text with the page.

Exit codes: 0 taken · 1 not taken.`;

await runSession(async ({ signal, onEnd }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  if (process.argv.length > 2) throw new Problem(`${process.argv[2]} is no option: see npm run pictures -- --help.`);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const ctx = await claimThrowaway(root, { name: 'pictures', what: 'the pictures', signal, onEnd });
  const env = { DATABASE_URL: await startPostgres(ctx), DATABASE_DIRECT_URL: '' };
  return runTypeScript(PROGRAM, { root, env, signal, what: 'The pictures' });
});
