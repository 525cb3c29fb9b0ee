// The Schedule of the ledger. Wall time, in UTC, as the months of credits are (D37).
import { type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { QUEUES } from '../../workflows/contract';

export const CLOSE_CREDITS: ScheduleOptions = {
  scheduleId: 'close-credits',
  state: {
    note: 'Audits the credits, and turns months of the ledger older than 13 months into sums. Paused: the ledger grows.',
  },
  spec: { calendars: [{ dayOfMonth: 2, hour: 3 }] },
  action: {
    type: 'startWorkflow',
    workflowType: 'closeCredits',
    workflowId: 'close-credits',
    taskQueue: QUEUES.workflows,
    args: [],
  },
  // One missed run is made up for, however long the stack was down: each makes up for all before it.
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '27d', pauseOnFailure: false },
};
