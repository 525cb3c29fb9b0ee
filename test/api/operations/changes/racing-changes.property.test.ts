// A client that follows `changes` from any moment has the prices that `next-to-go` serves, whatever is written and
// however late it commits; and the newest `odds.change` of a race has the best prices that `best-odds` compares.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../../../../src/api/kernel/endpoint/visibility';
import { bestLines } from '../../../../src/api/operations/prices/present-best-lines';
import { BETWEEN_CHANGES_MS, type RunnerPrice } from '../../../../src/domain/events/odds-change';
import type { FeedRunner } from '../../../../src/domain/race/feed-race';
import { PLANS } from '../../../../src/plans/plans';
import type { PlacedRace } from '../../../../src/store/card/card';
import { createRaceStore } from '../../../../src/store/card/races';
import { follow } from '../../../../src/store/events/follow-prices';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { readBoard } from '../../../../src/store/reads/races/board';
import { createResultStore } from '../../../../src/store/results/results';
import { NOW } from '../../../support/api/api';
import { Follower, served as servedNow } from '../../../support/api/follower';
import { type Served, serve } from '../../../support/api/served';
import { runs } from '../../../support/property';
import { feedRunner, placedRace, raceSnapshot } from '../../../support/races/builders';
import { poolAs } from '../../../support/servers/roles';
import { type SlowWriter, slowWriter } from '../../../support/servers/slow-writer';

/** The first has precedence: its names are the card's. */
const BOOKS = ['ladbrokes_au', 'tab', 'betfair_ex_au'] as const;
const NAMER = BOOKS[0];
const NUMBERS = [1, 2, 3];
/** Half an hour ahead. */
const START = '2026-11-21T03:30:00.000Z';
const OUT = { at: null, late: null, winDeduction: null, placeDeduction: null };
const NAMES = ['Alpha', 'Beta', 'Gamma'];

let served: Served;
let key: string;
let worker: Pool;
beforeAll(async () => {
  served = await serve();
  key = await served.addKey({ plan: 'enterprise' });
  worker = poolAs(served.db, 'racing_worker');
  await served.db.pool.query(
    `INSERT INTO webhooks (webhook_id, account_id, url, secret, created_at)
     SELECT 'wh_000000000001', account_id, 'https://receiver.example', 'whsec_', now() FROM accounts`,
  );
});
afterAll(async () => {
  await worker.end();
  await served.stop();
});

interface Book {
  readonly race: number;
  readonly book: (typeof BOOKS)[number];
}

/** `slow`: its transaction stays open until the race is written again. */
type Move = { readonly slow: boolean; readonly number: number } & (
  | (Book & { readonly kind: 'price'; readonly win: number | null })
  | (Book & { readonly kind: 'scratch' | 'leave' | 'other' })
  | { readonly kind: 'name'; readonly race: number; readonly name: string }
);

interface Turn {
  readonly kind: 'commit' | 'country' | 'abandon' | 'reinstate';
  readonly race: number;
}

/** `announce`: a pass of the follower of prices; `die`: one that is cut off in the middle. */
type Step = Move | Turn | { readonly kind: 'start' | 'follow' | 'announce' | 'die' };

const race = fc.constantFrom(0, 1);
const book = fc.constantFrom(...BOOKS);
const move = { race, number: fc.constantFrom(...NUMBERS), slow: fc.boolean() };
const is = <K extends string>(...kinds: readonly K[]) => fc.constantFrom(...kinds);
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  often(14, fc.record({ kind: is('price'), ...move, book, win: fc.constantFrom(null, 2, 3, 4.5) })),
  often(3, fc.record({ kind: is('scratch', 'leave', 'other'), ...move, book })),
  often(2, fc.record({ kind: is('name'), ...move, name: fc.constantFrom(...NAMES, 'Delta') })),
  often(3, fc.record({ kind: is('commit'), race })),
  often(1, fc.record({ kind: is('country', 'abandon', 'reinstate'), race })),
  often(2, fc.record({ kind: is('start') })),
  often(8, fc.record({ kind: is('follow') })),
  often(6, fc.record({ kind: is('announce', 'announce', 'die') })),
);

interface Announced {
  readonly raceId: string;
  readonly at: string;
  readonly runners: readonly RunnerPrice[];
}

/** A row of number, name and price. */
const isPriced = (row: readonly unknown[]): boolean => row[2] !== undefined;

