// What books say of one outcome merges to one result, whoever speaks first.
import fc from 'fast-check';
import type { FeedResult } from '../../../src/domain/race/feed-race';
import { inSettlingOrder, mergedDividends, mergedResult } from '../../../src/store/results/merge';
import { createResultStore } from '../../../src/store/results/results';
import { runs } from '../../support/property';
import { addRace } from '../../support/races/board';
import { feedField, feedResult } from '../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const QUADDIE = { code: 'QD', type: 'Quaddie', product: 'VIC', selection: '1,2,3,4', amount: 90, legs: [] };
const DOUBLE = { ...QUADDIE, code: 'DD', type: 'Daily Double', selection: '7,1', amount: 12 };
const legs = (...numbers: number[]) => numbers.map((raceNumber) => ({ raceNumber }));
const merged = (books: Record<string, Partial<FeedResult>>) =>
  mergedDividends(
    inSettlingOrder(Object.entries(books).map(([bookmakerKey, said]) => ({ bookmakerKey, result: feedResult(said) }))),
    [],
    new Map([[6, 'race-6']]),
  );

test('a daily double whose legs one book does not name is one dividend, with the legs of the book that does', () => {
  const { multi_race } = merged({
    ladbrokes_au: { multiRace: [DOUBLE] },
    tab: { multiRace: [{ ...DOUBLE, legs: legs(6, 8) }] },
  })!;
  expect(multi_race).toEqual([
    expect.objectContaining({
      legs: [
        { race_number: 6, race_id: 'race-6' },
        { race_number: 8, race_id: null },
      ],
    }),
  ]);
});

test('another tote’s legs are no legs of this one; two winning combinations of one book both stand', () => {
  const other = { ...DOUBLE, product: 'NSW', legs: legs(6, 8) };
  const heat = [DOUBLE, { ...DOUBLE, selection: '7,2', amount: 9 }];
  const { multi_race } = merged({ ladbrokes_au: { multiRace: heat }, tab: { multiRace: [other] } })!;
  expect(multi_race.map(({ product, selection, legs }) => [product, selection, legs.length])).toEqual([
    ['VIC', '7,1', 0],
    ['VIC', '7,2', 0],
    ['NSW', '7,1', 2],
  ]);
});

test('a win dead heat has two win dividends, of the first book that declares the product', () => {
  const win = (number: number, amount: number) => ({ market: 'WIN', product: 'VIC', number, amount }) as const;
  const { straight, straight_types } = merged({
    tab: { straight: [win(1, 2), win(2, 3)] },
    ladbrokes_au: { straight: [win(1, 2.1), win(2, 3.1)] },
  })!;
  expect(straight.map(({ number, amount }) => [number, amount])).toEqual([
    [1, 2.1],
    [2, 3.1],
  ]);
  expect(straight_types).toEqual(['VIC']);
});

describe('whose placings stand', () => {
  const outcome = (books: Record<string, Partial<FeedResult>>) =>
    mergedResult(
      inSettlingOrder(
        Object.entries(books).map(([bookmakerKey, said]) => ({ bookmakerKey, result: feedResult(said) })),
      ),
    );
  const REVERSED = [3, 2, 1].map((number, i) => ({ position: i + 1, number, name: null }));

  test('those of a book that calls them final, before a better-ranked one that is stuck at interim', () => {
    const said = { ladbrokes_au: { placings: REVERSED }, neds: { stage: 'final' as const } };
    expect(outcome(said)).toMatchObject({ source: 'neds', placings: feedResult().placings });
    expect(outcome({ ...said, neds: {} })).toMatchObject({ source: 'ladbrokes_au', placings: REVERSED });
    expect(outcome({ ...said, neds: { stage: 'final', placings: [] } })).toMatchObject({ source: 'ladbrokes_au' });
  });

  test('a protest stands, with the reason of the book that tells it, until a book calls the result final', () => {
    const protest = { protest: true, note: 'protest: 2nd against 1st' };
    expect(outcome({ ladbrokes_au: {}, neds: protest })).toMatchObject({ protest: true, note: protest.note });
    expect(outcome({ ladbrokes_au: protest, neds: { stage: 'final' } })).toMatchObject({ protest: false, note: null });
  });
});

