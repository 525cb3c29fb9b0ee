// Judges every regular expression of the service and its clients by `recheck`: an expression that takes more than
// linear time is refused, unless its input is bounded and its worst input of that length takes no longer than a short
// turn. Verdicts are kept beside this file, so that only new expressions are computed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BOUNDED } from './bounded-expressions.mjs';
import { expressionsOf, faultOf } from './expressions.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const KEPT = join(root, 'scripts/checks/safe-expressions.json');

const kept = new Set(JSON.parse(readFileSync(KEPT, 'utf8')));
const found = expressionsOf(join(root, 'src'));
for (const client of ['clients/typescript/src', 'clients/odds/src'])
  for (const [expression, paths] of expressionsOf(join(root, client)))
    found.set(expression, [...(found.get(expression) ?? []), ...paths]);
const bounds = new Map(BOUNDED.map((one) => [one.expression, one.most]));
const faults = [...bounds.keys()]
  .filter((expression) => !found.has(expression))
  .map((expression) => `${expression}\n  is stated as bounded, and no longer in the code`);
const safe = [];
for (const [expression, paths] of found) {
  const verdict = bounds.has(expression) ? `${expression} ${bounds.get(expression)}` : expression;
  const fault = kept.has(verdict) ? null : await faultOf(expression, bounds.get(expression));
  if (fault === null) safe.push(verdict);
  else faults.push(`${expression}\n  ${[...new Set(paths)].join(', ')}: ${fault}`);
}
const text = `${JSON.stringify(safe.sort(), null, 2)}\n`;
if (text !== readFileSync(KEPT, 'utf8')) {
  writeFileSync(KEPT, text);
  faults.push('scripts/checks/safe-expressions.json was brought up to date: commit it.');
}
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
