// Alerts for a Schedule whose work has not succeeded for several of its intervals, whatever the reason: it is paused,
// its runs fail, or no worker takes them. The limit of every Schedule is here.
import { SERVER_AWAY, unlessAway } from './causes.mjs';
import { DAY, HOUR, MINUTE } from './durations.mjs';

/**
 * By the limit in seconds. Schedules that keep races and deliveries going page; the others can wait for working hours.
 */
export const PAGED = new Map([
  [10 * MINUTE, ['backfill-sweep', 'race-sweep', 'registry-gates', 'webhook-sweep']],
  [20 * MINUTE, ['meeting-discovery']],
]);
export const TICKETED = new Map([
  [20 * MINUTE, ['sports-feed', 'uptime-probe']],
  [HOUR, ['audit-quality', 'registry-join']],
  [5 * HOUR, ['archive-past', 'audit-credits', 'bulk-files', 'fill-runs', 'premierships', 'run-history']],
  [7 * HOUR, ['collect-results', 'registry-state']],
  [2 * DAY, ['check-betslip-links']],
  [33 * DAY, ['close-credits']],
]);

const lateIn = (bounds) =>
  [...bounds]
    .map(([seconds, ids]) => `max by (schedule) (racing_schedule_age{schedule=~"${ids.join('|')}"}) > ${seconds}`)
    .join('\n  or ');

export const SCHEDULES = [
  {
    alert: 'SweepsLate',
    expr: () => unlessAway(lateIn(PAGED), SERVER_AWAY),
    for: MINUTE,
    severity: 'page',
    summary: 'the work of {{ $labels.schedule }} has not succeeded for {{ $value | humanizeDuration }}',
    section: 'schedules-late',
  },
  {
    alert: 'SchedulesLate',
    expr: () => unlessAway(lateIn(TICKETED), SERVER_AWAY),
    for: MINUTE,
    severity: 'ticket',
    summary: 'the work of {{ $labels.schedule }} has not succeeded for {{ $value | humanizeDuration }}',
  },
];
