import { stopSignal } from '../../src/process/stop-signal';

test('the first signal is an order to drain, the second one ends the process at once', () => {
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
