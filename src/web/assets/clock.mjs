// The service's race clock in the browser: countdowns, ages and charts run on it, not on the visitor's.
const { now, speed } = document.documentElement.dataset;
const clock = { raceMs: Number(now), at: performance.now() };
const raceNow = () => clock.raceMs + (performance.now() - clock.at) * Number(speed);

export const raceClock = {
  speed: Number(speed),
  /** Race time in epoch milliseconds. */
  now: raceNow,
  /** To the time of a response. Small differences are its travel time and are ignored: the seconds would stutter. */
  set(raceMs) {
    if (!raceMs || Math.abs(raceMs - raceNow()) < 750 * Number(speed)) return;
    clock.raceMs = raceMs;
    clock.at = performance.now();
  },
};
