// A client that follows the stream at a process of its own, which may end and come back: it keeps the win prices that stand, as a `Follower` does.

import { createChangesFeed } from '../../../src/api/stream/feed';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { createKeyStore } from '../../../src/store/keys';
import { createReads } from '../../../src/store/reads/reads';
import { PATIENT_MS } from '../patient';
import { startApi, type TestApi } from './api';
import type { Served } from './served';
import { named, openStream, type StreamClient, type StreamEvent } from './stream-client';

interface Race {
  readonly race_id: string;
  readonly scratchings: readonly { readonly name: string }[];
}

export class StreamFollower {
  private readonly prices = new Map<string, number | null>();
  private readonly scratched = new Map<string, ReadonlySet<string>>();
  private lastEventId: string | undefined;
  private folded = 0;

  private constructor(
    private readonly served: Served,
    private readonly key: string,
    private api: TestApi,
    private client: StreamClient,
  ) {}

  static async start(served: Served, key: string): Promise<StreamFollower> {
    const api = await process(served);
    const client = await openStream(api.url, key);
    await client.until(named('state'));
    return new StreamFollower(served, key, api, client);
  }

  /** The process ends in the middle of whatever it sends; the client goes on at the next. */
  async restart(): Promise<void> {
    await this.api.close();
    await this.client.ended;
    this.fold();
    this.lastEventId = this.client.lastEventId;
    this.api = await process(this.served);
    this.client = await openStream(this.api.url, this.key, { lastEventId: this.lastEventId });
    this.folded = 0;
  }

  /** Until the prices that stand pass. */
  async until(passes: (prices: Record<string, number>) => boolean): Promise<void> {
    const late = AbortSignal.timeout(PATIENT_MS);
    for (this.fold(); !passes(this.winPrices); this.fold()) {
      late.throwIfAborted();
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  get winPrices(): Record<string, number> {
    const open = [...this.prices].filter(([id, price]) => price !== null && !this.isOut(id));
    return Object.fromEntries(open.sort()) as Record<string, number>;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.api.close();
  }

  private fold(): void {
    for (; this.folded < this.client.events.length; this.folded++) this.apply(this.client.events[this.folded]!);
  }

  private apply({ event, data }: StreamEvent): void {
    if (event === 'reset' || event === 'error') throw new Error(`${event}: ${JSON.stringify(data)}`);
    if (event === 'race') {
      this.scratch(data);
      for (const { name, bookmakers } of data.runners)
        for (const { key, win_price } of bookmakers) this.prices.set(`${data.race_id}/${name}/${key}`, win_price);
    }
    for (const race of event === 'changes' ? data.races : []) {
      this.scratch(race);
      for (const { name, bookmaker_key, win_price } of race.changed_runners)
        this.prices.set(`${race.race_id}/${name}/${bookmaker_key}`, win_price);
    }
  }

  private scratch({ race_id, scratchings }: Race): void {
    this.scratched.set(race_id, new Set(scratchings.map(({ name }) => name)));
  }

  private isOut(id: string): boolean {
    const [raceId, name] = id.split('/');
    return this.scratched.get(raceId!)?.has(name!) ?? false;
  }
}

function process({ db }: Served): Promise<TestApi> {
  const reads = createReads(db.pool);
  const log = { error: () => {} };
  const feed = { reads, betslip: { linksOf: async () => () => null }, clock: REAL_TIME, log, pauseMs: 5 };
  return startApi({ reads, keys: createKeyStore(db.pool), changesFeed: createChangesFeed(feed) });
}
