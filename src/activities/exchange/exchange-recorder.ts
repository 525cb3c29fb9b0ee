// What the exchange's stream says, on its way to the store. Prices are conflated between two saves, a market's versions never: each is written with
// its instant, and a save that fails is made again with all that it held.
import type { ExchangeMarket } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { marketOfStream } from '../../feeds/betfair/stream/market';
import type { MarketState } from '../../feeds/betfair/stream/market-cache';
import type { ExchangeStore } from '../../store/exchange';

/** A save holds locks for as long as it takes. */
const MARKETS_A_SAVE = 100;

/** What is not saved yet of one market. */
interface Unsaved {
  readonly versions: readonly ExchangeMarket[];
  readonly state: MarketState;
}

export class ExchangeRecorder {
  private readonly unsaved = new Map<string, Unsaved>();
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: ExchangeStore,
    /** A settled market whose end is saved. */
    private readonly onSettled: (marketId: string) => void,
  ) {}

  take(state: MarketState, defined: boolean): void {
    const market = defined ? marketOfStream(state) : null;
    const versions = this.unsaved.get(state.id)?.versions ?? [];
    this.unsaved.set(state.id, { versions: market ? [...versions, market] : versions, state });
  }

  /** Saves all that was taken before the call; one save at a time. Rejects when the store does. */
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

  /** What was taken while the save was under way stays for the next. */
  private forget(saved: MarketState, versions: number): void {
    const now = this.unsaved.get(saved.id)!;
    if (now.state === saved) this.unsaved.delete(saved.id);
    else this.unsaved.set(saved.id, { versions: now.versions.slice(versions), state: now.state });
  }
}
