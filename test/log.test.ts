// What operators read: one JSON line per event, in which an error has its cause, under any key.
import { createLog } from '../src/log';
import { runtimeLog } from '../src/workers/runtime-log';

function linesOf(write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog('test', 'info', undefined, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

const failure = () => new Error('the list was not read', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });

test('an error has its message, its stack and its cause under any key', () => {
  const [line] = linesOf((log) => log.warn({ error: failure(), err: failure(), region: 'NSW' }, 'not read'));
  for (const written of [line.error, line.err]) {
    expect(written).toMatchObject({
      type: 'Error',
      message: 'the list was not read: connect ECONNREFUSED 127.0.0.1:9',
    });
    expect(written.stack).toContain('log.test.ts');
  }
  expect(line).toMatchObject({ level: 40, region: 'NSW', msg: 'not read' });
});

test('an error of a workflow, which comes from another thread, keeps its cause', () => {
  const [line] = linesOf((log) => runtimeLog(log).warn('not read', { error: structuredClone(failure()) }));
  expect(line.error.message).toBe('the list was not read: connect ECONNREFUSED 127.0.0.1:9');
});

test('secrets are left out of the log', () => {
  const [line] = linesOf((log) => log.warn({ config: { password: 'p', apiKey: 'k', host: 'h' } }, 'x'));
  expect(line.config).toEqual({ host: 'h' });
});
