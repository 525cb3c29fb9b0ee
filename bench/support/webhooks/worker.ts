// What a worker with the role `webhooks` does beside Temporal, in a process of its own: fan-out and lanes, without
// retries.
import { type ChildProcess, fork } from 'node:child_process';
import { createLog } from '../../../src/log';
import { plansWith } from '../../../src/plans/rights';
import { createPool } from '../../../src/store/pg/pool';
import { createDeliveryStore } from '../../../src/store/webhooks/deliveries';
import { startFanOut } from '../../../src/webhooks/fan-out-loop';
import { startLanes } from '../../../src/webhooks/lanes';
import { createSender } from '../../../src/webhooks/send';
import { nextMessage } from '../child-reply';

export async function startWebhookWorker(databaseUrl: string, slots = 500): Promise<ChildProcess> {
  const child = fork(__filename, ['deliver', databaseUrl, String(slots)], { execArgv: ['--import', 'tsx'] });
  await nextMessage(child);
  return child;
}

function deliver(databaseUrl: string, slots: number): void {
  const deliveries = createDeliveryStore(createPool(databaseUrl, 10));
  const sender = createSender({ allowLoopback: true, allowHttp: true, elapsedMs: () => performance.now() });
  const log = createLog('bench', 'warn');
  const common = { deliveries, plans: plansWith('webhooks'), wallMs: Date.now, log };
  const lanes = startLanes({ ...common, sender, slots, random: Math.random, retry: () => undefined });
  startFanOut({ ...common, made: lanes.ring });
  process.send!('ready');
}

if (process.argv[2] === 'deliver') deliver(process.argv[3]!, Number(process.argv[4]));
