// An outage has one page, of its cause: what follows from it is left out of other rules by these.
const away = (job) => `absent(up{job="racing-odds-${job}"} == 1)`;

/** Conditions that are alerts of their own. */
export const NO_API = away('api');
export const NO_WORKER = away('worker');
export const SERVER_AWAY = 'max by (need) (racing_ready) == 0';
export const SERVER_SLOW = 'min by (need) (racing_answer_time) > 1';

export const unlessAway = (expr, ...causes) =>
  [`(${expr})`, ...causes.map((cause) => `unless on () (${cause})`)].join('\n  ');
