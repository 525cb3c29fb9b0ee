// Books' reports on one race merge to one result, whichever comes first.
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
    inSettlingOrder(Object.entries(books).map(([bookmakerKey, over]) => ({ bookmakerKey, result: feedResult(over) }))),
    [],
    new Map([[6, 'race-6']]),
  );

test('a daily double whose legs only one book reports is one dividend with these legs', () => {
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

test('legs of another tote are not used; two winning combinations of one book are both kept', () => {
  const other = { ...DOUBLE, product: 'NSW', legs: legs(6, 8) };
  const heat = [DOUBLE, { ...DOUBLE, selection: '7,2', amount: 9 }];
  const { multi_race } = merged({ ladbrokes_au: { multiRace: heat }, tab: { multiRace: [other] } })!;
  expect(multi_race.map(({ product, selection, legs }) => [product, selection, legs.length])).toEqual([
    ['VIC', '7,1', 0],
    ['VIC', '7,2', 0],
    ['NSW', '7,1', 2],
  ]);
});

test('a dead heat for the win has two win dividends, of the first book that declares the product', () => {
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

describe('the placings used', () => {
  const placed = (books: Record<string, Partial<FeedResult>>) =>
    mergedResult(
      inSettlingOrder(
        Object.entries(books).map(([bookmakerKey, over]) => ({ bookmakerKey, result: feedResult(over) })),
      ),
    );
  const REVERSED = [3, 2, 1].map((number, i) => ({ position: i + 1, number, name: null }));

  test('are those of a book that calls them final, before those of a better-ranked one stuck at interim', () => {
    const reports = { ladbrokes_au: { placings: REVERSED }, neds: { stage: 'final' as const } };
    expect(placed(reports)).toMatchObject({ source: 'neds', placings: feedResult().placings });
    expect(placed({ ...reports, neds: {} })).toMatchObject({ source: 'ladbrokes_au', placings: REVERSED });
    expect(placed({ ...reports, neds: { stage: 'final', placings: [] } })).toMatchObject({ source: 'ladbrokes_au' });
  });

  test('a protest stands, with the reason of the book that reports it, until a book calls the result final', () => {
    const protest = { protest: true, note: 'protest: 2nd against 1st' };
    expect(placed({ ladbrokes_au: {}, neds: protest })).toMatchObject({ protest: true, note: protest.note });
    expect(placed({ ladbrokes_au: protest, neds: { stage: 'final' } })).toMatchObject({ protest: false, note: null });
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
  /** Has each product at most once, as from the connectors; its lists may be taken down. */
  const aResult: fc.Arbitrary<FeedResult> = fc
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
  const sequences = fc.tuple(...BOOKS.map(() => fc.array(aResult, { minLength: 1, maxLength: 4 })));

  /** The reports of every book in its own order, interleaved by `turns`. */
  function interleaved(reports: readonly (readonly FeedResult[])[], turns: readonly number[]) {
    const left = reports.map((own) => [...own]);
    const replies: { source: string; result: FeedResult }[] = [];
    for (const turn of [...turns, ...reports.flatMap((own, book) => own.map(() => book))]) {
      const result = left[turn]!.shift();
      if (result) replies.push({ source: BOOKS[turn]!, result });
    }
    return replies;
  }

  async function stored(replies: ReturnType<typeof interleaved>) {
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

  test('the books’ replies give one result in any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, fc.array(fc.nat(2), { maxLength: 12 }), async (reports, turns) => {
        expect(await stored(interleaved(reports, turns))).toEqual(await stored(interleaved(reports, [])));
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
  const report = (source: string, result: Partial<FeedResult>) => ({ source, result: feedResult(result) });

  test('each list that a book has taken down is kept; a correction replaces it, even within a product', async () => {
    const first = report('tab', { ...win(3.1), ...quinella(8) });
    expect(pays(await stored([first, report('tab', quinella(7.5))]))).toEqual([[3.1], [7.5]]);
    expect(pays(await stored([first, report('tab', win(3.2)), report('tab', {})]))).toEqual([[3.2], [8]]);
    expect(await stored([first, report('tab', { multiRace: [DOUBLE] }), report('tab', {})])).toMatchObject({
      dividends: { straight: [{ amount: 3.1 }], multi_race: [{ code: 'DD' }] },
    });
  });

  test('if all books take theirs down the result is the same, whichever is last', async () => {
    const ladbrokes = report('ladbrokes_au', win(2.9));
    const tab = report('tab', { ...win(3.1), ...quinella(8) });
    const ladbrokesDown = report('ladbrokes_au', {});
    const tabDown = report('tab', {});
    const left = [[2.9], [8]];
    expect(pays(await stored([ladbrokes, tab, ladbrokesDown, tabDown]))).toEqual(left);
    expect(pays(await stored([ladbrokes, tab, tabDown, ladbrokesDown]))).toEqual(left);
    expect(pays(await stored([tab, tabDown, ladbrokes, ladbrokesDown]))).toEqual(left);
  });

  test('new placings before the final drop the dividends of the earlier ones', async () => {
    const upheld = { placings: [2, 1, 3].map((number, i) => ({ position: i + 1, number, name: null })) };
    const declared = report('tab', win(3.1));
    expect(await stored([declared, report('tab', upheld)])).toMatchObject({
      placings_key: '1:2|2:1|3:3',
      dividends: null,
    });
    const again = { ...win(4.2), straight: [{ ...win(4.2).straight[0]!, number: 2 }] };
    expect(pays(await stored([declared, report('tab', upheld), report('tab', { ...upheld, ...again })]))).toEqual([
      [4.2],
      [],
    ]);
  });

  test('a book that still has other placings declares nothing for these; a book with fewer of them does', async () => {
    const upheld = { placings: [2, 1, 3].map((number, i) => ({ position: i + 1, number, name: null })) };
    const second = { straight: [{ market: 'WIN' as const, product: 'NSW', number: 2, amount: 4.2 }] };
    const final = report('ladbrokes_au', { ...upheld, ...second, stage: 'final' });
    expect(pays(await stored([report('tab', { ...win(3.1), ...quinella(8) }), final]))).toEqual([[4.2], []]);
    const first = { placings: upheld.placings.slice(0, 2), ...quinella(8) };
    expect(pays(await stored([report('tab', first), final]))).toEqual([[4.2], [8]]);
  });

  test('a report that arrives after a later one of the same book changes nothing', async () => {
    const { raceId } = await addRace(db.pool, { raceNumber: ++races }, { tab: {} });
    const store = createResultStore(db.pool);
    await store.saveResult({ raceId, ...report('tab', { stage: 'final' }), at: secondsOn(60) });
    const late = report('tab', { placings: [{ position: 1, number: 3, name: null }], protest: true });
    const result = await store.saveResult({ raceId, ...late, at: secondsOn(40) });
    expect(result).toMatchObject({ placingsKey: '1:1|2:2|3:3', protest: false });
  });
});
