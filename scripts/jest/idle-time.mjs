// How much of the processors' time nothing used, in parts of a run: whether it lacks processors, or work for them.
import { cpus } from 'node:os';

/** Returns what ends a part: a line about it, and the next part begins. */
export function watchIdleTime({ now = Date.now, timesOf = machineTimes } = {}) {
  let began = { atMs: now(), ...timesOf() };
  return () => {
    const ended = { atMs: now(), ...timesOf() };
    const share = (ended.idle - began.idle) / Math.max(1, ended.all - began.all);
    const line = `${Math.round((ended.atMs - began.atMs) / 1000)} s with ${Math.round(share * 100)} % idle`;
    began = ended;
    return line;
  };
}

/** In milliseconds, of all processors together. */
function machineTimes() {
  const times = cpus().map((each) => each.times);
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}
