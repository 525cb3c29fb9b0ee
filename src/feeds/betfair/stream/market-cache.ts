// Folds the stream's messages into the current state of each market. Pure: values are never changed in place. An image
// replaces a market, a delta changes it; a definition is always complete, and a new one has a higher version.
import type { MarketChange, MarketChangeMessage, MarketDefinition, RunnerChange } from './payload';

/** Price to size, or level to price and size, depending on the subscription. */
type Ladder = ReadonlyMap<number, number>;
type Levels = ReadonlyMap<number, readonly [price: number, size: number]>;

export interface RunnerState {
  readonly atb: Ladder;
  readonly atl: Ladder;
  readonly batb: Levels;
  readonly batl: Levels;
  readonly ltp: number | null;
  readonly tv: number | null;
}

export interface MarketState {
  readonly id: string;
  /** Null until a definition arrives; until then only prices are present. */
  readonly definition: MarketDefinition | null;
  readonly runners: ReadonlyMap<number, RunnerState>;
  readonly tv: number | null;
  /** When this version of the definition was first published, epoch milliseconds; 0 if there is none. */
  readonly definedMs: number;
}

export type MarketCache = ReadonlyMap<string, MarketState>;

export const NO_MARKETS: MarketCache = new Map();

/** The cache after the message; the same cache if nothing changed (a heartbeat). */
export function fold(cache: MarketCache, { pt, ct, mc = [] }: MarketChangeMessage): MarketCache {
  if (mc.length === 0) return cache;
  const next = new Map(cache);
  for (const change of mc) {
    const img = change.img || ct === 'SUB_IMAGE';
    next.set(change.id, foldMarket(next.get(change.id), { ...change, img }, pt));
  }
  return next;
}

function foldMarket(current: MarketState | undefined, change: MarketChange, pt: number): MarketState {
  const from = current && !change.img ? current : null;
  const sent = change.marketDefinition;
  const rises = sent !== undefined && sent.version > (current?.definition?.version ?? 0);
  const repeats = sent !== undefined && sent.version === current?.definition?.version;
  return {
    id: change.id,
    definition: rises || repeats ? sent : (current?.definition ?? null),
    definedMs: rises ? pt : (current?.definedMs ?? 0),
    runners: foldRunners(from?.runners ?? new Map(), change.rc ?? []),
    tv: change.tv ?? from?.tv ?? null,
  };
}

function foldRunners(
  current: ReadonlyMap<number, RunnerState>,
  changes: readonly RunnerChange[],
): ReadonlyMap<number, RunnerState> {
  if (changes.length === 0) return current;
  const next = new Map(current);
  for (const change of changes) next.set(change.id, foldRunner(next.get(change.id) ?? UNPRICED, change));
  return next;
}

const UNPRICED: RunnerState = {
  atb: new Map(),
  atl: new Map(),
  batb: new Map(),
  batl: new Map(),
  ltp: null,
  tv: null,
};

const foldRunner = (current: RunnerState, change: RunnerChange): RunnerState => ({
  atb: foldLadder(current.atb, change.atb),
  atl: foldLadder(current.atl, change.atl),
  batb: foldLevels(current.batb, change.batb),
  batl: foldLevels(current.batl, change.batl),
  ltp: change.ltp ?? current.ltp,
  tv: change.tv ?? current.tv,
});

function foldLadder(current: Ladder, steps: readonly (readonly number[])[] | undefined): Ladder {
  if (!steps) return current;
  const next = new Map(current);
  for (const [price, size] of steps) {
    if (size) next.set(price!, size);
    else next.delete(price!);
  }
  return next;
}

function foldLevels(current: Levels, steps: readonly (readonly number[])[] | undefined): Levels {
  if (!steps) return current;
  const next = new Map(current);
  for (const [level, price, size] of steps) {
    if (size) next.set(level!, [price!, size]);
    else next.delete(level!);
  }
  return next;
}
