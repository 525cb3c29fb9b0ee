// The table that the drill prints: a row for each step, with its time and how much it wrote.

/** @typedef {{ bytes?: number, of?: number, rows?: number }} Size The figures that apply to the step. */

/**
 * `of`: the size of the whole database, before compression.
 * @param {({ step: string, ms: number } & Size)[]} steps
 */
export const tableOf = (steps) => [
  '| step | seconds | size |',
  '|---|---|---|',
  ...steps.map(({ step, ms, ...size }) => `| ${step} | ${shown(ms / 1000)} | ${sizeOf(size)} |`),
];

const shown = (figure) => figure.toFixed(figure < 10 ? 1 : 0);
const megabytes = (bytes) => `${shown(bytes / 1e6)} MB`;

/** @param {Size} size */
function sizeOf({ rows, bytes, of }) {
  if (rows !== undefined) return `${rows.toLocaleString('en')} rows`;
  if (bytes === undefined) return '';
  return of === undefined ? megabytes(bytes) : `${megabytes(bytes)} for ${megabytes(of)}`;
}
