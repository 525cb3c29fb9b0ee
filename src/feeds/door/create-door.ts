// The door of one registry in this process: its pages wait here, the most urgent first, and go out one at a time.
import { setTimeout as delay } from 'node:timers/promises';
import type { CallEnd } from '../feed';
import { DOOR_PURPOSES, type Door, type DoorEntry, type DoorPurpose } from './door';
import type { Level } from './level';
import { createRegistryPace, type PaceOptions } from './registry-pace';

export interface DoorOptions extends Pick<PaceOptions, 'registry' | 'shared'> {
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
  /** Default: a second. */
  readonly spacingMs?: number;
  readonly wait?: (raceMs: number) => Promise<unknown>;
  /** Absent: nothing is stored, and no page is refused. */
  readonly level?: Level;
  /**
   * Wall. A customer's page that has waited for so long takes its turn among the pages of collections, which follow one
   * another for minutes. Default: a second.
   */
  readonly formPatienceMs?: number;
  /**
   * Wall. A collection requests its next page when it has stored the last: less urgent pages, but for customers', wait
   * for it so long, where the spacing is shorter. Default: 300 ms.
   */
  readonly collectionGapMs?: number;
}

const SPACING_MS = 1000;
/** Wall. What has no turn by then is refused: a customer does not wait so long, a collection goes on later. */
const LONGEST_WAIT_MS = {
  probe: 60_000,
  collection: 300_000,
  form: 60_000,
  tables: 300_000,
  backfill: 300_000,
  history: 300_000,
} as const;
const FORM_PATIENCE_MS = 1000;
const COLLECTION_GAP_MS = 300;
const [COLLECTION, FORM] = (['collection', 'form'] as const).map((one) => DOOR_PURPOSES.indexOf(one)) as [
  number,
  number,
];
const BUSY: DoorEntry = { kind: 'refused', reason: 'busy', retryAfterMs: 30_000 };
const CALLED_OFF: DoorEntry = { kind: 'refused', reason: 'called_off', retryAfterMs: 0 };
/** Wall. A level is read anew before each page; before the wait for a turn it may be this old. */
const RECENT_MS = 1000;

interface Waiting {
  readonly purpose: DoorPurpose;
  rank: number;
  settle(entry: DoorEntry): void;
}

export function createDoor(options: DoorOptions): Door {
  const { now, level, spacingMs = SPACING_MS, wait = delay, formPatienceMs = FORM_PATIENCE_MS } = options;
  const turns = createRegistryPace({ ...options, spacingMs, wait });
  const queue: Waiting[] = [];
  const holdMs = (options.collectionGapMs ?? COLLECTION_GAP_MS) - (options.shared?.spacingMs ?? spacingMs);
  let collectedAtMs = Number.NEGATIVE_INFINITY;
  let arrived = (): void => undefined;
  let serving = false;

  const drop = (one: Waiting, entry: DoorEntry): void => {
    const at = queue.indexOf(one);
    if (at < 0) return;
    queue.splice(at, 1);
    one.settle(entry);
  };

  const line = (one: Waiting): void => {
    const behind = queue.findIndex(({ rank }) => rank > one.rank);
    queue.splice(behind < 0 ? queue.length : behind, 0, one);
    if (queue[0] !== one) return;
    turns.hurry();
    arrived();
  };

  const promote = (one: Waiting): void => {
    const at = queue.indexOf(one);
    if (at < 0) return;
    queue.splice(at, 1);
    one.rank = COLLECTION;
    line(one);
  };

  function queued(purpose: DoorPurpose, signal: AbortSignal | undefined): Promise<DoorEntry> {
    return new Promise((resolve) => {
      const callOff = (): void => drop(one, CALLED_OFF);
      const timer = setTimeout(() => drop(one, BUSY), LONGEST_WAIT_MS[purpose]);
      const patience = purpose === 'form' ? setTimeout(() => promote(one), formPatienceMs) : undefined;
      const one: Waiting = {
        purpose,
        rank: DOOR_PURPOSES.indexOf(purpose),
        settle: (entry) => {
          clearTimeout(timer);
          clearTimeout(patience);
          signal?.removeEventListener('abort', callOff);
          resolve(entry);
        },
      };
      signal?.addEventListener('abort', callOff, { once: true });
      line(one);
      void serve();
    });
  }

  async function serve(): Promise<void> {
    if (serving) return;
    serving = true;
    // What is queued in the same turn of the event loop is sorted first.
    await null;
    try {
      while (queue.length > 0) await serveNext();
    } finally {
      serving = false;
    }
  }

  /** Ends early when a more urgent page arrives. */
  async function holdBack(): Promise<void> {
    const ms = collectedAtMs + holdMs - performance.now();
    if (ms <= 0 || queue[0]!.rank <= FORM) return;
    const waiting = new AbortController();
    arrived = () => waiting.abort();
    await delay(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
    arrived = () => undefined;
  }

  async function serveNext(): Promise<void> {
    await holdBack();
    const turn = await turns.take(() => queue[0]?.rank ?? null);
    const next = queue.shift();
    if (!turn || !next) {
      if (next) queue.unshift(next);
      await turn?.end(false);
      return;
    }
    const refused = (await level?.refusal(next.purpose, 0)) ?? null;
    if (refused) {
      next.settle(refused);
      await turn.end(false);
      return;
    }
    const requestedAtMs = now();
    await new Promise<void>((done) => {
      const left = async (end: CallEnd): Promise<void> => {
        await level?.note(end, next.purpose, requestedAtMs);
        if (next.purpose === 'collection') collectedAtMs = performance.now();
        await turn.end(true);
        done();
      };
      next.settle({ kind: 'go', left });
    });
  }

  return {
    async enter(purpose, signal) {
      const refused = (await level?.refusal(purpose, RECENT_MS)) ?? null;
      if (refused) return refused;
      return signal?.aborted ? CALLED_OFF : queued(purpose, signal);
    },
  };
}
