// Notices of writes start readings of single races between two readings of the whole board. Whatever is written,
// reported, not reported or reported wrongly, and whatever reading fails: no client misses a write, gets one twice or
// in another order, or gets a race that its filter excludes; and whatever happened before an id, its client has.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Selection } from '../../../../src/api/kernel/stream/selection';
import { createBoardFeed } from '../../../../src/api/operations/changes/board-feed';
import { createChangesStream } from '../../../../src/api/operations/changes/changes-stream';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import type { BoardQuery } from '../../../../src/store/reads/races/board';
import type { BoardSinceQuery, WrittenQuery, WrittenRace } from '../../../../src/store/reads/races/board-marks';
import { runs } from '../../../support/property';
import { boardRace } from '../../../support/races/board-race';
import { until } from '../../../support/races/stream-lab';

/** The board is not read by itself, only for each stream that starts; or again and again, by what was written. */
const PAUSES_MS = { never: 3_600_000, often: 50 };
const START_MS = Date.parse('2026-11-30T02:00:00.000Z');
const NOW_MS = START_MS - 3_600_000;
const CODES = ['horse', 'greyhound'] as const;
const IDS = [0, 1, 2, 3].map((i) => `00000000-0000-4000-8000-00000000000${i}`);
const codeOf = (raceId: string) => CODES[IDS.indexOf(raceId) % 2]!;

type Step =
  | { readonly kind: 'write'; readonly race: number; readonly isReported: boolean }
  /** Of a race that was not written, or is not on the board (4). */
  | { readonly kind: 'report'; readonly race: number }
  | { readonly kind: 'fail' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'join'; readonly filter: number }
  /** With the last id. */
  | { readonly kind: 'reconnect'; readonly client: number }
  | { readonly kind: 'wait'; readonly ms: number };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('write' as const), race: fc.nat(3), isReported: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('report' as const), race: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'fail' }, { kind: 'leave' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const), filter: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect' as const), client: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 80 }) }) },
);

const someSteps = fc.array(aStep, { minLength: 6, maxLength: 16 });

/** Of all worlds: writes that were reported, and those of them that a reading for notices read. */
const reported = { all: 0, readAnew: 0 };
/** Readings of what was written that came after one for notices. */
let afterNotices = 0;

/** The price of a race is the mark of its last write, a millisecond of the database's clock. */
class World {
  private readonly beganMs = performance.now();
  private mark = NOW_MS;
  private readonly writes: { readonly raceId: string; readonly mark: number }[] = [];
  private readonly prices = new Map(IDS.map((id) => [id, NOW_MS]));
  private unread: { readonly raceId: string; readonly mark: number }[] = [];
  private isFailing = false;
  /** The last reading was for notices. */
  private isAnew = false;
  /** The next look at races is that of a reading of what was written. */
  private isFollowed = false;
  private report: (raceIds: readonly string[]) => void = () => {};
  private readonly clients: Client[] = [];
  private readonly stream: ReturnType<typeof createChangesStream>;
  private readonly deps: Parameters<typeof createBoardFeed>[0] = {
    reads: {
      boardPlace: async () => {
        const nowMs = this.tick();
        return { nowMs, settledMs: nowMs };
      },
      board: async (query: BoardQuery) => this.board(query),
      boardSince: async (query: BoardSinceQuery) => this.boardSince(query),
      boardEnds: async () => [],
      boardWritten: async ({ sinceMs }: WrittenQuery) => this.writtenSince(sinceMs),
      betslipIds: async () => [],
    } as unknown as Parameters<typeof createBoardFeed>[0]['reads'],
    notices: {
      follow: (written) => {
        this.report = written;
      },
    },
    clock: REAL_TIME,
    now: () => NOW_MS,
    log: { error: () => {} },
    slewMs: 1,
  };

  constructor(private readonly pauseMs: number) {
    this.stream = createChangesStream(createBoardFeed({ ...this.deps, pauseMs }));
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'wait') await delay(step.ms);
    else if (step.kind === 'fail') this.isFailing = true;
    else if (step.kind === 'leave') this.clients.pop()?.leave();
    else if (step.kind === 'join') await this.join(step.filter);
    else if (step.kind === 'reconnect') await this.clients[step.client]?.reconnect(this.stream);
    else {
      const raceId = IDS[step.race] ?? randomUUID();
      if (step.kind === 'write') this.write(raceId);
      if (step.kind === 'report' || step.isReported) this.report([raceId]);
      // Otherwise the next reading of the board may come first.
      if (step.kind === 'write' && step.isReported && this.pauseMs === PAUSES_MS.never) {
        reported.all += 1;
        this.unread.push(this.writes.at(-1)!);
      }
    }
  }

  async join(filter: number): Promise<void> {
    const code = CODES[filter];
    const client = new Client(code ?? null, this.writes);
    this.clients.push(client);
    await client.follow(this.stream);
  }

  async end(): Promise<void> {
    this.isFailing = false;
    this.write(IDS[0]!);
    this.report([IDS[0]!]);
    // For the notice alone.
    await until(() => this.clients.every((client) => client.hasLast(IDS[0]!, this.prices)));
    await this.join(2);
    await until(() => this.clients.every((client) => IDS.every((id) => client.hasLast(id, this.prices))));
    for (const client of this.clients) client.leave();
    for (const { broken } of this.clients) expect(broken).toEqual([]);
  }

  private write(raceId: string): void {
    this.tick();
    this.prices.set(raceId, this.mark);
    this.writes.push({ raceId, mark: this.mark });
  }

  /** The database's clock: later at each look. */
  private tick(): number {
    this.mark = Math.max(this.mark + 1, NOW_MS + Math.floor(performance.now() - this.beganMs));
    return this.mark;
  }

  private writtenSince(sinceMs: number): readonly WrittenRace[] {
    const ids = new Set(this.writes.filter(({ mark }) => mark >= sinceMs).map(({ raceId }) => raceId));
    return [...ids].map(
      (id) => ({ race_id: id, category: codeOf(id), rewritten: false, turned: false }) as WrittenRace,
    );
  }

  private async boardSince({ sinceMs }: BoardSinceQuery) {
    const written = this.writtenSince(sinceMs).map(({ race_id }) => race_id);
    await delay(1);
    if (this.isAnew) afterNotices++;
    this.isAnew = false;
    this.isFollowed = written.length > 0;
    return { shown: IDS.join(), written, linked: [] };
  }

  private async board({ raceIds }: BoardQuery) {
    this.isAnew = raceIds !== undefined && !this.isFollowed;
    this.isFollowed = false;
    const races = IDS.filter((id) => raceIds?.includes(id) ?? true).map((id) => this.race(id));
    const read = this.unread.filter(({ raceId }) => raceIds?.includes(raceId) ?? true);
    // A reading takes a while, and what is written meanwhile is not in it.
    await delay(1);
    if (!this.isFailing) {
      this.unread = this.unread.filter((write) => !read.includes(write));
      if (raceIds) reported.readAnew += read.length;
      return races;
    }
    this.isFailing = false;
    throw new Error('the database is away');
  }

  private race(id: string) {
    const [none, win] = [
      [null, null, null],
      [this.prices.get(id)!, 2, 3],
    ];
    const quotes = { numbers: [1, 2, 3], win, place: none, top2: none, top3: none, top4: none };
    const book = { bookmaker: 'tab', polledAtMs: NOW_MS, sourceUrl: null, ...quotes, tote: null };
    return boardRace({ race_id: id, category: codeOf(id), startMs: START_MS, books: [book] });
  }
}

