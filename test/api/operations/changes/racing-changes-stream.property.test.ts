// The stream equals the board (D64): whatever is written, however late it commits, and whatever processes end and
// connections break meanwhile, the client of docs/stream.md has what `next-to-go` reports, in every field but ages;
// also at speed 20.
import fc from 'fast-check';
import type { FeedRunner } from '../../../../src/domain/race/feed-race';
import type { PlacedRace } from '../../../../src/store/card/card';
import { createRaceStore } from '../../../../src/store/card/races';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { createResultStore } from '../../../../src/store/results/results';
import { type Served, serve } from '../../../support/api/served';
import { StreamFollower } from '../../../support/api/stream-follower';
import { runs } from '../../../support/property';
import { feedRunner, placedRace, raceSnapshot } from '../../../support/races/builders';
import { type SlowWriter, slowWriter } from '../../../support/servers/slow-writer';

const BOOKS = ['ladbrokes_au', 'tab', 'betfair_ex_au'] as const;
const NUMBERS = [1, 2, 3];
const OUT = { at: '2026-11-21T01:00:00.000Z', late: true, winDeduction: 0.1, placeDeduction: null };
/** Half a minute later than where the tier of its quotes changes, which no write shows. */
const START = '2026-11-21T06:00:30.000Z';
const MINUTE_MS = 60_000;

/** A race's own facts, each as its statement and the values that it takes. */
const FACTS = {
  track: ['UPDATE races SET track_condition = $2 WHERE race_id = $1', ['Good (4)', 'Soft (5)', null]],
  name: [
    'UPDATE races SET race_name = $2::text, prize_total = length($2::text) WHERE race_id = $1',
    ['Cup', 'Plate', null],
  ],
  class: [
    'UPDATE races SET race_class = $2::text, rail = $2, conditions = $2, track_name = $2 WHERE race_id = $1',
    ['A', 'B', null],
  ],
  places: ['UPDATE races SET places_paid = $2::int, distance_m = $2::int WHERE race_id = $1', [2, 3, null]],
  start: [
    'UPDATE races SET start_time = $2 WHERE race_id = $1',
    [START, '2026-11-21T06:10:00Z', '2026-12-24T06:00:00Z'],
  ],
  country: ['UPDATE races SET country = $2 WHERE race_id = $1', ['AU', 'US', null]],
  jump: ['UPDATE races SET jumped_at = $2 WHERE race_id = $1', [START, null]],
  jockey: ['UPDATE race_runners SET jockey = $2 WHERE race_id = $1 AND number = 2', ['A. Rider', 'B. Rider', null]],
  market: [
    `UPDATE races SET market_status = $2, market_state_source = 'tab' WHERE race_id = $1`,
    ['OPEN', 'SUSPENDED', null],
  ],
  linked: [
    'UPDATE race_books SET source_race_id = race_id::text || $2::text || bookmaker_key WHERE race_id = $1',
    ['a', 'b'],
  ],
  card: [
    `UPDATE race_book_cards SET card = jsonb_set(card, '{runners,0,sourceIds}', jsonb_build_object('win', $2::text)) WHERE race_id = $1`,
    ['10', '11'],
  ],
  check: [
    `INSERT INTO betslip_checks SELECT 'tab', now(), $2::boolean, 1, 1, NULL, CASE WHEN NOT $2::boolean THEN now() END FROM races WHERE race_id = $1
       ON CONFLICT (bookmaker_key) DO UPDATE SET ok = EXCLUDED.ok, failing_since = EXCLUDED.failing_since`,
    [true, false],
  ],
} as const satisfies Record<string, readonly [string, readonly unknown[]]>;

type Fact = keyof typeof FACTS;

type Step = { readonly race: number; readonly slow: boolean } & (
  | {
      readonly kind: 'price';
      readonly book: number;
      readonly number: number;
      readonly leg: keyof FeedRunner;
      readonly price: number | null;
    }
  | { readonly kind: 'scratch'; readonly number: number }
  | { readonly kind: 'rename' }
  | { readonly kind: 'tote' }
  | { readonly kind: 'abandon' | 'reinstate' }
  | { readonly kind: 'fact'; readonly fact: Fact; readonly value: number }
  | { readonly kind: 'commit' | 'look' | 'restart' | 'break' }
  /** A poll without a change; `away`: in a minute without a connection. */
  | { readonly kind: 'repoll' | 'away' }
);

