import { orStopped, reasonOf, StartProblem, untilReady } from '../../src/process/until-ready';

function patience(withinMs: number) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const log = { warn: say, info: say } as never;
  const stop = new AbortController();
  return { lines, stop, patience: { log, stop: stop.signal, withinMs, random: () => 0 } };
}

test('a step is repeated until it succeeds, which two lines report', async () => {
  const { lines, patience: given } = patience(60_000);
  let calls = 0;
  const step = async () => {
    calls += 1;
    if (calls < 3) throw new Error('connect ECONNREFUSED');
    return 'ready';
  };
  expect(await untilReady('Temporal at x:1', step, given)).toBe('ready');
  expect(calls).toBe(3);
  expect(lines).toEqual([
    'waiting for Temporal at x:1: connect ECONNREFUSED; trying again for 60 s',
    'no longer waiting for Temporal at x:1',
  ]);
});

test('a step that succeeds at once gets no line', async () => {
  const { lines, patience: given } = patience(60_000);
  expect(await untilReady('x', async () => 1, given)).toBe(1);
  expect(lines).toEqual([]);
});

test('it gives up with a sentence, even if the step never ends', async () => {
  const fails = () => Promise.reject(new Error('refused'));
  await expect(untilReady('the database', fails, patience(50).patience)).rejects.toMatchObject({
    name: 'StartProblem',
    message: 'the database did not become ready within 0 s: refused',
  });
  const hangs = () => new Promise<never>(() => undefined);
  await expect(untilReady('x', hangs, patience(50).patience)).rejects.toThrow(
    'x did not become ready within 0 s: no answer',
  );
  let calls = 0;
  const refusedThenHangs = () => (calls++ === 0 ? Promise.reject(new Error('wrong password')) : hangs());
  await expect(untilReady('x', refusedThenHangs, patience(300).patience)).rejects.toThrow(/: wrong password$/);
  const problem = () => Promise.reject(new StartProblem('there is no namespace x'));
  await expect(untilReady('x', problem, patience(50).patience)).rejects.toThrow(/^there is no namespace x$/);
});

test('a stop ends the wait with its reason, during a step and between two', async () => {
  const during = patience(60_000);
  const waiting = untilReady('x', () => new Promise<never>(() => undefined), during.patience);
  during.stop.abort('SIGTERM');
  await expect(waiting).rejects.toBe('SIGTERM');

  const between = patience(60_000);
  const said = new Promise<void>((resolve) => {
    between.patience.log = { warn: resolve } as never;
  });
  const pausing = untilReady('x', () => Promise.reject(new Error('refused')), between.patience);
  void said.then(() => between.stop.abort('SIGTERM'));
  await expect(pausing).rejects.toBe('SIGTERM');
  await expect(orStopped(Promise.resolve(1), between.stop.signal)).rejects.toBe('SIGTERM');
});

test.each([
  [
    'tonic::transport::Error(Transport, ConnectError("tcp", Os { code: 111, message: "Connection refused" }))',
    'Connection refused',
  ],
  ['two\n  lines', 'two lines'],
])('the reason is one line: %s', (message, line) => {
  expect(reasonOf(new Error(message))).toBe(line);
});

test('the reason for a failed server call is its details, and for an empty error its code', () => {
  expect(reasonOf(Object.assign(new Error('14 UNAVAILABLE: x'), { details: 'No connection established' }))).toBe(
    'No connection established',
  );
  expect(reasonOf(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
});
