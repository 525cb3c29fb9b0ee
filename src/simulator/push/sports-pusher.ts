// The books' matches: every quarter of an hour of race time, each book sends everything that it offers. It is off
// unless an address and a key are configured. A failed push is repeated with the prices of that time; pushes never
// overlap.
import { setTimeout as delay } from 'node:timers/promises';
import { toWallDelayMs } from '../../domain/time/clock';
import type { SentLog } from '../http/sent';
import { offerOf } from '../sports/offer';
import { SPORT_BOOKS_PLAYED, type SportBook } from '../sports/sport-books';
import { hashText } from '../world/random';
import type { Pusher, PusherOptions } from './pusher';

type SportsPusherOptions = Omit<PusherOptions, 'worldOf'> & {
  readonly seed: string;
  /** Keeps every push as it was sent. */
  readonly sent?: Pick<SentLog, 'keep'>;
};

const EVERY_MS = 15 * 60_000;
/** Wall: at a high speed books push less often than they otherwise would. Six pushes a minute are accepted. */
const EVERY_AT_LEAST_MS = 11_000;
const AFTER_FAILURE_MS = 2000;
const PATIENCE_MS = 10_000;

export function startSportsPusher(options: SportsPusherOptions): Pusher {
  const stopping = new AbortController();
  const books = SPORT_BOOKS_PLAYED.filter(({ key }) => options.target.keys[key] !== undefined);
  const pushing = books.map((book) => keepPushing(options, book, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(pushing);
    },
  };
}

async function keepPushing(options: SportsPusherOptions, book: SportBook, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  let failing: string | null = null;
  // The simulator starts before the API: before the first response, a missing connection is not a failure.
  let answered = false;
  while (!signal.aborted) {
    const failure = await push(options, book).then(
      (failed) => {
        answered = true;
        return { failed, reported: failed };
      },
      (error: Error) => ({ failed: error.message, reported: answered ? error.message : null }),
    );
    const { reported } = failure;
    if (reported !== null && failing === null) log.warn({ book: book.key, failure: reported }, 'pushes of sports fail');
    if (reported === null && failing !== null) log.info({ book: book.key }, 'pushes of sports are accepted again');
    failing = reported;
    const wait =
      failure.failed === null ? Math.max(EVERY_AT_LEAST_MS, toWallDelayMs(clock, EVERY_MS)) : AFTER_FAILURE_MS;
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
}

/** Null if it was accepted, otherwise the reason. A push without a response may have arrived, and is kept too. */
async function push(options: SportsPusherOptions, book: SportBook): Promise<string | null> {
  const { seed, sent, now } = options;
  const fromMs = now();
  const events = offerOf(hashText(seed), book, fromMs);
  const body = JSON.stringify({ bookmaker_key: book.key, observed_at: new Date(fromMs).toISOString(), events });
  let [status, response]: [number | null, string | null] = [null, null];
  try {
    const reply = await post(options, book, body);
    response = await reply.text();
    status = reply.status;
    return reply.ok ? null : `${status}: ${response.slice(0, 300)}`;
  } finally {
    await sent?.keep({ by: 'push', of: book.key, fromMs, toMs: now(), status, body, response });
  }
}

const post = ({ target, patienceMs = PATIENCE_MS }: SportsPusherOptions, { key }: SportBook, body: string) =>
  fetch(`${target.url}/v1/ingest/sports/${key}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': target.keys[key]! },
    body,
    signal: AbortSignal.timeout(patienceMs),
  });
