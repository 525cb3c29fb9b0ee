import { type Running, runTogether } from '../../src/workers/run-together';

/** A worker that behaves like the SDK's: `run` lasts until it is shut down and has drained, or fails. */
function worker() {
  let state: ReturnType<Running['getState']> = 'INITIALIZED';
  let end: { resolve(): void; reject(error: Error): void };
  return {
    getState: () => state,
    run: () => {
      state = 'RUNNING';
      return new Promise<void>((resolve, reject) => {
        end = { resolve, reject };
      });
    },
    shutdown: () => {
      if (state !== 'RUNNING') throw new Error(`not running: ${state}`);
      state = 'DRAINING';
    },
    drained: () => {
      state = 'STOPPED';
      end.resolve();
    },
    fails: (message: string) => {
      state = 'FAILED';
      end.reject(new Error(message));
    },
  } satisfies Running & Record<string, unknown>;
}

const turns = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

test('a worker that fails makes the others drain, and the process ends only when they have', async () => {
  const io = worker();
  const poll = worker();
  let ended: unknown = 'not yet';
  const running = runTogether(
    new Map([
      ['io', io],
      ['poll', poll],
    ]),
    new AbortController().signal,
  );
  running.catch((error) => {
    ended = error.message;
  });
  io.fails('the grace period expired');
  await turns();
  expect([poll.getState(), ended]).toEqual(['DRAINING', 'not yet']);
  poll.drained();
  await expect(running).rejects.toThrow('the io worker failed: the grace period expired');
});

test('a worker that ends without an order counts as a failure too', async () => {
  const io = worker();
  const running = runTogether(new Map([['io', io]]), new AbortController().signal);
  io.drained();
  await expect(running).rejects.toThrow('the io worker stopped by itself');
});

test('a stop drains all workers; one that does not drain in time is the outcome', async () => {
  const io = worker();
  const poll = worker();
  const stop = new AbortController();
  const running = runTogether(
    new Map([
      ['io', io],
      ['poll', poll],
    ]),
    stop.signal,
  );
  stop.abort();
  expect([io.getState(), poll.getState()]).toEqual(['DRAINING', 'DRAINING']);
  poll.drained();
  io.fails('the grace period expired');
  await expect(running).rejects.toThrow('the io worker failed');
});

test('a stop before the workers run ends them at once', async () => {
  const io = worker();
  const running = runTogether(new Map([['io', io]]), AbortSignal.abort());
  expect(io.getState()).toBe('DRAINING');
  io.drained();
  await expect(running).resolves.toBeUndefined();
});
