// One project per kind of test (`scripts/jest/projects.mjs`). `unit` needs no server; the others need the stack that `npm test` starts.
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesOf, PROJECTS } from './scripts/jest/projects.mjs';

const root = dirname(fileURLToPath(import.meta.url));
/** Where a whole run has its groups. */
const groups = process.env.TEST_GROUPS;

const common = {
  testEnvironment: 'node',
  // Without them each start of jest looks at every file of every package.
  roots: ['src', 'test', 'scripts'].map((folder) => join(root, folder)).concat(groups ?? []),
  // Every other global is looked up in the sandbox at each use: twice the time of a simulated world, a twentieth of all tests. Not those that
  // fake timers replace or a package declares.
  sandboxInjectedGlobals:
    'Array BigInt Boolean Error JSON Map Math Number Object Promise Reflect RegExp Set String Symbol Uint8Array WeakMap'.split(
      ' ',
    ),
  setupFiles: ['<rootDir>/test/support/property-seed.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/running.ts'],
  transform: {
    '/node_modules/asn1js/': '<rootDir>/scripts/jest/own-scope.mjs',
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(asn1js|idiomorph|cockatiel|cookie|hyparquet|hyparquet-writer|set-cookie-parser)/)',
  ],
};

export default {
  // Files are found in one way, whether or not a machine has a watchman.
  watchman: false,
  // A busy machine is no failure: what has not come by then never comes.
  testTimeout: 600_000,
  // One more than there are processors, because a test waits for its servers. A machine can name more than it gives, and more at once want more
  // memory and connections than there may be.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  reporters: ['default', '<rootDir>/scripts/jest/account-reporter.mjs'],
  testSequencer: '<rootDir>/scripts/jest/sequencer.mjs',
  projects: PROJECTS.map((project) => ({
    ...common,
    displayName: project.name,
    testMatch:
      groups && project.groupOf > 1
        ? [join(groups, `${project.name}-*.test.js`)]
        : filesOf(root, project).map((file) => join(root, 'test', file)),
  })),
};