/** Changes to a field that a book reports. */
type Change = Extract<Step, { kind: 'price' | 'scratch' | 'rename' | 'tote' }>;
const isChange = (step: Step): step is Change => ['price', 'scratch', 'rename', 'tote'].includes(step.kind);

const race = fc.constantFrom(0, 1);
const at = { race, slow: fc.boolean() };
const number = fc.constantFrom(...NUMBERS);
const is = <K extends string>(...kinds: readonly K[]) => fc.constantFrom(...kinds);
const leg = is('win', 'place', 'top2', 'top3', 'top4');
const price = fc.constantFrom(null, 2, 3, 4.5);
const fact = fc.constantFrom(...(Object.keys(FACTS) as Fact[]));
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: is('price'), ...at, book: fc.nat(2), number, leg, price }) },
  { weight: 2, arbitrary: fc.record({ kind: is('scratch'), ...at, number }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: is('rename', 'tote', 'abandon', 'reinstate'), ...at }) as fc.Arbitrary<Step>,
  },
  { weight: 9, arbitrary: fc.record({ kind: is('fact'), ...at, fact, value: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ kind: is('commit', 'look'), ...at }) },
  { weight: 4, arbitrary: fc.record({ kind: is('restart', 'break', 'break'), ...at }) },
  { weight: 3, arbitrary: fc.record({ kind: is('repoll', 'away'), ...at }) },
);

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serve();
  key = await served.addKey({ plan: 'enterprise' });
});
afterAll(async () => {
  await served.stop();
});

/** Two races, two books and the exchange; the field that each book reports, and the writes that are open. */
class World {
  private static count = 0;
  private static tick = 0;
  private readonly races: readonly PlacedRace[];
  private readonly fields = new Map<string, Map<number, FeedRunner>>();
  private readonly urls = new Map<string, string>();
  private readonly slow = new Map<number, SlowWriter>();
  private stream!: StreamFollower;

  constructor() {
    const venue = `Venue ${World.count++}`;
    this.races = [1, 2].map((raceNumber) => placedRace({ venue, raceNumber, country: 'AU', startTime: START }));
  }

  async open(options: Parameters<typeof StreamFollower.start>[2]): Promise<void> {
    const store = createRaceStore(served.db.pool);
    for (const [i, race] of this.races.entries())
      for (const book of BOOKS) {
        const listed = { ...race.listed, sourceRaceId: `${race.raceId}-${book}` };
        await store.saveCard(book, [{ ...race, listed }], this.now());
        const field = NUMBERS.map((each) => [each, feedRunner(each, { win: each + 1, place: 1.5 })] as const);
        this.fields.set(`${i}/${book}`, new Map(field));
        await this.poll(i, book);
      }
    this.stream = await StreamFollower.start(served, key, options);
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'look') return this.stream.untilEqual(this.ids);
    if (step.kind === 'restart') return this.stream.restart();
    if (step.kind === 'break') return this.stream.break();
    // Two writers of one race wait for each other, as they do in life, and a test that steps cannot wait.
    await this.commit(step.race);
    if (step.kind === 'away') return this.stream.away(() => this.minute(step.race));
    await this.write(step);
  }

  private async minute(race: number): Promise<void> {
    await this.poll(race, BOOKS[0]);
    this.stream.pass(MINUTE_MS);
  }

  async end(): Promise<void> {
    for (const race of [0, 1]) await this.commit(race);
    await this.stream.untilEqual(this.ids);
  }

  close(): Promise<void> {
    return this.stream.close();
  }

  private get ids(): readonly string[] {
    return this.races.map(({ raceId }) => raceId);
  }

  private async write(step: Step): Promise<void> {
    const { raceId } = this.races[step.race]!;
    const results = createResultStore(served.db.pool);
    if (step.kind === 'abandon') return results.abandon(raceId, 'abandoned', 'tab', this.now());
    if (step.kind === 'reinstate') return results.reinstate(raceId, this.now());
    if (step.kind === 'repoll') return this.poll(step.race, BOOKS[1]);
    if (step.kind === 'fact') {
      const [statement, values] = FACTS[step.fact];
      // One row for both races: two writers would wait for each other.
      const isSlow = step.slow && step.fact !== 'check';
      const pool = isSlow ? (await this.writer(step.race)).pool : served.db.pool;
      await pool.query(statement, [raceId, values[step.value % values.length]]);
    } else if (isChange(step)) await this.change(step);
  }

  private async change(step: Change): Promise<void> {
    const book = step.kind === 'price' ? BOOKS[step.book]! : BOOKS[0];
    const field = this.fields.get(`${step.race}/${book}`)!;
    const number = 'number' in step ? step.number : 1;
    const runner = field.get(number)!;
    if (step.kind === 'price') field.set(number, { ...runner, [step.leg]: step.price });
    else if (step.kind === 'scratch') field.set(number, { ...runner, scratching: runner.scratching ? null : OUT });
    else if (step.kind === 'rename') field.set(number, { ...runner, name: `Runner 1 ${World.tick % 3}` });
    else field.set(number, { ...runner, toteWin: { NSW: 2 + (World.tick % 5) } });
    this.urls.set(`${step.race}/${book}`, `https://book.example/${World.tick % 4}`);
    await this.poll(step.race, book, step.slow ? await this.writer(step.race) : undefined);
  }

  private async writer(race: number): Promise<SlowWriter> {
    const writer = await slowWriter(served.db.url);
    this.slow.set(race, writer);
    return writer;
  }

  private async commit(race: number): Promise<void> {
    await this.slow.get(race)?.commit();
    this.slow.delete(race);
  }

  private async poll(race: number, bookmakerKey: string, writer?: SlowWriter): Promise<void> {
    const sourceUrl = this.urls.get(`${race}/${bookmakerKey}`) ?? 'https://book.example/';
    await createQuoteStore(writer?.pool ?? served.db.pool).savePoll({
      raceId: this.races[race]!.raceId,
      bookmakerKey,
      fence: { epoch: 1, attempt: 1 },
      observedAt: this.now(),
      bookAt: null,
      snapshot: raceSnapshot({ runners: [...this.fields.get(`${race}/${bookmakerKey}`)!.values()], sourceUrl }),
      marketStateSource: bookmakerKey === 'tab',
      startSource: false,
    });
  }

  /** No two polls at one instant. */
  private now(): string {
    return new Date(Date.parse('2026-11-21T00:00:00.000Z') + World.tick++ * 1000).toISOString();
  }
}

