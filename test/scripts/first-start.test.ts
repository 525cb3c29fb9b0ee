// The measured table of first starts, from lines as `npm start` prints them: a changed line fails here, instead of
// producing a table without figures.

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
type Steps = Record<string, number>;
const { stepsOf, tableOf } = require('../../scripts/first-start/steps.mjs') as {
  stepsOf(lines: readonly { text: string; ms: number }[]): Steps;
  tableOf(runs: Record<string, readonly Steps[]>): string[];
};
const { createProgress, barOf } = require('../../scripts/command/progress.mjs') as {
  createProgress(write: (line: string) => void): {
    note(line: string): void;
    step(title: string, work: (measured: (howFar: () => unknown) => void) => Promise<unknown>): Promise<unknown>;
  };
  barOf(far: { done: number; total?: number; unit: string }): string;
};
const { Kept, Missing } = require('../../scripts/command/outcome.mjs') as Record<
  'Kept' | 'Missing',
  new (
    text: string,
  ) => object
>;

test('every finished step is a figure, by the lines of the progress itself, and readiness comes last', async () => {
  const lines: string[] = [];
  const progress = createProgress((line) => lines.push(line));
  progress.note('Redis: a local process');
  await progress.step('Redis is up', () => delay(1));
  await progress.step('The past is there', async () => new Kept('as it was'));
  await progress.step('The hour is there', async () => new Missing('a list failed'));
  lines.push('  Ready after 12 s.', '  ✓ Three past days are archived (9.0 s)');
  const steps = stepsOf(lines.map((text, n) => ({ text, ms: n * 1000 })));
  expect(Object.keys(steps)).toEqual(['Redis is up', 'The past is there', 'The hour is there', 'Ready']);
  expect(steps['Redis is up']).toBeGreaterThanOrEqual(0);
  expect(steps.Ready).toBe(lines.indexOf('  Ready after 12 s.'));
});

test('a start that never became ready gives no figure', () => {
  expect(() => stepsOf([{ text: '  ✓ Redis is up (0.2 s)', ms: 1 }])).toThrow(/never was ready:\n {2}✓ Redis/);
});

test('a column for each way to start, a row for each step of any: the median with its minimum and maximum', () => {
  const runs = {
    empty: [
      { npm: 30, Ready: 90 },
      { npm: 26, Ready: 80 },
      { npm: 9.4, Ready: 130 },
    ],
    kept: [{ up: 1.25, Ready: 11 }],
  };
  expect(tableOf(runs)).toEqual([
    '| seconds | empty | kept |',
    '| --- | --- | --- |',
    '| npm | 26 (9.4 to 30) |  |',
    '| up |  | 1.3 |',
    '| Ready | 90 (80 to 130) | 11 |',
  ]);
});

test('a bar is full only when everything is done, and an unknown total has no bar', () => {
  expect(barOf({ done: 0, total: 44, unit: 'MB' })).toBe(`${'░'.repeat(20)} 0 of 44 MB`);
  expect(barOf({ done: 43.9, total: 44, unit: 'MB' })).toBe(`${'█'.repeat(19)}░ 44 of 44 MB`);
  expect(barOf({ done: 700, total: 500, unit: 'MB' })).toBe(`${'█'.repeat(20)} 500 of 500 MB`);
  expect(barOf({ done: 12.3, unit: 'MB' })).toBe('12 MB');
});

test('a step that cannot report its progress still has its line, and continues', async () => {
  jest.useFakeTimers();
  try {
    const lines: string[] = [];
    const step = createProgress((line) => lines.push(line)).step('It is there', async (measured) => {
      measured(() => {
        throw new Error('the folder is gone');
      });
      await delay(15_000);
    });
    await jest.advanceTimersByTimeAsync(15_000);
    await step;
    expect(lines).toEqual(['  … It is there', '  … It is there: 10 s so far', '  ✓ It is there (15 s)']);
  } finally {
    jest.useRealTimers();
  }
});
