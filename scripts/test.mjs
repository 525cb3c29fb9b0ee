// `npm test`: brings up servers of its own (other ports and data than `npm start`, so both run side by side), runs every jest
// project on them, stops them, and ends in one line: `N passed, N failed`. Words behind `--` go to jest.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureTimeSkippingServer } from './install/time-skipping-server.mjs';
import { addCounts, countTests, isSuccess, NO_TESTS, summaryLine } from './jest-summary.mjs';
import { runOnPinnedNode } from './pinned-node.mjs';
import { runJest } from './run-jest.mjs';
import { bringUp, decide } from './servers/bring-up.mjs';
import { runSession } from './session.mjs';
import { claimThrowaway } from './throwaway-instance.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let counted = NO_TESTS;

await runSession(async ({ signal, onEnd }) => {
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const ctx = await claimThrowaway(root, { name: 'test', what: 'the tests', signal, onEnd });
  const env = await bringUpForTests(ctx);
  const resultsFile = join(ctx.instance.folder, 'results.json');
  let worst = 0;
  for (const args of jestRuns(process.argv.slice(2))) {
    const { exitCode, results } = await runJest(root, args, { env, signal, resultsFile });
    counted = addCounts(counted, countTests(results));
    worst = Math.max(worst, exitCode);
  }
  return isSuccess(counted, worst) ? 0 : worst || 1;
});
if (counted !== NO_TESTS) console.log(summaryLine(counted));

// Whole processes on a fast clock want the machine to themselves, so they come last, one at a time.
function jestRuns(given) {
  if (given.length > 0) return [given];
  return [
    ['--selectProjects', 'unit', 'store', 'workflows', 'api', 'web'],
    ['--selectProjects', 'system', '--runInBand'],
  ];
}

async function bringUpForTests(ctx) {
  const choice = await decide(ctx);
  const [servers, testServer] = await Promise.all([bringUp(ctx, choice), ensureTimeSkippingServer(root, ctx)]);
  return testEnvironment(
    servers,
    testServer,
    Object.values(choice).every((how) => how === 'local'),
  );
}

function testEnvironment(servers, testServer, own) {
  return {
    ...process.env,
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: servers.temporalNamespace,
    TEMPORAL_TEST_SERVER: testServer,
    TEMPORAL_CLI: servers.temporalCli ?? process.env.TEMPORAL_CLI ?? '',
    SAMPLES_DIR: process.env.SAMPLES_DIR || resolve(root, '../shared/samples'),
    // The chaos test kills servers: its own, run with the programs that these are run with.
    OWN_SERVERS: own ? '1' : '',
  };
}
