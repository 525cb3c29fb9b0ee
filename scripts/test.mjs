// `npm test`: brings up its own servers (with other ports and data than `npm start`, so both can run at the same time),
// runs every jest project on them, stops them, and ends with one line: `N passed, N failed`. Arguments after `--` go to
// jest.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBundle, compileCache, ensurePrograms, programsFolder } from './app/programs.mjs';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';
import { ensureTimeSkippingServer } from './install/time-skipping-server.mjs';
import { claimThrowaway } from './instance/throwaway.mjs';
import { countDatabases } from './jest/database-count.mjs';
import { writeGroups } from './jest/groups.mjs';
import { watchIdleTime } from './jest/idle-time.mjs';
import { PROJECTS } from './jest/projects.mjs';
import { runJest } from './jest/run.mjs';
import { addCounts, countTests, isSuccess, NO_TESTS, slowestFiles, summaryLine } from './jest/summary.mjs';
import { bringUp, decide } from './servers/bring-up.mjs';
import { installAhead } from './servers/install-ahead.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm test -- [files] [options of jest]

  npm test                                      everything, on real servers of its own; the last line is "N passed, N failed"
  npm test -- test/store                        the files below a folder, or whose path has this text
  npm test -- --selectProjects store -t fence   the tests of a kind whose name has this text
  npm test -- --help                            this text

Kinds: ${PROJECTS.map(({ name }) => name).join(', ')}. \`npm run check\` runs those that need no server.
PROPERTY_SEED=7 npm test draws other cases for the properties. Options of jest: npx jest --help.
Exit codes: 0 all passed · 1 something failed.`;

/** @type {{ counted: typeof NO_TESTS, lines: string[] }} */
const closing = { counted: NO_TESTS, lines: [] };

await runSession(async ({ signal, onEnd }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  // The first to be undone last: once the servers have stopped.
  onEnd(printClosing);
  const testServer = (ctx) => ensureTimeSkippingServer(root, ctx);
  const ended = await runOnPinnedNode(root, { signal, beside: (ctx) => installAhead(ctx, [testServer]) });
  if (ended !== null) return ended;
  const ctx = await claimThrowaway(root, { name: 'test', what: 'the tests', signal, onEnd });
  const env = await bringUpForTests(ctx);
  const databases = await countDatabases(env.DATABASE_URL);
  const endPart = watchIdleTime();
  const parts = [];
  const runs = await Promise.all(
    jestRuns(ctx, process.argv.slice(2)).map(async ({ args, more, gives }, n) => {
      const folder = join(ctx.instance.folder, `run-${n + 1}`);
      const ended = await runJest(root, args, { env: { ...env, ...more }, signal, folder, gives });
      parts.push(endPart());
      return ended;
    }),
  );
  return close(runs, parts, await databases.end());
});
function printClosing() {
  for (const line of closing.lines) console.log(line);
  if (closing.counted !== NO_TESTS) console.log(summaryLine(closing.counted));
}

/** The exit code; the remaining lines are printed after the servers have stopped. */
function close(runs, parts, { left, most, allowed }) {
  const counted = runs.map(({ account }) => countTests(account)).reduce(addCounts, NO_TESTS);
  closing.counted = left.length === 0 ? counted : addCounts(counted, { ...NO_TESTS, failed: 1 });
  closing.lines = ['', 'The slowest files:', ...slowestFiles(root, runs)];
  closing.lines.push(`Processors: ${parts.join(', then ')}.`);
  closing.lines.push(`PostgreSQL: ${most} of ${allowed} connections at most, ${left.length} databases left behind.`);
  if (left.length > 0) closing.lines.push(`Not dropped: ${left.join(', ')}.`);
  const worst = Math.max(...runs.map(({ exitCode }) => exitCode));
  return isSuccess(closing.counted, worst) ? 0 : worst || 1;
}

/**
 * Tests that wait most of the time, for a fast clock, for a killed part to return or for a program of another language,
 * run beside the others, one file at a time, and with precedence: a race on a fast clock must not be late when it is
 * due.
 * @returns {{ args: string[], more?: NodeJS.ProcessEnv, gives?: boolean }[]}
 */
function jestRuns(ctx, given) {
  if (given.length > 0) return [{ args: given }];
  const groups = join(ctx.instance.folder, 'groups');
  writeGroups(root, groups);
  const names = (kinds) => ['--selectProjects', ...kinds.map(({ name }) => name)];
  const computes = names(PROJECTS.filter(({ waits }) => !waits));
  const waits = names(PROJECTS.filter((kind) => kind.waits));
  return [
    { args: computes, more: { TEST_GROUPS: groups }, gives: true },
    { args: [...waits, '--runInBand'], more: { TEST_GROUPS: groups, TEST_PORTS: '5' } },
  ];
}

async function bringUpForTests(ctx) {
  const choice = await decide(ctx);
  const [servers, testServer] = await Promise.all([
    bringUp(ctx, choice),
    ensureTimeSkippingServer(root, ctx),
    buildForTests(ctx),
  ]);
  return testEnvironment(
    ctx.instance,
    servers,
    testServer,
    Object.values(choice).every((how) => how === 'local'),
  );
}

async function buildForTests({ instance, logs, signal }) {
  const folder = programsFolder(instance);
  await ensurePrograms(root, folder);
  await buildBundle(root, folder, { signal, log: join(logs, 'bundle.log') });
}

function testEnvironment(instance, servers, testServer, own) {
  return {
    ...process.env,
    ...compileCache(instance),
    TEST_PROGRAMS: programsFolder(instance),
    DATABASE_URL: servers.databaseUrl,
    DATABASE_DIRECT_URL: '',
    REDIS_URL: servers.redisUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: servers.temporalNamespace,
    TEMPORAL_TEST_SERVER: testServer,
    TEMPORAL_CLI: servers.temporalCli ?? process.env.TEMPORAL_CLI ?? '',
    SAMPLES_DIR: process.env.SAMPLES_DIR || resolve(root, '../shared/samples'),
    // The chaos test kills its own servers, started with the same programs as these.
    OWN_SERVERS: own ? '1' : '',
  };
}
