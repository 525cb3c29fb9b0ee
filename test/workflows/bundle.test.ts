// The sandbox contains the code that decides, and nothing that does I/O: every file of ours in the bundle is listed
// here, so that an import that pulls in a store or a feed shows up in review.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleSources, currentStamp, loadWorkflowBundle, stampOf } from '../../src/workers/workflow-bundle';

const INSIDE = [
  'domain/lifecycle/carried-race.ts',
  'domain/lifecycle/lifecycle.ts',
  'domain/lifecycle/race-effects.ts',
  'domain/lifecycle/race-invariants.ts',
  'domain/lifecycle/race-timetable.ts',
  'domain/quality/audit.ts',
  'domain/race/sha1.ts',
  'domain/race/sport.ts',
  'domain/race/uuid.ts',
  'domain/registry/registry.ts',
  'domain/results/field-coverage.ts',
  'domain/time/aet.ts',
  'domain/time/cadence.ts',
  'domain/time/clock.ts',
  'workflows/archive/archive-past.ts',
  'workflows/archive/bulk-files.ts',
  'workflows/archive/collect-history.ts',
  'workflows/archive/fill-runs.ts',
  'workflows/backfill/backfill-sweep.ts',
  'workflows/backfill/backfill.ts',
  'workflows/checks.ts',
  'workflows/close-credits.ts',
  'workflows/collect-results.ts',
  'workflows/contract.ts',
  'workflows/discover-meetings.ts',
  'workflows/feeds/exchange-stream.ts',
  'workflows/feeds/poll-sports.ts',
  'workflows/index.ts',
  'workflows/pinned.ts',
  'workflows/race-activities.ts',
  'workflows/race-decision.ts',
  'workflows/race-orders.ts',
  'workflows/race-polling.ts',
  'workflows/race-run.ts',
  'workflows/race-story.ts',
  'workflows/race.ts',
  'workflows/registry/collect-premierships.ts',
  'workflows/registry/read-form.ts',
  'workflows/registry/registry-gate.ts',
  'workflows/registry/registry-state.ts',
  'workflows/search-attributes.ts',
  'workflows/webhooks/webhook-delivery.ts',
  'workflows/webhooks/webhook-sweep.ts',
];

const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];

test('exactly these of our files are in the workflow bundle', async () => {
  const { code } = await loadWorkflowBundle();
  expect(filesOf(code)).toEqual(INSIDE);
});

test('its only packages are the workflow SDK and its dependencies, none of which opens a socket or a file', async () => {
  const { code } = await loadWorkflowBundle();
  const packages = [...code.matchAll(/node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//g)].map((match) => match[1]!);
  expect([...new Set(packages)].sort()).toEqual(PACKAGES);
});

test('its stamp covers our files in it, the SDK and the major version of Node', async () => {
  const { code } = await loadWorkflowBundle();
  expect(INSIDE.filter((file) => !bundleSources().includes(file))).toEqual([]);
  expect(stampOf(code)).toBe(currentStamp());
  expect(currentStamp()).toMatch(/^sources [0-9a-f]{64}, sdk \d+\.\d+\.\d+, node \d+$/);
  expect(currentStamp('99.1.0')).toBe(currentStamp().replace(/\d+$/, '99'));
});

test('a prebuilt file is reused if its stamp matches, and rebuilt otherwise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  const file = join(folder, 'workflow-bundle.js');
  try {
    const map = '//# sourceMappingURL=data:application/json;base64,e30=\n';
    const prebuilt = `reused\n// Made from: ${currentStamp()}\n${map}`;
    writeFileSync(file, prebuilt);
    expect((await loadWorkflowBundle(file)).code).toBe(prebuilt);
    writeFileSync(file, `never run\n// Made from: ${currentStamp('18.0.0')}\n${map}`);
    const { code } = await loadWorkflowBundle(file);
    expect(code).toContain('./src/workflows/race.ts');
    expect(readFileSync(file, 'utf8')).toBe(code);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Webpack names each module by its path. */
function filesOf(code: string): string[] {
  const found = [...code.matchAll(/"\.\/src\/([\w./-]+\.ts)"/g)].map((match) => match[1]!);
  return [...new Set(found)].sort();
}
