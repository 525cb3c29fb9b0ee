// `npm run year`: runs a year of the service, day by day, with its own functions on a real PostgreSQL, Redis and files.
// Race time and the wall clock (D37) are arguments that are stepped ahead; libfaketime steps PostgreSQL with them,
// whose clock decides too (months of the ledger, leases, the day of an event). The machine's clock is never set. If one
// of these is not true, it is a finding, and the exit code is 1:
//   1. Rows and bytes of a table outside the list of growing tables (test/support/year/growth.ts) stay within a bound
//      from the fourth month on.
//   2. Tables of that list grow no faster than the days. Redis keeps its number of keys and its memory.
//   3. No event, delivery or attempt is outside the days; tomorrow has its partitions; none is older than its
//      retention. No chunk of ticks is older than 45 days plus a whole day, and no line of the ledger is older than 14
//      months.
//   4. Every race has its archive the next morning, with as many prices as its polls stored; at the end it has the same
//      rows, and the API shows them all.
//   5. Each month is closed once, in order, to the sums of its lines; in every month balance and ledger have what the
//      customer was charged, by the customer's own count.
//   6. Each race is on one Sydney day, by the zone tables of Node, in races and archive, even on days of 23 and 25
//      hours and on 29 February; each day has all of its races.
//   7. No order of the customer waits for more than a week.
//   8. The files are exactly those of the due days and months, each with the hash and the rows of its manifest, and a
//      month has the rows of its days.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { claimThrowaway } from './instance/throwaway.mjs';
import { runYear } from './year/program.mjs';
import { startSteppedServers } from './year/servers.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const WHOLE = 366;
const help = `npm run year -- [options]

Lives through a year from 1 July 2027 on, with both changes of the clocks and 29 February: a small card a day, a customer, and the jobs of the Schedules in their
order, on servers of its own whose clock is stepped. Prints a line a month, then the table of what there is after it, and what should not be so.

  --days N    the first N days, 1 to ${WHOLE}. Growth is judged from 240 on
  --help      this text

Exit codes: 0 nothing is broken · 1 something is · 3 there is no libfaketime here (apt), nothing was run.`;

await runSession(async ({ signal, onEnd }) => {
  const { days, help: asksHelp } = optionsOf(process.argv.slice(2));
  if (asksHelp) return console.log(help);
  if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > WHOLE)
    throw new Problem(`--days is '${days}': give 1 to ${WHOLE}.`);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const claimed = await claimThrowaway(root, { name: 'year', what: 'a year', signal, onEnd });
  const ctx = { ...claimed, database: 'racing' };
  return runYear(ctx, await startSteppedServers(ctx), Number(days));
});

function optionsOf(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    return parseArgs({ args, options: { days: { type: 'string', default: String(WHOLE) }, help: flag } }).values;
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}: see npm run year -- --help.`);
  }
}
