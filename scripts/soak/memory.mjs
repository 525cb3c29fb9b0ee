// Evaluates the memory of each program of a running service: limits, slope, table. Pure; memory-soak.mjs takes the
// samples.
export const PROGRAMS = ['worker', 'simulator', 'api'];
/** For all programs together. */
export const MOST_MB = 900;
/** For each program, from the middle of the soak on, per hour. */
export const MOST_SLOPE = 0.02;

const MINUTES_AN_HOUR = 60;

/**
 * A sample: `{ minute, programs: { worker: { residentMb, keptMb, heapMb }, … }, together }`, `together` is null if
 * shared pages are unknown. Returns the fraction by which `measure` grows in an hour, by least squares.
 */
export function slopeOf(samples, program, measure) {
  const points = samples.map(({ minute, programs }) => [minute / MINUTES_AN_HOUR, programs[program][measure]]);
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [hour]) => sum + (hour - x) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, [hour, mb]) => sum + (hour - x) * (mb - y), 0) / spread / y;
}

const fromTheMiddle = (samples, minutes) => samples.filter(({ minute }) => minute >= minutes / 2);
const sumOf = ({ programs }) => PROGRAMS.reduce((sum, name) => sum + programs[name].residentMb, 0);
const togetherOf = (sample) => sample.together ?? sumOf(sample);

/** The exceeded limits, one sentence each; none: the soak has passed. */
export function findingsOf(samples, minutes) {
  const late = fromTheMiddle(samples, minutes);
  if (late.length < 3) return ['Fewer than three samples are from the second half: soak for longer.'];
  const most = Math.max(...late.map(togetherOf));
  const size = most < MOST_MB ? [] : [`Together they took ${Math.round(most)} MB; the bound is ${MOST_MB} MB.`];
  const growth = PROGRAMS.flatMap((program) =>
    ['keptMb', 'heapMb'].flatMap((measure) => {
      const slope = slopeOf(late, program, measure);
      if (slope < MOST_SLOPE) return [];
      return [
        `The ${measure === 'heapMb' ? 'heap' : 'resident memory'} of the ${program} grows by ${percent(slope)} an hour.`,
      ];
    }),
  );
  return [...size, ...growth];
}

const percent = (fraction) => `${(fraction * 100).toFixed(1)} %`;

/** The newest sample, and the slopes once the second half has two samples. */
export function tableOf(samples, minutes) {
  const { minute, programs } = samples.at(-1);
  const late = fromTheMiddle(samples, minutes);
  const slope = (name, measure) => (late.length < 2 ? '' : percent(slopeOf(late, name, measure)));
  const line = (...cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(10) : cell.padStart(14))).join('');
  const rows = PROGRAMS.map((name) => {
    const { residentMb, keptMb, heapMb } = programs[name];
    return line(name, mb(residentMb), mb(keptMb), slope(name, 'keptMb'), mb(heapMb), slope(name, 'heapMb'));
  });
  const head = line('', 'resident', 'kept', 'an hour', 'heap', 'an hour');
  return [`After ${Math.round(minute)} minutes:`, head, ...rows, line('together', mb(togetherOf(samples.at(-1))))].join(
    '\n',
  );
}

const mb = (value) => `${Math.round(value)} MB`;
