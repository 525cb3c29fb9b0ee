// Collects the exchange stream's changes between two saves. Prices are conflated; versions of a market are not: each is
// written with its instant. After a failed save the next one writes the same changes again.
import type { ExchangeMarket } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { marketOfStream } from '../../feeds/betfair/stream/market';
import type { MarketState } from '../../feeds/betfair/stream/market-cache';
import type { ExchangeStore } from '../../store/exchange';

/** A save keeps its row locks until it ends, so it is kept small. */
const MARKETS_A_SAVE = 100;

/** Changes of one market that are not saved yet. */
interface Unsaved {
  readonly versions: readonly ExchangeMarket[];
  readonly state: MarketState;
}

export class ExchangeRecorder {
  private readonly unsaved = new Map<string, Unsaved>();
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: ExchangeStore,
    /** Called once the last state of a settled market is saved. */
    private readonly onSettled: (marketId: string) => void,
  ) {}

  take(state: MarketState, defined: boolean): void {
    const market = defined ? marketOfStream(state) : null;
    const versions = this.unsaved.get(state.id)?.versions ?? [];
    this.unsaved.set(state.id, { versions: market ? [...versions, market] : versions, state });
  }

  /** Saves every change taken before the call; one save at a time. Rejects if the store does. */
  flush(at: Instant): Promise<void> {
    this.saving = this.saving.catch(() => undefined).then(() => this.save(at));
    return this.saving;
  }

  private async save(at: Instant): Promise<void> {
    const ids = [...this.unsaved.keys()];
    for (let i = 0; i < ids.length; i += MARKETS_A_SAVE) await this.saveSome(ids.slice(i, i + MARKETS_A_SAVE), at);
  }

  private async saveSome(ids: readonly string[], observedAt: Instant): Promise<void> {
    const some = ids.map((id) => this.unsaved.get(id)!);
    const markets = some.flatMap(({ versions, state }) => [...versions, marketOfStream(state) ?? []].flat());
    await this.store.saveMarkets({ markets, raceId: null, observedAt });
    for (const { versions, state } of some) {
      this.forget(state, versions.length);
      if (state.definition?.status === 'CLOSED') this.onSettled(state.id);
    }
  }

  /** Changes taken during the save stay for the next one. */
  private forget(saved: MarketState, versions: number): void {
    const now = this.unsaved.get(saved.id)!;
    if (now.state === saved) this.unsaved.delete(saved.id);
    else this.unsaved.set(saved.id, { versions: now.versions.slice(versions), state: now.state });
  }
}
