// A client that follows the stream of a separate process, which may end and come back: it keeps what the client of
// docs/stream.md keeps, and checks what every client may rely on: ids never go back, no row is repeated, and no row
// belongs to an unknown race or runner.
import { createBoardFeed } from '../../../src/api/operations/changes/board-feed';
import { type RaceClock, REAL_TIME } from '../../../src/domain/time/clock';
import { createKeyStore } from '../../../src/store/keys/keys';
import { createReads } from '../../../src/store/reads/reads';
import { Board, type WireRace } from '../docs/stream-board';
import { PATIENT_MS } from '../patient';
import { NOW, startApi, type TestApi } from './api';
import { BETSLIP, type Served } from './served';
import { named, openStream, type StreamClient, type StreamEvent } from './stream-client';
import { withoutAges } from './without-ages';

/** Race time between two readings at speed 1. */
const STEP_MS = 250;

export class StreamFollower {
  private readonly board = new Board();
  private nowMs = Date.parse(NOW);
  private api!: TestApi;
  private client!: StreamClient;
  private folded = 0;
  private lastId = '';
  private hasState = false;

  private constructor(
    private readonly served: Served,
    private readonly key: string,
    private readonly clock: RaceClock,
    private readonly search: string,
  ) {}

  /** At speed 1 a reading follows 250 ms after the previous one; at another speed that much more. */
  static async start(served: Served, key: string, { clock = REAL_TIME, search = '' } = {}): Promise<StreamFollower> {
    const follower = new StreamFollower(served, key, clock, search);
    await follower.begin();
    return follower;
  }

  /** The process ends in the middle of sending; the client continues with the next process. */
  async restart(): Promise<void> {
    await this.api.close();
    await this.client.ended;
    this.fold();
    await this.begin();
  }

  /** The connection breaks, at once or after more has arrived; the process continues. */
  async break(): Promise<void> {
    await this.away(async () => {});
  }

  /** The connection is broken while this runs. */
  async away(meanwhile: () => Promise<void>): Promise<void> {
    await this.client.close();
    this.fold();
    await meanwhile();
    await this.connect();
  }

  /** In race time. */
  pass(ms: number): void {
    this.nowMs += ms;
  }

  /** Waits until the client has what `next-to-go` reports of these races, in all fields. */
  async untilEqual(raceIds: readonly string[]): Promise<void> {
    const late = AbortSignal.timeout(PATIENT_MS);
    for (;;) {
      this.fold();
      const [has, stands] = [this.own(raceIds, this.board.races.values()), await this.standing(raceIds)];
      if (JSON.stringify(has) === JSON.stringify(stands)) return;
      if (late.aborted) expect(has).toEqual(stands);
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.api.close();
  }

  private async begin(): Promise<void> {
    this.api = await this.process();
    await this.connect();
  }

  private async connect(): Promise<void> {
    // As in the standard, and as the guide says: without an id everything begins again.
    if (this.lastId === '') this.board.races.clear();
    this.client = await openStream(this.api.url, this.key, {
      search: this.search,
      lastEventId: this.lastId || undefined,
    });
    this.folded = 0;
    if (this.hasState) return;
    await this.client.until(named('state'));
    this.hasState = true;
  }

  private process(): Promise<TestApi> {
    const { db } = this.served;
    const reads = createReads(db.pool);
    const log = { error: () => {} };
    const now = (): number => {
      this.nowMs += STEP_MS * this.clock.speed;
      this.api.now = this.nowMs;
      return this.nowMs;
    };
    const boardFeed = createBoardFeed({
      // Rows written shortly before a break are not sent again, because that would hide a missed row.
      ...{ reads, log, now, clock: this.clock, pauseMs: 5, slewMs: 1 },
      betslipTemplates: BETSLIP,
    });
    return startApi({ reads, keys: createKeyStore(db.pool), boardFeed, betslipTemplates: BETSLIP });
  }

  private async standing(raceIds: readonly string[]): Promise<unknown> {
    const query = `num_races=200&hours_ahead=168${this.search.replace('?', '&')}`;
    return this.own(raceIds, (await this.api.get(`/v1/racing/next-to-go?${query}`, this.key)).body);
  }

  private own(raceIds: readonly string[], races: Iterable<WireRace>) {
    return withoutAges([...races].filter(({ race_id }) => raceIds.includes(race_id)));
  }

  private fold(): void {
    for (; this.folded < this.client.events.length; this.folded++) this.apply(this.client.events[this.folded]!);
    const { lastEventId } = this.client;
    const [before = '', now = ''] = [this.lastId.split(' ')[0], lastEventId.split(' ')[0]];
    expect(now >= before).toBe(true);
    this.lastId = lastEventId;
  }

  private apply({ event, data, id }: StreamEvent): void {
    if (event === 'error' || event === 'reset') throw new Error(`${event}: ${JSON.stringify(data)}`);
    const was = event === 'changes' ? this.rowsOf(data) : [];
    this.board.apply(event, data);
    const is = event === 'changes' ? this.rowsOf(data) : [];
    for (const [i, text] of is.entries()) expect(text).not.toBe(was[i]);
    if (event === 'state') expect(this.board.races.size).toBe(data.race_count);
    if (id) expect(id.split(' ')[0]! >= this.lastId.split(' ')[0]!).toBe(true);
  }

  /** What the client has for the rows of an event, without freshness. */
  private rowsOf({ races }: { races: { race_id: string; changed_runners: WireRace[] }[] }): readonly string[] {
    return races.flatMap(({ race_id, changed_runners }) =>
      changed_runners.map(({ number, bookmaker_key }) => {
        const runner = this.board.races.get(race_id)!.runners.find((one: WireRace) => one.number === number);
        const quote = runner.bookmakers.find(({ key }: WireRace) => key === bookmaker_key);
        const { last_update, age_seconds, stale, refresh_tier, ...prices } = quote ?? {};
        return JSON.stringify(prices, Object.keys(prices).sort());
      }),
    );
  }
}
