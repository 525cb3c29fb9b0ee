// The options of `npm run fuzz --`. An unknown argument is refused.
import { parseArgs } from 'node:util';
import { Problem } from '../command/problem.mjs';
import { KIND_NAMES } from './hostile/battery.mjs';

export const fuzzHelp = `npm run fuzz -- [options]

  --examples N        requests that are made up per operation, about (default 40)
  --operation NAME    only this operation, by its operationId, and no hostile requests
  --hostile           only the hostile requests, which need no Python
  --kind NAME         only the hostile requests of this kind: ${KIND_NAMES.join(', ')}
  --seed N            other requests than the usual ones: every run is repeatable by its seed (default: always the same requests)
  --minutes N         stop after so long (default 20; it takes four on a machine of its own)
  --help              this text

Runs schemathesis over /openapi.json against the API on a seeded database of its own, which needs Python 3.11 or newer with venv; then sends
hostile HTTP over raw sockets, measures the API process meanwhile and lists what it does wrong.
Exit codes: 0 nothing found · 1 something found, or the run failed · 3 no such Python here, nothing was run.`;

export function parseFuzzOptions(args) {
  const { help, operation = null, hostile, kind = null, examples, seed, minutes } = parsed(args);
  if (kind !== null && !KIND_NAMES.includes(kind))
    throw new Problem(`--kind is "${kind}": give one of ${KIND_NAMES.join(', ')}.`);
  return {
    help,
    operation,
    kind,
    schemathesis: !hostile && kind === null,
    hostile: operation === null,
    examples: wholeFrom('--examples', examples),
    seed: seed === undefined ? null : wholeFrom('--seed', seed),
    minutes: wholeFrom('--minutes', minutes),
  };
}

function parsed(args) {
  try {
    return parseArgs({
      args,
      options: {
        examples: { type: 'string', default: '40' },
        operation: { type: 'string' },
        hostile: { type: 'boolean', default: false },
        kind: { type: 'string' },
        seed: { type: 'string' },
        minutes: { type: 'string', default: '20' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}: see npm run fuzz -- --help.`);
  }
}

function wholeFrom(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Problem(`${name} is "${text}": give a whole number above 0.`);
}
