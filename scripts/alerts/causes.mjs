// An outage pages once, for its cause: these conditions exclude its consequences from other rules.
const away = (job) => `absent(up{job="racing-odds-${job}"} == 1)`;

/** Conditions that have their own alerts. */
export const NO_API = away('api');
export const NO_WORKER = away('worker');
export const SERVER_AWAY = 'max by (need) (racing_ready) == 0';
export const SERVER_SLOW = 'min by (need) (racing_answer_time) > 1';

/** The cause lasts, or ended less than a minute ago: polls need some of it to begin again. Of real time always. */
export const lately = (cause) => `count_over_time((${cause})[1m:5s])`;

export const unlessAway = (expr, ...causes) =>
  [`(${expr})`, ...causes.map((cause) => `unless on () (${cause})`)].join('\n  ');
