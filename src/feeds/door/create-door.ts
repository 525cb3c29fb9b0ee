// The door of one registry in this process: its pages queue here and go out one at a time, the most urgent first.
import { setTimeout as delay } from 'node:timers/promises';
import type { CallEnd } from '../feed';
import { DOOR_PURPOSES, type Door } from './door';
import type { Level } from './level';
import { CALLED_OFF, createPageQueue } from './page-queue';
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
   * Wall. A customer's page that has waited this long takes its turn among the pages of collections, which follow one
   * another for minutes. Default: a second.
   */
  readonly formPatienceMs?: number;
  /**
   * Wall. A collection requests its next page once it has stored the previous one. Less urgent pages, except customers'
   * pages, wait this long for it if the spacing is shorter. Default: 300 ms.
   */
  readonly collectionGapMs?: number;
}

const SPACING_MS = 1000;
const FORM_PATIENCE_MS = 1000;
const COLLECTION_GAP_MS = 300;
const FORM = DOOR_PURPOSES.indexOf('form');
/** Wall. The level is read again before each page; before the wait for a turn it may be this old. */
const RECENT_MS = 1000;

export function createDoor(options: DoorOptions): Door {
  const { now, level, spacingMs = SPACING_MS, wait = delay, formPatienceMs = FORM_PATIENCE_MS } = options;
  const turns = createRegistryPace({ ...options, spacingMs, wait });
  const holdMs = (options.collectionGapMs ?? COLLECTION_GAP_MS) - (options.shared?.spacingMs ?? spacingMs);
  const gap = createCollectionGap(holdMs);
  const queue = createPageQueue(formPatienceMs, () => {
    turns.hurry();
    gap.end();
  });
  let serving = false;

  async function serve(): Promise<void> {
    if (serving) return;
    serving = true;
    // Pages queued in the same turn of the event loop are sorted first.
    await null;
    try {
      while (queue.first()) await serveNext();
    } finally {
      serving = false;
    }
  }

  async function serveNext(): Promise<void> {
    await gap.wait(queue.first()!.rank);
    const turn = await turns.take(() => queue.first()?.rank ?? null);
    const next = queue.take();
    if (!turn || !next) {
      if (next) queue.putBack(next);
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
        if (next.purpose === 'collection') gap.begin();
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
      if (signal?.aborted) return CALLED_OFF;
      const entry = queue.enter(purpose, signal);
      void serve();
      return entry;
    },
  };
}

/** Less urgent pages, except customers' pages, wait here for the next page of a collection. */
function createCollectionGap(holdMs: number) {
  let collectedAtMs = Number.NEGATIVE_INFINITY;
  let arrived = (): void => undefined;
  return {
    begin(): void {
      collectedAtMs = performance.now();
    },
    end: (): void => arrived(),
    /** Ends early when a more urgent page arrives. */
    async wait(rank: number): Promise<void> {
      const ms = collectedAtMs + holdMs - performance.now();
      if (ms <= 0 || rank <= FORM) return;
      const waiting = new AbortController();
      arrived = () => waiting.abort();
      await delay(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
      arrived = () => undefined;
    },
  };
}
