// Around every activity of this process: a trace, a quick hand-over when the worker stops, and the success of a
// Schedule's work. What the activity returns or throws otherwise passes unchanged.

import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { activityAttributes } from '../activities/activity-context';
import { workerStops } from '../activities/wait';
import { scheduleDoneBy } from './schedules/last-steps';

const tracer = trace.getTracer('racing-odds/activities');

/** They run for hours: each of their polls is a trace instead. */
const WITHOUT_TRACE: ReadonlySet<string> = new Set(['pollLive', 'streamExchange']);

/** `succeeded` gets the Schedule whose work is done; the activity waits for it, and it never rejects. */
export const aroundActivities =
  (succeeded: (scheduleId: string) => Promise<void>) =>
  (context: Context): ActivityInterceptors => ({
    inbound: {
      execute: async (input, next) => {
        const { activityType, workflowType } = context.info;
        const run = () => handedOver(context, () => next(input));
        const result = await (WITHOUT_TRACE.has(activityType) ? run() : traced(`activity ${activityType}`, run));
        const scheduleId = workflowType && scheduleDoneBy(workflowType, activityType);
        if (scheduleId) await succeeded(scheduleId);
        return result;
      },
    },
  });

/** Without this the attempt would wait for its whole retry interval, or its timeout, on a worker that is gone. */
async function handedOver<T>(context: Context, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!context.cancellationDetails?.workerShutdown) throw error;
    throw error instanceof ApplicationFailure && error.type === 'WorkerShutdown' ? error : workerStops();
  }
}

const traced = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, { root: true, attributes: activityAttributes() }, async (span) => {
    try {
      return await run();
    } catch (error) {
      if (!isExpected(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
      throw error;
    } finally {
      span.end();
    }
  });

const isExpected = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN;
