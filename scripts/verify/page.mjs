// A punter with the board open: checks that the page says `Live` only while prices are being read.
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 10_000;
/** The threshold of the live tier (A 2.4 rule 4), and the time that a page may be in flight on a starved machine. */
const LIVE_MS = 120_000 + 20_000;

/** `newestPoll()`: epoch ms of the newest poll of any book, or null. `looks`: `{ atMs, says, newestMs }`. */
export function watchPage({ url, newestPoll, signal }) {
  const looks = [];
  const ended = (async () => {
    while (!signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
      const newestMs = await newestPoll().catch(() => null);
      const page = await fetch(url, { signal })
        .then((one) => one.text())
        .catch(() => null);
      if (page !== null) looks.push({ atMs: Date.now(), says: wordOf(page), newestMs });
    }
  })();
  return { looks, ended };
}

const wordOf = (page) =>
  /id="link"[^>]*>(.*?)<\/p>/s
    .exec(page)?.[1]
    .replaceAll(/<[^>]*>/g, '')
    .trim() ?? 'nothing';

export const liveOverOldPrices = (looks) =>
  looks
    .filter(({ says, newestMs, atMs }) => says.startsWith('Live') && newestMs !== null && atMs - newestMs > LIVE_MS)
    .map(
      ({ atMs, newestMs }) =>
        `the board says Live at ${new Date(atMs).toISOString()}, newest poll ${Math.round((atMs - newestMs) / 1000)} s before`,
    );