describe('in the database', () => {
  let db: TestDatabase;
  let races = 0;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  const order = fc.constantFrom<[number, number][]>(
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ],
    [
      [1, 2],
      [2, 1],
      [3, 3],
      [4, 4],
    ],
    [
      [1, 1],
      [1, 2],
      [3, 3],
      [4, 4],
    ],
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [4, 5],
      [6, 6],
    ],
    [
      [1, 5],
      [2, 1],
      [3, 2],
    ],
  );
  const amount = fc.integer({ min: 11, max: 900 }).map((tenths) => tenths / 10);
  const tote = fc.constantFrom('VIC', 'NSW');
  /** Each says a product at most once, as the connectors do; it may have taken its lists down. */
  const outcome: fc.Arbitrary<FeedResult> = fc
    .record({
      order,
      tote,
      amount,
      stage: fc.constantFrom('interim' as const, 'final' as const),
      protest: fc.boolean(),
      declares: fc.constantFrom<readonly string[]>([], [], [], ['straight'], ['exotics'], ['straight', 'exotics']),
    })
    .map(({ order, tote, amount, stage, protest, declares }) => ({
      stage,
      protest: protest && stage === 'interim',
      note: protest && stage === 'interim' ? 'protest' : null,
      placings: order.map(([position, number]) => ({ position, number, name: null })),
      straight: order
        .filter(([position]) => declares.includes('straight') && position === 1)
        .map(([, number]) => ({ market: 'WIN', product: tote, number, amount })),
      exotics: declares.includes('exotics') ? [{ code: 'QN', product: tote, selection: '1,2', amount }] : [],
      multiRace: declares.includes('exotics') ? [{ ...QUADDIE, product: tote, amount }] : [],
    }));
  const BOOKS = ['ladbrokes_au', 'neds', 'tab'];
  const told = fc.tuple(...BOOKS.map(() => fc.array(outcome, { minLength: 1, maxLength: 4 })));

  /** The words of every book in its own order, the books interleaved as `turns` has it. */
  function interleaved(said: readonly (readonly FeedResult[])[], turns: readonly number[]) {
    const left = said.map((words) => [...words]);
    const replies: { source: string; result: FeedResult }[] = [];
    for (const turn of [...turns, ...said.flatMap((words, book) => words.map(() => book))]) {
      const result = left[turn]!.shift();
      if (result) replies.push({ source: BOOKS[turn]!, result });
    }
    return replies;
  }

  async function held(replies: ReturnType<typeof interleaved>) {
    const runners = feedField(2.5, 4.2, 8, 11, 21, 31);
    const { raceId } = await addRace(
      db.pool,
      { raceNumber: ++races },
      { ladbrokes_au: { runners: runners.slice(0, 4) }, tab: { runners } },
    );
    const store = createResultStore(db.pool);
    for (const [i, reply] of replies.entries()) {
      const at = new Date(Date.parse('2026-11-21T03:04:00.000Z') + i * 20_000).toISOString();
      await store.saveResult({ raceId, ...reply, at });
    }
    const { rows } = await db.pool.query(
      'SELECT status, status_note, protest, placings, placings_key, price_source, dividends, deductions, source FROM race_results WHERE race_id = $1',
      [raceId],
    );
    return rows[0];
  }

  test('any order in which the books’ replies arrive gives one result', async () => {
    await fc.assert(
      fc.asyncProperty(told, fc.array(fc.nat(2), { maxLength: 12 }), async (said, turns) => {
        expect(await held(interleaved(said, turns))).toEqual(await held(interleaved(said, [])));
      }),
      { numRuns: runs(40) },
    );
  });

  const CALLED = '2026-11-21T03:04:00.000Z';
  const secondsOn = (seconds: number) => new Date(Date.parse(CALLED) + seconds * 1000).toISOString();
  const win = (amount: number) => ({ straight: [{ market: 'WIN' as const, product: 'VIC', number: 1, amount }] });
  const quinella = (amount: number) => ({
    exotics: [{ code: 'QN' as const, product: 'VIC', selection: '1,2', amount }],
  });
  const pays = (row: { dividends: Record<'straight' | 'exotics', { amount: number }[]> | null }) =>
    row.dividends && [row.dividends.straight, row.dividends.exotics].map((rows) => rows.map(({ amount }) => amount));
  const say = (source: string, result: Partial<FeedResult>) => ({ source, result: feedResult(result) });

  test('what a book has taken down since still stands, list by list; what it corrects replaces, also within a product', async () => {
    const first = say('tab', { ...win(3.1), ...quinella(8) });
    expect(pays(await held([first, say('tab', quinella(7.5))]))).toEqual([[3.1], [7.5]]);
    expect(pays(await held([first, say('tab', win(3.2)), say('tab', {})]))).toEqual([[3.2], [8]]);
    expect(await held([first, say('tab', { multiRace: [DOUBLE] }), say('tab', {})])).toMatchObject({
      dividends: { straight: [{ amount: 3.1 }], multi_race: [{ code: 'DD' }] },
    });
  });

  test('all books taking theirs down leaves the same, whoever does it last', async () => {
    const [ladbrokes, tab] = [say('ladbrokes_au', win(2.9)), say('tab', { ...win(3.1), ...quinella(8) })];
    const [ladbrokesDown, tabDown] = [say('ladbrokes_au', {}), say('tab', {})];
    const left = [[2.9], [8]];
    expect(pays(await held([ladbrokes, tab, ladbrokesDown, tabDown]))).toEqual(left);
    expect(pays(await held([ladbrokes, tab, tabDown, ladbrokesDown]))).toEqual(left);
    expect(pays(await held([tab, tabDown, ladbrokes, ladbrokesDown]))).toEqual(left);
  });

  test('other placings before the final take with them what was declared for the earlier ones', async () => {
    const upheld = { placings: [2, 1, 3].map((number, i) => ({ position: i + 1, number, name: null })) };
    const declared = say('tab', win(3.1));
    expect(await held([declared, say('tab', upheld)])).toMatchObject({ placings_key: '1:2|2:1|3:3', dividends: null });
    const again = { ...win(4.2), straight: [{ ...win(4.2).straight[0]!, number: 2 }] };
    expect(pays(await held([declared, say('tab', upheld), say('tab', { ...upheld, ...again })]))).toEqual([[4.2], []]);
  });

  test('a book that still says other placings declares nothing for these; one that names fewer of them does', async () => {
    const upheld = { placings: [2, 1, 3].map((number, i) => ({ position: i + 1, number, name: null })) };
    const second = { straight: [{ market: 'WIN' as const, product: 'NSW', number: 2, amount: 4.2 }] };
    const final = say('ladbrokes_au', { ...upheld, ...second, stage: 'final' });
    expect(pays(await held([say('tab', { ...win(3.1), ...quinella(8) }), final]))).toEqual([[4.2], []]);
    const first = { placings: upheld.placings.slice(0, 2), ...quinella(8) };
    expect(pays(await held([say('tab', first), final]))).toEqual([[4.2], [8]]);
  });

  test('a word that arrives after a later one of the same book changes nothing', async () => {
    const { raceId } = await addRace(db.pool, { raceNumber: ++races }, { tab: {} });
    const store = createResultStore(db.pool);
    await store.saveResult({ raceId, ...say('tab', { stage: 'final' }), at: secondsOn(60) });
    const late = say('tab', { placings: [{ position: 1, number: 3, name: null }], protest: true });
    const result = await store.saveResult({ raceId, ...late, at: secondsOn(40) });
    expect(result).toMatchObject({ placingsKey: '1:1|2:2|3:3', protest: false });
  });
});
