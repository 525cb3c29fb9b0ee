// The clock of the simulated world, kept between starts: it runs `speed` times as fast as real time from an anchor, all
// processes share that anchor, and it never goes back, even if the speed changes or the stack was stopped for a day.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const worldTime = ({ anchorMs, speed }, nowMs) => anchorMs + (nowMs - anchorMs) * speed;

// While the stack is stopped the world stands still, unless real time overtakes it. At speed 1 the world is real time.
export function resumeClock(previous, speed, nowMs) {
  if (speed === 1) return { anchorMs: nowMs, speed };
  const resumedMs = Math.max(nowMs, previous ? worldTime(previous, previous.stoppedAtMs ?? nowMs) : nowMs);
  return { anchorMs: Math.round((resumedMs - nowMs * speed) / (1 - speed)), speed };
}

const fileOf = (instance) => join(instance.folder, 'clock.json');

export function openClock(instance, speed) {
  const clock = resumeClock(readClock(instance), speed, Date.now());
  const save = (more) => writeFileSync(fileOf(instance), JSON.stringify({ ...clock, ...more }));
  save({});
  return { ...clock, stop: () => save({ stoppedAtMs: Date.now() }) };
}

export function readClock(instance) {
  try {
    return JSON.parse(readFileSync(fileOf(instance), 'utf8'));
  } catch {
    return null;
  }
}

// A real clock needs no anchor, and an anchor from the environment is used unchanged.
export function clockEnvironment({ anchorMs, speed }, env) {
  const anchor = speed === 1 ? {} : { CLOCK_ANCHOR: new Date(anchorMs).toISOString() };
  return { CLOCK_SPEED: String(speed), ...(env.CLOCK_ANCHOR ? {} : anchor) };
}