/** Two races, two books and the exchange; the field that each book reports now, and the writes that are still open. */
class World {
  private static count = 0;
  private readonly races: PlacedRace[];
  private readonly fields = new Map<string, Map<number, FeedRunner>>();
  private readonly slow = new Map<number, SlowWriter>();
  private readonly followers: Follower[] = [];
  private readonly offBoard = new Set<number>();
  private tick = 0;

  constructor() {
    const venue = `Venue ${World.count++}`;
    this.races = [0, 1].map((i) =>
      placedRace({ venue, raceNumber: i + 1, country: i === 0 ? 'AU' : null, startTime: START }),
    );
  }

  async open(): Promise<void> {
    const store = createRaceStore(served.db.pool);
    for (const race of [0, 1]) {
      for (const book of BOOKS) {
        await store.saveCard(book, [this.placed(race, book)], this.now());
        const field = NUMBERS.map(
          (each) => [each, feedRunner(each, { name: NAMES[each - 1]!, win: each + 1 })] as const,
        );
        this.fields.set(`${race}/${book}`, new Map(field));
        await this.poll({ race, book });
      }
    }
  }

  async take(step: Step): Promise<void> {
    if (!('race' in step)) return this[step.kind]();
    // Two writers of one race wait for each other, as they do in life, and a test that steps cannot wait.
    await this.settle(step.race);
    if ('slow' in step) await this.change(step);
    else await this.turn(step);
  }

  async start(): Promise<void> {
    const follower = new Follower(served.api, key);
    await follower.start();
    this.followers.push(follower);
  }

  async follow(): Promise<void> {
    for (const follower of this.followers) await follower.poll();
  }

  async announce(): Promise<void> {
    await follow({ pool: worker, now: () => this.now(), entitledPlans: PLANS.map(({ id }) => id) });
  }

  async die(): Promise<void> {
    const now = () => {
      throw new Error('cut off');
    };
    await expect(follow({ pool: worker, now, entitledPlans: PLANS.map(({ id }) => id) })).rejects.toThrow('cut off');
  }

  private async turn({ kind, race }: Turn): Promise<void> {
    const { raceId } = this.races[race]!;
    const races = createRaceStore(served.db.pool);
    const results = createResultStore(served.db.pool);
    if (kind === 'abandon') {
      this.offBoard.add(race);
      await results.abandon(raceId, 'abandoned', 'tab', this.now());
      await races.savePhase(raceId, 'final', { leftBoardAt: this.now() }, this.now());
    } else if (kind === 'reinstate') {
      this.offBoard.delete(race);
      await results.reinstate(raceId, this.now());
    } else if (kind === 'country') {
      const placed = this.placed(race, 'tab');
      await races.saveCard('tab', [{ ...placed, listed: { ...placed.listed, country: 'AU' } }], this.now());
    }
  }

  private async change(step: Move): Promise<void> {
    const at = { book: NAMER, ...step };
    const field = this.field(at);
    if (step.kind === 'name') this.rename(step.race, step.number, step.name);
    else if (step.kind === 'price') this.put(at, step.number, (runner) => ({ ...runner, win: step.win }));
    else if (step.kind === 'scratch')
      this.put(at, step.number, (one) => ({ ...one, scratching: one.scratching ? null : OUT }));
    else if (step.book === NAMER) return;
    else if (step.kind === 'other') field.set(step.number, feedRunner(step.number, { name: 'Another' }));
    else if (field.size > 1) field.delete(step.number);
    const writer = step.slow ? await slowWriter(served.db.url) : undefined;
    if (writer) this.slow.set(step.race, writer);
    await this.poll(at, writer);
  }

  /** Two runners never have one name: the runner that has it takes the other's. */
  private rename(race: number, number: number, name: string): void {
    const field = this.field({ race, book: NAMER });
    const before = field.get(number)!.name;
    const other = [...field.values()].find((runner) => runner.name === name);
    if (other) field.set(other.number, { ...other, name: before });
    field.set(number, { ...field.get(number)!, name });
  }

  private put(at: Book, number: number, change: (runner: FeedRunner) => FeedRunner): void {
    const field = this.field(at);
    field.set(number, change(field.get(number) ?? feedRunner(number, { name: NAMES[number - 1]! })));
  }

  private field({ race, book }: Book): Map<number, FeedRunner> {
    return this.fields.get(`${race}/${book}`)!;
  }

  private async poll(at: Book, writer?: SlowWriter): Promise<void> {
    const { raceId } = this.races[at.race]!;
    await createQuoteStore(writer?.pool ?? served.db.pool).savePoll({
      raceId,
      bookmakerKey: at.book,
      fence: { epoch: 1, attempt: 1 },
      observedAt: this.now(),
      bookAt: null,
      snapshot: raceSnapshot({ runners: [...this.field(at).values()] }),
      marketStateSource: false,
      startSource: false,
    });
  }

