// The stream without interruptions: reconnects with a growing pause, resumes where it stopped, and folds messages into
// the markets' states. The caller handles each state. Every change of a definition is passed on in order, however fast
// prices arrive.

import type { Dropped } from '../../feed';
import { countDrops } from '../../reading/drops';
import { followStream, type StreamClock, type StreamConnection, type StreamEnd } from './connection';
import { fold, type MarketCache, type MarketState, NO_MARKETS } from './market-cache';
import type { MarketChangeMessage } from './payload';

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export interface Following extends Pick<StreamConnection, 'address' | 'credentials' | 'filter' | 'signal'> {
  /**
   * Called for every market that a message changed, with its new state. `defined`: the definition's version changed.
   */
  onMarket(state: MarketState, defined: boolean): void;
  onEnd(end: StreamEnd, dropped: Dropped): void;
  /** Rejects on abort. Wall milliseconds. */
  wait(ms: number): Promise<void>;
}

export class StreamFollower {
  private cache: MarketCache = NO_MARKETS;
  private clock: StreamClock | null = null;
  private received = false;

  constructor(private readonly options: Following) {}

  /** Runs until it is aborted, when `wait` rejects. */
  async run(): Promise<void> {
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!this.options.signal.aborted) {
      this.received = false;
      const drops = countDrops();
      const end = await followStream({
        ...this.options,
        resumeFrom: this.clock,
        drops,
        onMessage: (message) => this.apply(message),
      });
      this.options.onEnd(end, drops.counts());
      // The server no longer accepts our clock, so the cached states are out of date too.
      if (end.reason === 'refused') this.forget();
      pauseMs = this.received ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      await this.options.wait(pauseMs);
    }
  }

  /** Drops a market that has been settled and saved. */
  drop(marketId: string): void {
    const next = new Map(this.cache);
    next.delete(marketId);
    this.cache = next;
  }

  private forget(): void {
    this.clock = null;
    this.cache = NO_MARKETS;
  }

  private apply(message: MarketChangeMessage): void {
    this.received = true;
    const { initialClk = this.clock?.initialClk, clk = this.clock?.clk } = message;
    if (initialClk !== undefined && clk !== undefined) this.clock = { initialClk, clk };
    for (const change of message.mc ?? []) {
      const version = this.cache.get(change.id)?.definition?.version;
      this.cache = fold(this.cache, { ...message, mc: [change] });
      const state = this.cache.get(change.id)!;
      this.options.onMarket(state, state.definition !== null && state.definition.version !== version);
    }
  }
}
