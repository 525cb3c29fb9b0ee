// One project per kind of test. `unit` needs no server; the others need the stack that `npm test` starts.
import { availableParallelism } from 'node:os';

const common = {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/property-seed.ts'],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(idiomorph|cockatiel)/)'],
};
const project = (displayName, folders, more = {}) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/test/${folder}`),
  ...more,
});

export default {
  // Files are found in one way, whether or not a machine has a watchman.
  watchman: false,
  // A busy machine is no failure: what has not come by then never comes.
  testTimeout: 300_000,
  // A machine can name more processors than it gives, and more at once want more memory and connections than there may be.
  maxWorkers: Math.max(1, Math.min(4, availableParallelism() - 1)),
  projects: [
    project('unit', [
      '*.test.ts',
      'boundary/**/*.test.ts',
      'domain/**/*.test.ts',
      'plans/**/*.test.ts',
      'feeds/**/*.test.ts',
      'simulator/**/*.test.ts',
      'scripts/**/*.test.ts',
      'workflows/bundle.test.ts',
      'workflows/replay.test.ts',
    ]),
    project('store', ['store/**/*.test.ts', 'activities/**/*.test.ts', 'faults/**/*.test.ts', 'ops/**/*.test.ts']),
    project('workflows', ['workflows/**/*.test.ts'], { testPathIgnorePatterns: ['workflows/(bundle|replay)[.]test'] }),
    project('api', ['api/**/*.test.ts']),
    project('web', ['web/**/*.test.ts']),
    // Whole processes on a clock that runs fast: `npm test` gives them the machine to themselves, after the others.
    project('system', ['workers/**/*.test.ts', 'e2e/**/*.test.ts', 'chaos/**/*.test.ts', 'telemetry/**/*.test.ts']),
  ],
};
