// `npm run house`: figures of the code's layout: rooms and the arrows between them, folders behind an operation, long
// functions, names with several meanings, words of each document. `-- --check` compares them with the rules, for `npm
// run check`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const EXCEPTIONS = join(root, 'scripts/house/exceptions.json');
const help = `npm run house -- [options]

  --check    prints what breaks a rule, and nothing else
  --shrink   takes exceptions out of scripts/house/exceptions.json that are needed no more
  --help     this text

Exit codes: 0 no rule is broken · 1 one is.`;

await runSession(async ({ signal }) => {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const { values } = parseArgs({ options: { check: flag, shrink: flag, help: flag } });
  if (values.help) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const { measure } = await import('./house/measures.mjs');
  const { faultsOf, shrunk } = await import('./house/rules.mjs');
  const { printMeasures } = await import('./house/print.mjs');
  const measures = measure(root);
  const allowed = JSON.parse(readFileSync(EXCEPTIONS, 'utf8'));
  if (values.shrink) {
    writeFileSync(EXCEPTIONS, `${JSON.stringify(shrunk(measures, allowed), null, 2)}\n`);
    return 0;
  }
  if (!values.check) printMeasures(measures);
  const faults = [...faultsOf(measures, allowed)];
  for (const fault of faults) console.log(fault);
  return faults.length === 0 ? 0 : 1;
});
