// `npm run mutate -- src/domain/prices`: changes the domain's code one operator at a time and runs the folder's own
// tests against each change. Prints every mutant that no test kills, and the score by folder. Unchanged mutants are not
// tried again (.local/mutate).
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { seconds } from './command/progress.mjs';
import { runSession } from './command/session.mjs';
import { scoreOf } from './mutate/score.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LEAST_PERCENT = 85;
const LIST = 'test/mutants/equivalent.json';

const help = `npm run mutate -- [folder or file …]

Changes the code one operator at a time and reports the changes that no test of the folder notices. Default: all of src/domain.
Exit codes: 0 every folder is at ${LEAST_PERCENT} % or above · 1 one is not.`;

await runSession(async ({ signal }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const { values, positionals } = parseArgs({ options: { static: { type: 'boolean' } }, allowPositionals: true });
  process.chdir(root);
  mkdirSync('.local/mutate', { recursive: true });
  const equivalents = JSON.parse(readFileSync(LIST, 'utf8'));
  const lines = [];
  let passed = true;
  for (const [folder, files] of foldersOf(positionals.length > 0 ? positionals : ['src/domain'])) {
    const startedAt = Date.now();
    const score = scoreOf(await mutate(folder, files, values.static), equivalents);
    print(score);
    passed &&= score.stale.length === 0 && score.percent >= LEAST_PERCENT;
    lines.push(lineOf(folder, score, Date.now() - startedAt));
  }
  console.log(`\n${lines.join('\n')}`);
  return passed ? 0 : 1;
});

/** Data tables are left out: a different spelling of a track breaks no rule. */
function foldersOf(paths) {
  const files = paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new Problem(`${path} does not exist.`);
    return stats.isDirectory() ? globSync(`${path}/**/*.ts`) : [path];
  });
  return Map.groupBy(files.filter((file) => !file.endsWith('.data.ts')).sort(), (file) => dirname(file));
}

/**
 * `withStatic`: also code that runs on import. No single test covers it, so each such mutant costs a run of all tests.
 */
async function mutate(folder, files, withStatic = false) {
  const { Stryker } = await import('@stryker-mutator/core');
  process.env.MUTATED_TESTS = folder.replace(/^src/, 'test');
  const results = await new Stryker({
    mutate: files,
    // Only the files that the domain's tests read are copied.
    ignorePatterns: ['/*', '!/src', '!/test', '!/scripts', '!/docs', '!/jest.config.mjs'],
    tempDirName: '.local/mutate/copy',
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    // A folder has few tests: finding those that cover a file takes longer than loading all of them.
    jest: { configFile: 'scripts/mutate/jest.config.mjs', enableFindRelatedTests: false },
    // A file that does not exist: Stryker would rewrite tsconfig.json with an API that TypeScript 7 no longer has.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    ignoreStatic: !withStatic,
    incremental: true,
    incrementalFile: join('.local/mutate', `${basename(folder)}.json`),
    concurrency: Math.max(1, availableParallelism() - 1),
    reporters: ['progress-append-only'],
    logLevel: /** @type {any} A member of an enum. */ ('warn'),
    allowConsoleColors: false,
  }).runMutationTest();
  return results.map(({ fileName, location, mutatorName, replacement, status }) => {
    const file = relative(root, fileName);
    const source = readFileSync(file, 'utf8').split('\n');
    const { line } = location.start;
    const changed = { original: textAt(source, location), replacement: oneLine(replacement) };
    return { file, line, code: source[line - 1].trim(), mutator: mutatorName, ...changed, status };
  });
}

/** Lines and columns count from 1, as in an editor. */
function textAt(source, { start, end }) {
  const lines = source.slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column - 1));
  return oneLine([lines[0].slice(start.column - 1), ...lines.slice(1)].join(' '));
}

/** Long enough to recognise a mutant. */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim().slice(0, 160);
}

function print({ survivors, stale }) {
  for (const { file, line, code, mutator, original, replacement, status } of survivors) {
    const how = status === 'NoCoverage' ? 'not covered' : 'survived';
    console.log(`${file}:${line} ${mutator} ${how}\n  ${code}\n  ${original} → ${replacement}`);
  }
  for (const { file, original, replacement } of stale) {
    console.log(`${LIST}: no such survivor in ${file} any more, delete the entry: ${original} → ${replacement}`);
  }
}

function lineOf(folder, { detected, total, percent, equivalent }, ms) {
  const share = `${percent.toFixed(1)} %`.padStart(8);
  return `${share}  ${detected} of ${total}, ${equivalent} more equivalent, ${seconds(ms)}  ${folder}`;
}
