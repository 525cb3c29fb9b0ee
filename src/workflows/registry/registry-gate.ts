// Runs as long as a registry refuses us. It alone probes the registry: in one activity that fails without an event
// until a page is read, so that weeks behind a wall leave a short history. An operator opens the door with `forceOpen`.
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { forceOpen, QUEUES } from '../contract';
import { showWork } from '../search-attributes';

/** A probe waits for the page that is being read. It chooses the interval of its attempts. */
const { probeRegistry } = proxyActivities<Pick<Activities, 'probeRegistry'>>({
  taskQueue: QUEUES.forms,
  startToCloseTimeout: '2m',
  retry: { initialInterval: '1m', backoffCoefficient: 2, maximumInterval: '1h' },
});

const { openRegistry, startGates } = proxyActivities<Pick<Activities, 'openRegistry' | 'startGates'>>({
  taskQueue: QUEUES.forms,
  startToCloseTimeout: '20s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export async function registryGate(registry: string): Promise<void> {
  let opening = false;
  const probing = new CancellationScope();
  setHandler(
    forceOpen,
    async ({ reason }) => {
      opening = true;
      await openRegistry.executeWithOptions({ summary: reason }, [{ registry, reason }]);
      probing.cancel();
    },
    {
      validator: ({ reason }) => {
        if (opening) throw new Error('the door is being opened already');
        if (reason.trim() === '') throw new Error('a reason is needed: it is stored with the door');
      },
    },
  );
  showWork('walled');
  setCurrentDetails(
    `**${registry}** refuses us: nothing but this workflow's probe is read there. The pending activity shows what it answered last and ` +
      'when it is probed again. The update `forceOpen` opens the door at once.',
  );
  try {
    await probing.run(() => probeRegistry.executeWithOptions({ summary: `one page of ${registry}` }, [registry]));
  } catch (error) {
    if (!isCancellation(error) || !opening) throw error;
  }
  await condition(allHandlersFinished);
  showWork('open');
  setCurrentDetails(`**${registry}** is read again.`);
}

/** Started by a Schedule, which makes up for a lost start. */
export async function sweepGates(): Promise<void> {
  await startGates();
}
