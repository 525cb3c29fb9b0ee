// From change-only lines to the columns that uPlot draws: one axis of instants, and per line its price at each of them.
const HOUR_S = 3600;
/** The shortest span drawn, so that a capture that has just begun is more than one step. */
const LEAST_S = 120;

/**
 * `data`: the page's prices; `number`: the runner; `now`: race time. Instants in epoch seconds. At the jump the lines
 * end.
 */
export function chartColumns(data, number, now) {
  const until = Math.min(now, data.jumped ?? now);
  const runner = data.runners.find((one) => one.number === number);
  if (!runner) return null;
  const lines = [...runner.books, runner.consensus, runner.best].map(
    (line) => line && { at: line[0].map((s) => s + data.base), prices: line[1] },
  );
  const began = Math.min(...lines.flatMap((line) => (line ? line.at.slice(0, 1) : [])));
  const from = Math.max(until - HOUR_S, Math.min(began, until - LEAST_S));
  const instants = new Set(lines.flatMap((line) => line?.at ?? []));
  const x = [...instants].filter((at) => at > from && at < until).sort((a, b) => a - b);
  const axis = [from, ...x, until];
  return { name: runner.name, from, until, columns: [axis, ...lines.map((line) => standing(line, axis))] };
}

function standing(line, axis) {
  if (!line) return axis.map(() => null);
  let i = -1;
  return axis.map((at) => {
    while (i + 1 < line.at.length && line.at[i + 1] <= at) i++;
    return i < 0 ? null : line.prices[i];
  });
}
