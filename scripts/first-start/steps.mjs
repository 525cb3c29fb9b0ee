// The output of `npm start` as figures: how long each step took, and when the service was ready.

const STEP = /^ {2}[✓✗–] (?<title>.+?) \((?<took>[\d.]+) s\)/;
const READY = /^ {2}Ready after /;

/**
 * `lines`: `{ text, ms }`, `ms` since the command began. Seconds by step, in the order in which the steps ended;
 * `Ready` is last.
 */
export function stepsOf(lines) {
  const steps = {};
  for (const { text, ms } of lines) {
    const step = STEP.exec(text)?.groups;
    if (step) steps[step.title] = Number(step.took);
    if (READY.test(text)) return { ...steps, Ready: ms / 1000 };
  }
  throw new Error(`it never was ready:\n${lines.map(({ text }) => text).join('\n')}`);
}

/**
 * `runs`: by column, the steps of each run. A row for each step that any run had: the median, with the least and the
 * most if there are several runs.
 */
export function tableOf(runs) {
  const columns = Object.keys(runs);
  const titles = [...new Set(columns.flatMap((column) => runs[column].flatMap((steps) => Object.keys(steps))))];
  const rows = [...titles.filter((title) => title !== 'Ready'), 'Ready'];
  const cell = (title, column) =>
    figure(runs[column].map((steps) => steps[title]).filter((took) => took !== undefined));
  return [
    line(['seconds', ...columns]),
    line(['---', ...columns.map(() => '---')]),
    ...rows.map((title) => line([title, ...columns.map((column) => cell(title, column))])),
  ];
}

const line = (cells) => `| ${cells.join(' | ')} |`;

function figure(seconds) {
  if (seconds.length === 0) return '';
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = shown(sorted[Math.floor(sorted.length / 2)]);
  return sorted.length === 1 ? median : `${median} (${shown(sorted[0])} to ${shown(sorted.at(-1))})`;
}

const shown = (seconds) => seconds.toFixed(seconds < 10 ? 1 : 0);
