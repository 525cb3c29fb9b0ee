interface Step {
  readonly env: Record<string, string>;
  readonly args: readonly string[];
}
const { soakSteps, typed } = require('../../scripts/soak.mjs') as {
  soakSteps(seed: number): readonly Step[];
  typed(step: Step): string;
};

test('a soak is properties at full count on its seed, the kill tests five times bounded in seconds, and a long fuzz', () => {
  expect(soakSteps(7).map(typed)).toEqual([
    'PROPERTY_RUNS=all PROPERTY_SEED=7 npm test',
    ...Array.from({ length: 5 }, () => 'RECOVERY_MOST_SECONDS=30 npm test -- test/chaos'),
    'npm run fuzz -- --examples 300 --seed 7',
  ]);
});
