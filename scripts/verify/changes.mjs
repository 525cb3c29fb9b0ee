// A customer that follows `changes` as the contract describes (A 4.8): the `server_time` of each response is the next
// `since`.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads until `signal` aborts. `readings`: `{ atMs, races }`, by this machine's clock; `failures`: statuses other than
 * 200.
 */
export function followChanges({ apiUrl, key, everyMs, signal }) {
  const readings = [];
  const failures = [];
  const ended = (async () => {
    let since = new Date(Date.now() - 60_000).toISOString();
    while (!signal.aborted) {
      const response = await fetch(`${apiUrl}/v1/racing/changes?${new URLSearchParams({ since })}`, {
        headers: { 'X-API-Key': key },
        signal,
      }).catch(() => null);
      const body = /** @type {any} */ (await response?.json().catch(() => null));
      if (response?.status === 200 && body) {
        since = body.server_time;
        readings.push({
          atMs: Date.now(),
          races: body.races.map(({ race_id, venue, race_number, changed_runners }) => ({
            race_id,
            venue,
            race_number,
            rows: changed_runners.length,
          })),
        });
      } else failures.push({ atMs: Date.now(), status: response?.status ?? 0, body });
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  })();
  return { readings, failures, ended };
}
