// The push-fed books: sends each race's prices to the service's API when they are due (D21), many races in one call. It
// is off unless an address and a key are configured. A failed push is repeated with the next prices; pushes never
// overlap.
import { bookmaker } from '../../domain/bookmakers';
import { pollIntervalMs } from '../../domain/time/cadence';
import { type RaceClock, toWallDelayMs } from '../../domain/time/clock';
import type { Log } from '../../log';
import type { Race } from '../world/race';
import type { World } from '../world/world';
import { openRaces, PUSH_FED_BOOKS, type PushFedBook, pushedRace, sourceIdOf } from './pushed-list';

export interface PusherOptions {
  /** The world as one book shows it. */
  worldOf(book: string): World;
  /** `url`: the API's address, without a trailing slash; `keys`: by book. A book without one is not pushed. */
  readonly target: { readonly url: string; readonly keys: Readonly<Record<string, string>> };
  /** Race time, epoch ms. */
  readonly now: () => number;
  readonly clock: RaceClock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** How long to wait for a response, in wall time. */
  readonly patienceMs?: number;
}

export interface Pusher {
  /** Resolves once the push under way has ended. */
  stop(): Promise<void>;
}

/** Race time between two checks for due races, and its minimum in wall time. */
const LOOK_EVERY_MS = 4000;
const LOOK_AT_LEAST_MS = 250;
const AFTER_FAILURE_MS = 2000;
const PATIENCE_MS = 10_000;
/** A race whose runners the API does not recognise yet is sent again after this time. */
const AGAIN_AFTER_MS = 30_000;
/** The most races that the API accepts in one call. */
const MOST_RACES = 200;

export function startPusher(options: PusherOptions): Pusher {
  const stopping = new AbortController();
  const books = PUSH_FED_BOOKS.filter(({ profile }) => options.target.keys[profile.key] !== undefined);
  const pushing = books.map((book) => keepPushing(options, book, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(pushing);
    },
  };
}

async function keepPushing(options: PusherOptions, book: PushFedBook, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  const { key } = book.profile;
  const pushed = new Map<string, Pushed>();
  let failing: string | null = null;
  // The simulator starts before the API: before the first response, a missing connection is not a failure.
  let answered = false;
  while (!signal.aborted) {
    const failure = await pushDue(options, book, pushed).then(
      (failed) => {
        answered = true;
        return failed;
      },
      (error: Error) => (answered ? error.message : null),
    );
    if (failure !== null && failing === null) log.warn({ book: key, failure }, 'pushes fail');
    if (failure === null && failing !== null) log.info({ book: key }, 'pushes are accepted again');
    failing = failure;
    const wait = Math.max(LOOK_AT_LEAST_MS, toWallDelayMs(clock, LOOK_EVERY_MS));
    await pause(failing === null ? wait : Math.max(wait, AFTER_FAILURE_MS), signal);
  }
}

interface Pushed {
  readonly atMs: number;
  /** False if the API recognised none of its runners. */
  readonly accepted: boolean;
}

/** Null if everything due was sent, otherwise the reason. */
async function pushDue(options: PusherOptions, book: PushFedBook, pushed: Map<string, Pushed>) {
  const nowMs = options.now();
  const open = openRaces(options.worldOf(book.profile.key), book, nowMs);
  forgetClosed(pushed, open);
  const due = open.filter((race) => isDue(race, book, pushed.get(race.id), nowMs)).slice(0, MOST_RACES);
  if (due.length === 0) return null;
  const sent = await send(options, book, due, nowMs);
  if (sent.failure !== null) return sent.failure;
  for (const race of due) {
    const accepted = !sent.unmatched.has(sourceIdOf(race, book));
    pushed.set(race.id, { atMs: nowMs, accepted });
  }
  return null;
}

function forgetClosed(pushed: Map<string, Pushed>, open: readonly Race[]): void {
  const ids = new Set(open.map((race) => race.id));
  for (const id of pushed.keys()) if (!ids.has(id)) pushed.delete(id);
}

function isDue(race: Race, { profile }: PushFedBook, last: Pushed | undefined, nowMs: number): boolean {
  if (!last) return true;
  const startMs = race.story.advertised.findLast(({ fromMs }) => fromMs <= nowMs)!.startMs;
  const usual = pollIntervalMs((startMs - nowMs) / 1000, bookmaker(profile.key)!);
  return nowMs - last.atMs >= (last.accepted ? usual : Math.min(usual, AGAIN_AFTER_MS));
}

interface Sent {
  readonly failure: string | null;
  /** Races whose runners the API could not match, by the book's race id. */
  readonly unmatched: ReadonlySet<string>;
}

async function send(
  { target, patienceMs = PATIENCE_MS }: PusherOptions,
  book: PushFedBook,
  races: readonly Race[],
  nowMs: number,
): Promise<Sent> {
  const { key } = book.profile;
  const body = {
    bookmaker_key: key,
    observed_at: new Date(nowMs).toISOString(),
    races: races.map((race) => pushedRace(race, book, nowMs)),
  };
  const response = await fetch(`${target.url}/v1/ingest/${key}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': target.keys[key]! },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await response.text();
  if (!response.ok) return { failure: `${response.status}: ${text.slice(0, 300)}`, unmatched: new Set() };
  const { refused } = JSON.parse(text) as { refused: readonly { source_id: string; reason: string }[] };
  const unmatched = refused.filter(({ reason }) => reason === 'runners_not_known');
  return { failure: null, unmatched: new Set(unmatched.map((one) => one.source_id)) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    }
    signal.addEventListener('abort', end, { once: true });
  });
}