/** Keeps the prices of runner 1, and notes what must not happen. */
class Client {
  readonly broken: string[] = [];
  private readonly has = new Map<string, number>();
  private connection = '';
  private lastEventId: string | null = null;
  /** What changed since the id comes whole, also what the client has. */
  private isOpening = false;
  private place = '';
  leave = (): void => {};

  constructor(
    private readonly code: (typeof CODES)[number] | null,
    private readonly writes: readonly { readonly raceId: string; readonly mark: number }[],
  ) {}

  async follow(stream: ReturnType<typeof createChangesStream>): Promise<void> {
    const selection: Selection = {
      ...(this.code && { categories: [this.code] }),
      includeUnresolved: true,
      betslip: false,
      horizonHours: 48,
    };
    const waiting: Buffer[] = [];
    const sink = {
      event: (bytes: Buffer): void => {
        waiting.push(bytes);
      },
      lost: () => void this.broken.push('lost'),
    };
    this.connection = randomUUID();
    const start = { lastEventId: this.lastEventId, connection: this.connection };
    const { opening, leave } = await stream
      .open(selection, start, sink)
      .catch(() => stream.open(selection, start, sink));
    this.leave = leave;
    this.isOpening = true;
    for (const bytes of opening.slice(1)) this.read(String(bytes));
    this.isOpening = false;
    for (const bytes of waiting) this.read(String(bytes));
    sink.event = (bytes) => {
      this.read(String(bytes));
    };
  }

  async reconnect(stream: ReturnType<typeof createChangesStream>): Promise<void> {
    this.leave();
    await this.follow(stream);
  }

  hasLast(raceId: string, prices: ReadonlyMap<string, number>): boolean {
    return !this.sees(raceId) || this.has.get(raceId) === prices.get(raceId);
  }

  private sees(raceId: string): boolean {
    return this.code === null || codeOf(raceId) === this.code;
  }

  private read(text: string): void {
    for (const block of text.split('\n\n').filter(Boolean)) {
      const { event, id, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
      const body = JSON.parse(data);
      if (event === 'reset') this.broken.push(`begun anew: ${data}`);
      if (event === 'race') this.set(body.race_id, body.runners[0].bookmakers[0].win_price);
      for (const race of event === 'changes' ? body.races : [])
        for (const row of race.changed_runners) this.set(race.race_id, row.win_price);
      if (id !== undefined) this.pass(id);
    }
  }

  private set(raceId: string, price: number): void {
    if (!this.sees(raceId)) this.broken.push(`a race of another filter: ${raceId}`);
    const before = this.has.get(raceId) ?? 0;
    if (this.isOpening ? price < before : price <= before)
      this.broken.push(`twice, or out of order: ${raceId} ${price}`);
    this.has.set(raceId, price);
  }

  private pass(id: string): void {
    const [place = '', , connection] = id.split(' ');
    if (place < this.place) this.broken.push(`the id goes back: ${id}`);
    if (connection !== this.connection) this.broken.push(`the id of another connection: ${id}`);
    this.place = place;
    this.lastEventId = id;
    const placeMs = Date.parse(place);
    for (const { raceId, mark } of this.writes)
      if (this.sees(raceId) && mark < placeMs && (this.has.get(raceId) ?? 0) < mark)
        this.broken.push(`${raceId} ${mark} is before the id ${id}, and not sent`);
  }
}

test('notices lose, double and reorder nothing, and an id stands behind all that its client has not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(PAUSES_MS.never, PAUSES_MS.often), someSteps, async (pauseMs, steps) => {
      const world = new World(pauseMs);
      for (const filter of [0, 1, 2]) await world.join(filter);
      for (const step of steps) await world.take(step);
      await world.end();
    }),
    { numRuns: runs(100) },
  );
  expect(reported.readAnew / reported.all).toBeGreaterThan(0.35);
  expect(afterNotices).toBeGreaterThan(0);
});
