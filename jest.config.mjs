// One project per kind of test (see docs/testing.md). `unit` and `guard` need no server; the others need the stack that `npm test` starts.
const common = {
  testEnvironment: 'node',
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }] },
  transformIgnorePatterns: ['/node_modules/(?!(idiomorph|ghtml)/)'],
};
const project = (displayName, folders, more = {}) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/test/${folder}`),
  ...more,
});

export default {
  projects: [
    project('unit', ['*.test.ts', 'domain/**/*.test.ts', 'plans/**/*.test.ts', 'feeds/**/*.test.ts', 'simulator/**/*.test.ts', 'scripts/**/*.test.ts', 'workflows/bundle.test.ts', 'workflows/replay.test.ts']),
    project('store', ['store/**/*.test.ts', 'activities/**/*.test.ts']),
    project('workflows', ['workflows/race*.test.ts', 'workflows/discover*.test.ts', 'workers/**/*.test.ts']),
    project('api', ['api/**/*.test.ts']),
    project('web', ['web/**/*.test.ts']),
    project('e2e', ['e2e/**/*.test.ts']),
  ],
};
