// The Schedule of the feed of sports. One run at a time goes from round to round; an interval that passes while it runs is skipped.
import { type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { QUEUES } from '../../workflows/contract';

export const sportsSchedule = (spec: ScheduleOptions['spec']): ScheduleOptions => ({
  scheduleId: 'sports-feed',
  state: {
    note: 'Polls the feed of sports, the nearest start first, as far as its credits allow. Paused: its prices become stale.',
  },
  spec,
  action: {
    type: 'startWorkflow',
    workflowType: 'pollSports',
    workflowId: 'sports-feed',
    taskQueue: QUEUES.workflows,
    args: [],
  },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
});
