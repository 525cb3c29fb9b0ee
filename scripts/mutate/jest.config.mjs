// The tests that Stryker runs against each mutant: those of one folder of the domain, compiled and set up exactly as in
// the unit project.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from '../../jest.config.mjs';

const rootDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const unit = config.projects.find(({ displayName }) => displayName === 'unit');

// Stryker copies the repository into .local/mutate and runs the copy, so these paths are those of the copy. The tests
// of its own folder prove a rule: tests of other folders would kill some mutants by accident, and cost ten times as
// much.
export default {
  ...unit,
  rootDir,
  setupFilesAfterEnv: ['<rootDir>/scripts/mutate/setup.mjs'],
  watchman: false,
  // Jest would search its roots again for every mutant.
  roots: ['<rootDir>/src/domain', '<rootDir>/test/domain'],
  // Property files take ten times as long as examples, and examples check boundaries better.
  testPathIgnorePatterns: ['[.]property[.]test'],
  testMatch: [`<rootDir>/${process.env.MUTATED_TESTS ?? 'test/domain/**'}/*.test.ts`],
};
