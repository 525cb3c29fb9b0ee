// Builds the one file of code that runs inside the workflow sandbox. The same bundle serves workers, replay and the test that
// lists which of our files are in it.
import { join } from 'node:path';
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const QUIET: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message) => process.stderr.write(`workflow bundle: ${message}\n`),
};

export const WORKFLOWS_PATH = join(__dirname, '../workflows/index.ts');

export function buildBundle(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath: WORKFLOWS_PATH, logger: QUIET });
}
