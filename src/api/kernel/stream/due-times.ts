// What a watched connection does at intervals, together with the other connections of its process.

/**
 * `everyMs`: wall. Whether one of them is due now: once in each of its intervals, which begin at the same moment for
 * all connections, so that what is sent for many at once is sent once.
 */
export function dueTimes<What extends string>(everyMs: Readonly<Record<What, number>>): (what: What) => boolean {
  const turnOf = (what: What): number => Math.floor(performance.now() / everyMs[what]);
  const turns = Object.fromEntries(Object.keys(everyMs).map((what) => [what, turnOf(what as What)]));
  return (what) => {
    const turn = turnOf(what);
    if (turn === turns[what]) return false;
    turns[what] = turn;
    return true;
  };
}
