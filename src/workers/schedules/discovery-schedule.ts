// The Schedule of discovery. A run that its tick finds under way is made up for as soon as that one ends, and a run that failed is repeated
// soon: between two lists that were read, races appear that are not polled.
import { type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { QUEUES } from '../../workflows/contract';

/** Wall. The next tick is made up for when the last attempt has ended. */
const REPEATED = { initialInterval: '30s', backoffCoefficient: 2, maximumInterval: '4m', maximumAttempts: 5 } as const;

export const discoverySchedule = (spec: ScheduleOptions['spec']): ScheduleOptions => ({
  scheduleId: 'meeting-discovery',
  state: {
    note: "Reads every book's list of today and tomorrow, and starts workflows for what is new. Paused: no new race appears.",
  },
  spec,
  action: {
    type: 'startWorkflow',
    workflowType: 'discoverMeetings',
    workflowId: 'meeting-discovery',
    taskQueue: QUEUES.workflows,
    args: [],
    retry: REPEATED,
  },
  policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: '15m', pauseOnFailure: false },
});
