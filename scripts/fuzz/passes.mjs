// The runs of schemathesis, one per kind of key, and the findings of each. With a single kind of key some endpoints
// would stay untested.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { run } from '../process/run.mjs';

/**
 * They need more than a key: a mailed or signed link, an owner, a purchase, a team, a file, a webhook. Their own test
 * suites cover them; here every call to them may be refused.
 */
const NEEDS_MORE = /^[A-Z]+ \/v1\/(?:account|billing|bulk|keys|login|password|webhooks)\//;

/** Operations that the plan of a key never reaches. */
const without = (...tags) => tags.flatMap((tag) => ['--exclude-tag', tag]);

/**
 * `share`: the share of the examples; `reaches`: every operation that needs only a key must succeed at least once in
 * this run.
 */
export const PASSES = [
  { key: 'plus', title: 'with a customer’s key (Plus)', share: 1, skip: without('Ingest', 'Widgets'), reaches: true },
  { key: 'internal', title: 'with an operator’s key', share: 0.5, skip: [], reaches: true },
  { key: 'free', title: 'with a free key, which many operations refuse', share: 0.5, skip: [], reaches: false },
];

// Hypothesis generates different requests if CI is set; the API is on this machine, so no proxy may be used.
const SAME_EVERYWHERE = { CI: 'true', NO_PROXY: '*', no_proxy: '*', PYTHONUTF8: '1' };

export async function runPass(pass, world, { root, logs, signal }, python, options) {
  const config = join(logs, `${pass.key}.toml`);
  const report = join(logs, `${pass.key}.json`);
  const log = join(logs, `${pass.key}.log`);
  writeFileSync(config, configFor(readFileSync(join(root, 'scripts/fuzz/schemathesis.toml'), 'utf8'), world, options));
  const env = { ...process.env, ...SAME_EVERYWHERE, FUZZ_URL: world.url, FUZZ_KEY: world.keys[pass.key] };
  const args = ['-m', 'schemathesis.cli', '--config-file', config, ...argumentsFor(pass, world, options, report)];
  const ended = await run(python, args, { cwd: logs, env, signal, log, what: 'schemathesis' }).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  return judge(readReport(report, log), { passed: ended, pass, log, all: options.operation === null });
}

export function configFor(text, { about }, { seed }) {
  const own = seed === null ? text : text.replace('deterministic = true', 'deterministic = false');
  const dictionaries = Object.entries(about).map(
    ([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`,
  );
  return `${own}\n${dictionaries.join('\n')}`;
}

/** Responses that are endless, or last as long as the past did. */
const ENDLESS = ['--exclude-operation-id', 'racing_changes_stream', '--exclude-operation-id', 'racing_replay'];

export function argumentsFor({ share, skip }, { url }, { examples, seed, operation }, report) {
  return [
    'run',
    `${url}/openapi.json`,
    '--no-color',
    '--max-examples',
    String(Math.ceil(examples * share)),
    ...(seed === null ? [] : ['--seed', String(seed)]),
    ...(operation === null ? [...ENDLESS, ...skip] : ['--include-operation-id', operation]),
    '--report',
    'json',
    '--report-json-path',
    report,
  ];
}

function readReport(report, log) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    throw new Problem(`schemathesis did not come to an end:\n${readFileSync(log, 'utf8').slice(-3000)}`);
  }
}

/** The findings as sentences; empty if there are none. */
export function judge(report, { passed, pass, log, all }) {
  const { test_cases: cases, valid_rates: rates, operations } = report;
  const found = passed ? [] : [`schemathesis reports:\n${failuresIn(readFileSync(log, 'utf8'))}`];
  if (!report.complete) found.push('schemathesis did not come to its end.');
  const never = Object.keys(rates).filter((name) => acceptedOf(rates[name]) === 0 && !NEEDS_MORE.test(name));
  if (pass.reaches && all && never.length > 0)
    found.push(`Only ever refused, so that nothing of it was tried: ${never.join(', ')}.`);
  if (operations.tested < operations.selected)
    found.push(`${operations.selected - operations.tested} operations were not tried.`);
  return { found, summary: `${cases.generated} requests to ${operations.tested} operations` };
}

const acceptedOf = (phases) => Object.values(phases).reduce((sum, { accepted }) => sum + accepted, 0);

// The text between its progress and its summary; everything if it stopped earlier.
export function failuresIn(log) {
  const from = log.search(/^=+ (FAILURES|ERRORS|WARNINGS) =+$/m);
  return from < 0 ? log.slice(-3000) : log.slice(from);
}
