// The Schedule of the exchange's stream.
import { type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { QUEUES } from '../../workflows/contract';

/** Runs for as long as the service: the schedule restarts it if it ever ends. */
export const EXCHANGE_STREAM: ScheduleOptions = {
  scheduleId: 'exchange-stream',
  state: { note: "Keeps one worker on the exchange's stream; an interval that passes while it runs is skipped." },
  spec: { intervals: [{ every: '1m' }] },
  action: {
    type: 'startWorkflow',
    workflowType: 'exchangeStream',
    workflowId: 'exchange-stream',
    taskQueue: QUEUES.workflows,
    args: [],
  },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
};
