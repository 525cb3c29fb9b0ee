// The sandbox holds what decides, and nothing that touches the world: every file of ours inside the bundle is listed here, so that an
// import that drags in a store or a feed is seen in review.
import { buildBundle } from '../../src/workers/build-bundle';

const INSIDE = [
  'domain/lifecycle/lifecycle.ts',
  'domain/lifecycle/race-effects.ts',
  'domain/lifecycle/race-invariants.ts',
  'domain/lifecycle/race-timetable.ts',
  'domain/registry/registry.ts',
  'domain/results/field-coverage.ts',
  'domain/time/aet.ts',
  'domain/time/cadence.ts',
  'domain/time/clock.ts',
  'workflows/check-betslip-links.ts',
  'workflows/collect-results.ts',
  'workflows/contract.ts',
  'workflows/discover-meetings.ts',
  'workflows/exchange-stream.ts',
  'workflows/index.ts',
  'workflows/measure-uptime.ts',
  'workflows/race-activities.ts',
  'workflows/race-orders.ts',
  'workflows/race-polling.ts',
  'workflows/race-run.ts',
  'workflows/race-story.ts',
  'workflows/race.ts',
  'workflows/registry-state.ts',
  'workflows/search-attributes.ts',
];

const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];

test('exactly these files of ours are inside the workflow bundle', async () => {
  const { code } = await buildBundle();
  expect(filesOf(code)).toEqual(INSIDE);
});

test('of packages it holds the workflow SDK and what that needs, nothing that opens a socket or a file', async () => {
  const { code } = await buildBundle();
  const packages = [...code.matchAll(/node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//g)].map((match) => match[1]!);
  expect([...new Set(packages)].sort()).toEqual(PACKAGES);
});

/** Webpack names each module by its path. */
function filesOf(code: string): string[] {
  const found = [...code.matchAll(/"\.\/src\/([\w./-]+\.ts)"/g)].map((match) => match[1]!);
  return [...new Set(found)].sort();
}
