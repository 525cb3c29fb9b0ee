// The service's race clock in the browser: countdowns, ages and charts run on it, not on the visitor's. A page that
// does not carry it has nothing of a race, and the visitor's clock.
const { now = Date.now(), speed = 1 } = document.documentElement.dataset;
const clock = { raceMs: Number(now), at: performance.now(), wallAt: Date.now() };
// While the machine sleeps the browser's own counter may stand still, and the visitor's clock does not: ages must go
// on.
const elapsed = () => Math.max(performance.now() - clock.at, Date.now() - clock.wallAt);
const raceNow = () => clock.raceMs + elapsed() * Number(speed);

export const raceClock = {
  speed: Number(speed),
  /** Race time in epoch milliseconds. */
  now: raceNow,
  /** To the time of a response. Small differences are its travel time and are ignored: the seconds would stutter. */
  set(raceMs) {
    if (!raceMs || Math.abs(raceMs - raceNow()) < 750 * Number(speed)) return;
    clock.raceMs = raceMs;
    clock.at = performance.now();
    clock.wallAt = Date.now();
  },
};
