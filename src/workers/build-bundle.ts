// Builds the workflow bundle ahead of its first use: in the image, and before the tests.
import { loadWorkflowBundle } from './workflow-bundle';

loadWorkflowBundle().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
