import { afterwards, stopSignal } from '../../src/process/stop-signal';

test('the first signal orders a drain, the second one ends the process at once', () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const before = process.listeners('SIGTERM');
  const interrupts = process.listeners('SIGINT');
  const stop = stopSignal();
  try {
    expect(stop.aborted).toBe(false);
    process.emit('SIGTERM');
    expect([stop.aborted, stop.reason, exit.mock.calls]).toEqual([true, 'SIGTERM', []]);
    process.emit('SIGINT');
    expect(exit).toHaveBeenCalledWith(130);
    process.emit('SIGTERM');
    expect(exit).toHaveBeenCalledWith(143);
  } finally {
    for (const listener of process.listeners('SIGTERM'))
      if (!before.includes(listener)) process.off('SIGTERM', listener);
    for (const listener of process.listeners('SIGINT'))
      if (!interrupts.includes(listener)) process.off('SIGINT', listener);
    exit.mockRestore();
  }
});

test('a delayed stop comes later with the same reason; without a delay it is the stop itself', async () => {
  const stop = new AbortController();
  const later = afterwards(stop.signal, 5);
  expect(afterwards(stop.signal, 0)).toBe(stop.signal);
  const order: string[] = [];
  const ended = new Promise((resolve) => later.addEventListener('abort', resolve, { once: true }));
  later.addEventListener('abort', () => order.push('later'));
  stop.signal.addEventListener('abort', () => order.push('stop'));
  stop.abort('SIGTERM');
  expect([later.aborted, order]).toEqual([false, ['stop']]);
  await ended;
  expect([later.reason, order]).toEqual(['SIGTERM', ['stop', 'later']]);
});
