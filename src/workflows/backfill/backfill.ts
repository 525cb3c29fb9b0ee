// One backfill job (D50 to D52). The database has what is collected and charged: this workflow keeps one activity at it
// until nothing of the job is queued. While it waits, the activity fails without an event; `hasten` only cuts the wait
// short.
import {
  ActivityCancellationType,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Collected } from '../../activities/backfill/collect-horses';
import type { Activities } from '../../activities/index';
import { type BackfillInput, type BackfillWorkStatus, hasten, QUEUES } from '../contract';
import { showWork } from '../search-attributes';

/**
 * An attempt ends after 20 s, so that the jobs share the slots, and sets the delay to the next. A hastened attempt may
 * end beside the next: leases and rows decide.
 */
const { collectHorses } = proxyActivities<Pick<Activities, 'collectHorses'>>({
  taskQueue: QUEUES.backfill,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '20s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '5s', backoffCoefficient: 1 },
});

const HORSES_A_RUN = 100;

const WAITS_FOR: Readonly<Record<BackfillWorkStatus, string>> = {
  running: 'Its horses are collected in turn with those of other accounts.',
  blocked: 'The account has less than 3 credits: it goes on by itself after a top-up, an upgrade or the 1st.',
  paused: 'The registry requested a pause.',
  walled: 'The registry refuses us: its gate probes it, and the job goes on by itself.',
};

export async function backfill(input: BackfillInput): Promise<void> {
  const { jobId } = input;
  let shown: BackfillWorkStatus = 'running';
  let hastened = false;
  let waiting: CancellationScope | null = null;
  setHandler(hasten, () => {
    if (shown === 'running' || hastened) return;
    hastened = true;
    waiting?.cancel();
  });
  const show = (status: BackfillWorkStatus, queued: number | null): void => {
    if (status !== shown || queued === null) showWork(status);
    shown = status;
    setCurrentDetails(`${WAITS_FOR[status]}${queued === null ? '' : ` Queued: ${queued}.`}`);
  };
  const collect = async (): Promise<Collected> => {
    for (;;) {
      hastened = false;
      waiting = new CancellationScope();
      try {
        const summary = shown === 'running' ? 'horses in turn' : `waits: ${shown}`;
        return await waiting.run(() => collectHorses.executeWithOptions({ summary }, [{ jobId, shown }]));
      } catch (error) {
        if (!hastened || CancellationScope.current().consideredCancelled) throw error;
      }
    }
  };

  show('running', null);
  for (let handled = 0; handled < HORSES_A_RUN && !workflowInfo().continueAsNewSuggested; ) {
    const end = await collect();
    if (end.kind === 'complete') {
      showWork('complete');
      return;
    }
    if (end.kind === 'going') handled += end.handled;
    show(end.kind === 'going' ? 'running' : end.status, end.queued);
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof backfill>(input);
}
