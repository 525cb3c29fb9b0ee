// `npm run gameday`: one outage after another on its own service (two API processes, three workers, durable servers),
// watched by Prometheus with the shipped rules. An outage passes if its alert fires in time, no other page does, the
// runbook's commands show the reason, and the service recovers afterwards.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { playDay } from './gameday/day.mjs';
import { LONG, SHORT } from './gameday/outages/outages.mjs';
import { openStage } from './gameday/stage.mjs';
import { startWatch } from './gameday/watch.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm run gameday -- [options]

Starts a service of its own and Prometheus with the rules of deploy/prometheus, whose durations are divided by four (five minutes at most), and causes one outage after the
other. Prints for each the alert, the seconds to it and to recovery.

  --short        the ${SHORT.length} outages of servers and processes, in about six minutes
  --only NAMES   outages whose name contains this, or one of several separated by commas
  --help         this text

Exit codes: 0 every outage passed · 1 one did not · 3 there is no Prometheus here, nothing was run.`;

await runSession(async ({ signal, onEnd }) => {
  const { short, only, help: asksHelp } = optionsOf(process.argv.slice(2));
  if (asksHelp) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const outages = (short ? SHORT : [...SHORT, ...LONG]).filter(({ name }) =>
    only.split(',').some((part) => name.includes(part)),
  );
  if (outages.length === 0) throw new Problem(`No outage has "${only}" in its name.`);
  const stage = await openStage(root, { signal, onEnd });
  const watch = await startWatch(stage);
  return (await playDay({ stage, watch, outages, signal })) ? 0 : 1;
});

function optionsOf(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    return parseArgs({ args, options: { short: flag, only: { type: 'string', default: '' }, help: flag } }).values;
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}: see npm run gameday -- --help.`);
  }
}
