// The time-skipping server leaves locks of its clock behind on a busy machine: a test then never ends.
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { InternalConnectionOptionsSymbol } from '@temporalio/client/lib/connection';
import { openTimeSkipping } from '../support/servers/time-skipping';
import { DAY } from './harness';

test('time skips again when locks are left behind', async () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { env, close } = await openTimeSkipping(200);
  const options = {
    address: env.address,
    connectTimeout: '1m',
    [InternalConnectionOptionsSymbol]: { supportsTestService: true },
  };
  const other = await Connection.connect(options as ConnectionOptions);
  try {
    for (let n = 0; n < 2; n += 1) await other.testService!.lockTimeSkipping({});
    const beganMs = await env.currentTimeMs();
    await env.sleep(DAY);
    expect((await env.currentTimeMs()) - beganMs).toBeGreaterThanOrEqual(DAY);
    expect(warned).toHaveBeenCalledTimes(2);
  } finally {
    warned.mockRestore();
    await other.close();
    await close();
  }
});
