// `npm run rehearse`: `ops billing rehearse` on a PostgreSQL of its own, which is removed at the end. Against Stripe's
// test mode if STRIPE_SECRET_KEY is set, otherwise against the stateful server of the tests.
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
const PROGRAM = 'test/support/stripe/rehearse.ts';
const help = `npm run rehearse

Buys, upgrades, goes beyond the credits, declines, disputes, cancels and turns a year, and prints after each step what Stripe and the account have. On a PostgreSQL of its own.
With STRIPE_SECRET_KEY=sk_test_… and STRIPE_TAX against the test mode of Stripe, on a test clock; a key of the live mode is refused. Without a key against the server of the tests.

Exit codes: 0 every step was as expected · 1 one was not, or something is left · 3 the key is none of the test mode, nothing was done.`;

await runSession(async ({ signal, onEnd }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  if (process.argv.length > 2) throw new Problem(`${process.argv[2]} is no option: see npm run rehearse -- --help.`);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const ctx = await claimThrowaway(root, { name: 'rehearse', what: 'a rehearsal', signal, onEnd });
  const env = { DATABASE_URL: await startPostgres(ctx), DATABASE_DIRECT_URL: '' };
  return runTypeScript(PROGRAM, { root, env, signal, what: 'The rehearsal' });
});
