import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const session = join(__dirname, '../../../scripts/command/session.mjs');
const problem = join(__dirname, '../../../scripts/command/problem.mjs');

// A separate program, because a session owns the signals and the exit code of its process.
async function runProgram(body: string, signal?: NodeJS.Signals) {
  const source = `
    import { runSession, whenAborted } from ${JSON.stringify(session)};
    import { Problem } from ${JSON.stringify(problem)};
    await runSession(async ({ signal, onEnd }) => { ${body} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
  const output = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    output.out += data;
  });
  if (signal) child.stdout.once('data', () => child.kill(signal));
  child.stderr.on('data', (data) => {
    output.err += data;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}

const undoTwo = `onEnd(() => console.log('first')); onEnd(async () => console.log('second'));`;

test('a failure is undone, newest first, and reported last, in one sentence', async () => {
  const { code, out, err } = await runProgram(`${undoTwo} throw new Problem('No room left.', 4);`);
  expect({ code, out, err }).toEqual({ code: 4, out: 'second\nfirst\n', err: '\nNo room left.\n' });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s undoes everything and ends in %d', async (signal, exitCode) => {
  const { code, out } = await runProgram(
    `${undoTwo} setInterval(() => {}, 1000).unref(); console.log('up'); const hold = setTimeout(() => {}, 60000); await whenAborted(signal).finally(() => clearTimeout(hold));`,
    signal,
  );
  expect({ code, out }).toEqual({ code: exitCode, out: 'up\nsecond\nfirst\n' });
});

test('a full disk is reported in one sentence', async () => {
  const { code, err } = await runProgram(`throw Object.assign(new Error('x'), { code: 'ENOSPC', path: '/data' });`);
  expect(code).toBe(1);
  expect(err).toBe('\nThe disk is full (/data): free some space and start again.\n');
});

test('no script has a statement after its session, which ends the process', () => {
  const folder = join(__dirname, '../../../scripts');
  const late = readdirSync(folder).flatMap((name) => {
    if (!name.endsWith('.mjs')) return [];
    const { body } = parseSync(readFileSync(join(folder, name), 'utf8'), { syntax: 'ecmascript' });
    const runs = body.findIndex(
      (one) => one.type === 'ExpressionStatement' && one.expression.type === 'AwaitExpression',
    );
    const after = runs < 0 ? [] : body.slice(runs + 1);
    return after.some(({ type }) => !/Declaration$/.test(type)) ? [name] : [];
  });
  expect(late).toEqual([]);
});
