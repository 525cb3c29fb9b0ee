// The processor time of the API's thread by route: the most expensive without a key, and the most expensive per credit.
const SHOWN = 5;
/** The median of fewer requests means nothing: the first ones are compiled. */
const FEWEST = 5;

/** Collects the published figures of each request; there is one row per route, with and without a key. */
export function createWorkRows() {
  const rows = new Map();
  return {
    add({ route, ms, credits, keyless }) {
      const name = `${keyless} ${route}`;
      const row = rows.get(name) ?? { route, keyless, each: [], ofCredit: [] };
      rows.set(name, row);
      row.each.push(ms);
      if (credits > 0) row.ofCredit.push(ms / credits);
    },
    rows: () => [...rows.values()].map(middleOf),
  };
}

/** Milliseconds; null if there were too few requests. */
const middleOf = ({ route, keyless, each, ofCredit }) => ({
  route,
  keyless,
  ms: middle(each),
  creditMs: middle(ofCredit),
});

function middle(figures) {
  if (figures.length < FEWEST) return null;
  return figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)];
}

/** Pairs of the fault and the route. */
export const workFaults = (rows, { keylessMs, creditMs }) =>
  rows.flatMap(({ route, keyless, ms, creditMs: ofCredit }) => [
    ...(keyless && ms > keylessMs ? [[`takes more than ${keylessMs} ms without a key`, route]] : []),
    ...(ofCredit > creditMs ? [[`takes more than ${creditMs} ms a credit`, route]] : []),
  ]);

/** Lines to print. */
export function workLines(rows) {
  const keyless = rows.filter((row) => row.keyless).map(({ route, ms }) => ({ route, ms }));
  const charged = rows.map(({ route, creditMs }) => ({ route, ms: creditMs }));
  const lines = [
    ...dearest(keyless).map((one) => `    ${one} a request without a key`),
    ...dearest(charged).map((one) => `    ${one} a credit`),
  ];
  return lines.length > 0
    ? ['  Processor time of the thread at the dearest routes, the middle of their requests:', ...lines]
    : [];
}

const dearest = (rows) =>
  rows
    .filter(({ ms }) => ms !== null)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ route, ms }) => `${route}: ${ms.toFixed(1)} ms`);
