// Waits until the API serves a fresh price that the worker has polled since, because only then is the service ready. It
// never gives up: while it waits, the screen shows the reason. It uses the internal key, which has no quota.
import { setTimeout as sleep } from 'node:timers/promises';

const usual = { patienceMs: 60_000, againMs: 500, remindMs: 30_000 };

/**
 * `ended` rejects when a program of the service has ended. `newestPollMs`: the time of the newest poll that was stored
 * before the worker ran. `onLong`: called once, with the reason, if it takes longer than `patienceMs`.
 */
export async function freshPrices(ctx, status, { ended, newestPollMs, onLong }, times = usual) {
  await ctx.progress.step('Fresh prices are served', () =>
    untilServed(ctx, readiness(status, newestPollMs), ended, onLong, times),
  );
}

async function untilServed({ signal, progress }, whyNotReady, ended, onLong, { patienceMs, againMs, remindMs }) {
  let [longAt, remindAt, last] = [Date.now() + patienceMs, Infinity, ''];
  for (;;) {
    const why = await Promise.race([whyNotReady(), ended]);
    if (why === null) return;
    const now = Date.now();
    if (longAt <= now) {
      onLong(why);
      [longAt, remindAt, last] = [Infinity, now + remindMs, why];
    } else if (remindAt <= now || (remindAt < Infinity && why !== last)) {
      progress.note(`Not ready: ${why}.`);
      [remindAt, last] = [now + remindMs, why];
    }
    await Promise.race([sleep(againMs, undefined, { signal }), ended]);
  }
}

/**
 * Resolves to null as soon as a fresh price is served that was polled since this start. Only books whose lists the
 * worker reads count, because others push their prices to the API without a worker.
 */
function readiness(status, newestPollMs) {
  return async () => {
    // Best odds may be a response that was cached twenty seconds ago.
    const answer = await asked(`${status.api_url}/v1/racing/next-to-go?num_races=20`, status.internal_key);
    if (answer === null) return 'the API does not answer';
    if (answer.status !== 200) return `the API answers ${answer.status}`;
    const prices = JSON.parse(answer.text).flatMap(({ runners }) => runners.flatMap(pricesOf));
    const lists = await listsOf(status.worker_url);
    if (prices.length === 0) return `no race of the next hours has a price${lists.note}`;
    const isNew = (price) => lists.books.has(price.key) && !price.stale && polledAt(price) > newestPollMs;
    if (!prices.some(isNew)) return `no price of the next races is fresh and newer than the start${lists.note}`;
    return lists.failed * 2 > lists.books.size ? `prices are fresh${lists.note}` : null;
  };
}

const pricesOf = ({ bookmakers }) => bookmakers.filter(({ win_price }) => win_price !== null);
const polledAt = ({ last_update }) => Date.parse(last_update);

/** What the worker's metrics report about the books' lists. */
async function listsOf(workerUrl) {
  const answer = await asked(`${workerUrl}/metrics`, null);
  const rows =
    answer?.status === 200 ? answer.text.matchAll(/^racing_lists_failing\{.*?book="([^"]+)".*?\} (\d+)/gm) : [];
  const failing = new Map([...rows].map(([, book, count]) => [book, Number(count)]));
  const failed = [...failing.values()].filter((count) => count > 0).length;
  return { books: new Set(failing.keys()), failed, note: noteOf(answer, failing.size, failed) };
}

function noteOf(answer, books, failed) {
  if (answer?.status !== 200) return '; the worker does not answer';
  if (books === 0) return '; no list of races has been read yet';
  return failed === 0 ? '' : `; the lists of ${failed} of ${books} books fail`;
}

async function asked(url, key) {
  try {
    const headers = key === null ? {} : { 'X-API-Key': key ?? '' };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}