  private async settle(race: number): Promise<void> {
    await this.slow.get(race)?.commit();
    this.slow.delete(race);
  }

  async end(): Promise<void> {
    for (const race of [0, 1]) await this.settle(race);
    const stands = await servedNow(served.api, key);
    for (const follower of this.followers) {
      await follower.poll();
      expect(this.own(follower.winPrices)).toEqual(this.own(stands));
    }
  }

  /** Nothing is due any more, and no two events of a race are closer than they may be. */
  async endAnnounced(): Promise<void> {
    this.tick += BETWEEN_CHANGES_MS / 1000;
    await this.announce();
    await this.announce();
    const { rows } = await served.db.pool.query<Announced>(
      `SELECT race_id AS "raceId", occurred_at AS at, facts->'runners' AS runners FROM events
        WHERE kind = 'odds.change' AND race_id = ANY ($1) ORDER BY written`,
      [this.races.map(({ raceId }) => raceId)],
    );
    for (const { raceId } of this.races) {
      const times = rows.filter((row) => row.raceId === raceId).map(({ at }) => Date.parse(at));
      for (const [i, ms] of times.slice(1).entries()) expect(ms - times[i]!).toBeGreaterThanOrEqual(BETWEEN_CHANGES_MS);
    }
    const newest = new Map(rows.map((row) => [row.raceId, row.runners] as const));
    const from = '2026-11-21T00:00:00.000Z';
    const window = { at: NOW, from, until: '2026-11-22T00:00:00.000Z', includeUnresolved: false };
    const board = await readBoard(served.db.pool, { ...window, bookmakers: CUSTOMERS.compared, limit: 1000 });
    for (const race of board.filter((one) => this.races.some(({ raceId }) => raceId === one.race_id))) {
      const best = bestLines(race, 0).runners.map(({ runner, win }) => [runner.number, runner.name, win.best?.price]);
      const announced = newest.get(race.race_id)?.map(({ number, name, best_win }) => [number, name, best_win?.price]);
      expect(announced?.filter(isPriced)).toEqual(best.filter(isPriced));
      await this.expectOpened(race.race_id);
    }
  }

  private async expectOpened(raceId: string): Promise<void> {
    const { rowCount } = await served.db.pool.query(
      `SELECT FROM events WHERE kind = 'race.odds_open' AND race_id = $1`,
      [raceId],
    );
    expect(rowCount).toBe(1);
  }

  private own(prices: Record<string, number>): Record<string, number> {
    const ids = this.races.filter((_, i) => !this.offBoard.has(i)).map(({ raceId }) => raceId);
    return Object.fromEntries(Object.entries(prices).filter(([id]) => ids.includes(id.slice(0, 36))));
  }

  private placed(race: number, book: string): PlacedRace {
    const placed = this.races[race]!;
    return { ...placed, listed: { ...placed.listed, sourceRaceId: `${placed.raceId}-${book}` } };
  }

  /** No two polls at one instant. */
  private now(): string {
    return new Date(Date.parse('2026-11-21T02:00:00.000Z') + this.tick++ * 1000).toISOString();
  }
}

/**
 * Two runners swap their numbers while no book moves a price, and swap them back: each time the old names get other
 * prices.
 */
const SWAP: Step = { kind: 'name', race: 0, number: 1, name: 'Beta', slow: false };
const THERE_AND_BACK: Step[] = [SWAP, { kind: 'follow' }, { ...SWAP, number: 2 }, { kind: 'follow' }];

/** A price is written before a pass of the follower and committed after it; then a pass is cut off. */
const SLOW: Step[] = [
  { kind: 'announce' },
  { kind: 'price', race: 0, book: NAMER, number: 3, win: 4.5, slow: true },
  { kind: 'announce' },
  { kind: 'commit', race: 0 },
  { kind: 'die' },
];

test('a follower has what next-to-go serves, and the newest odds.change equals what best-odds compares', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = new World();
      await world.open();
      await world.take({ kind: 'start' });
      for (const step of steps) await world.take(step);
      await world.end();
      await world.endAnnounced();
    }),
    {
      numRuns: runs(25),
      examples: [[THERE_AND_BACK], [[{ kind: 'announce' }, ...THERE_AND_BACK, { kind: 'die' }, SWAP]], [SLOW]],
    },
  );
});
