// A client that follows `changes` as the contract describes: `server_time` is the next `since`, rows already received
// are dropped, and a scratched runner has no price. It does without the overlap of 30 seconds, so that the overlap
// cannot hide a missed change.
import type { TestApi } from './api';

const SET_BACK_MS = 30_000;

export class Follower {
  /** `race/name/book` to the win price; null: withdrawn. */
  private readonly prices = new Map<string, number | null>();
  private readonly scratched = new Map<string, ReadonlySet<string>>();
  private readonly received = new Set<string>();
  private since = '';

  constructor(
    private readonly api: TestApi,
    private readonly key: string,
    private readonly filters = '',
  ) {}

  /** From this moment on. */
  async start(): Promise<void> {
    await this.poll(new Date().toISOString());
    for (const race of (await this.request(`next-to-go?num_races=200${this.filters}`)) as NextRaces) {
      this.scratch(race);
      for (const { name, bookmakers } of race.runners)
        for (const { key, win_price } of bookmakers) this.prices.set(`${race.race_id}/${name}/${key}`, win_price);
    }
  }

  async poll(since = this.since): Promise<void> {
    const body = (await this.request(`changes?since=${since}${this.filters}`)) as ChangesBody;
    for (const race of body.races) {
      this.scratch(race);
      for (const row of race.changed_runners) {
        const id = `${race.race_id}/${row.name}/${row.bookmaker_key}`;
        if (this.received.has(`${id}/${row.updated_at}`)) continue;
        this.received.add(`${id}/${row.updated_at}`);
        this.prices.set(id, row.win_price);
      }
    }
    this.since = new Date(Date.parse(body.server_time) + SET_BACK_MS).toISOString();
  }

  /** The current win prices, from all responses so far. */
  get winPrices(): Record<string, number> {
    const open = [...this.prices].filter(([id, price]) => price !== null && !this.isOut(id));
    return Object.fromEntries(open.sort()) as Record<string, number>;
  }

  private scratch({ race_id, scratchings }: NextRaces[number]): void {
    this.scratched.set(race_id, new Set(scratchings.map(({ name }) => name)));
  }

  private isOut(id: string): boolean {
    const [raceId, name] = id.split('/');
    return this.scratched.get(raceId!)?.has(name!) ?? false;
  }

  private async request(what: string): Promise<unknown> {
    const answer = await this.api.get(`/v1/racing/${what}`, this.key);
    if (answer.status !== 200) throw new Error(`${what}: ${answer.text}`);
    return answer.body;
  }
}

type NextRaces = {
  race_id: string;
  scratchings: { name: string }[];
  runners: { name: string; bookmakers: { key: string; win_price: number | null }[] }[];
}[];

interface ChangesBody {
  server_time: string;
  races: (NextRaces[number] & {
    changed_runners: { name: string; bookmaker_key: string; win_price: number | null; updated_at: string }[];
  })[];
}

/** What `next-to-go` serves now, in the form that a follower stores. */
export async function served(api: TestApi, key: string, filters = ''): Promise<Record<string, number>> {
  const fresh = new Follower(api, key, filters);
  await fresh.start();
  return fresh.winPrices;
}
