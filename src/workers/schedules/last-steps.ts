// The activity whose success counts as that of a Schedule's run (docs/runbook.md, Schedules late).
import { PERIODIC } from './table';

const keyOf = (workflow: string, activity: string): string => `${workflow} ${activity}`;
const SCHEDULES = new Map(
  Object.entries(PERIODIC).flatMap(([scheduleId, { workflow, lastStep }]) =>
    lastStep ? [[keyOf(workflow, lastStep), scheduleId]] : [],
  ),
);

/** Null: the success of this activity is not that of a Schedule. */
export const scheduleDoneBy = (workflow: string, activity: string): string | null =>
  SCHEDULES.get(keyOf(workflow, activity)) ?? null;