const taken = async (steps: readonly Step[], options: Parameters<World['open']>[0]): Promise<void> => {
  const world = new World();
  await world.open(options);
  try {
    for (const step of steps) await world.take(step);
    await world.end();
  } finally {
    await world.close();
  }
};

const PLACE: Step = { kind: 'price', race: 0, slow: false, book: 1, number: 1, leg: 'place', price: 2 };
const GONE: readonly Step[] = (['start', 'country', 'jump'] as const).flatMap((fact) =>
  [2, 0, 1].map((value): Step => ({ kind: 'fact', race: 0, slow: value === 2, fact, value })),
);
const LOOK: Step = { kind: 'look', race: 0, slow: false };
const BREAK: Step = { kind: 'break', race: 0, slow: false };

const AWAY: Step = { kind: 'away', race: 0, slow: false };

const OPTIONS = [
  { search: '?include_unresolved=true' },
  { search: '?country=AU', clock: { anchorMs: Date.now(), speed: 20 } },
];

test('after every event a client has what next-to-go reports, whatever is written and breaks, also at speed 20', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 40 }), fc.constantFrom(...OPTIONS), taken),
    {
      // Three of them are the examples.
      numRuns: runs(50, 8),
      examples: [
        [[PLACE, LOOK, { ...PLACE, slow: true, price: 3 }, BREAK], OPTIONS[0]!],
        [[LOOK, AWAY, LOOK, AWAY], OPTIONS[0]!],
        [GONE.flatMap((one) => [one, LOOK, BREAK]), OPTIONS[1]!],
      ],
    },
  );
});

test('30 random breaks at speed 20 lose nothing', async () => {
  const steps = fc
    .sample(aStep, { numRuns: 60, seed: 20261124 })
    .filter(({ kind }) => kind !== 'break' && kind !== 'restart');
  const breaks = [BREAK, { ...BREAK, kind: 'restart' as const }];
  const mixed = Array.from({ length: 30 }, (_, i) => [
    steps[(2 * i) % steps.length]!,
    steps[(2 * i + 1) % steps.length]!,
    breaks[i % 2]!,
  ]);
  await taken(mixed.flat(), { clock: { anchorMs: Date.now(), speed: 20 }, search: '?include_unresolved=true' });
});
