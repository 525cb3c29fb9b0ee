// One premiership table is replaced as a whole, only by a newer reading.
import { createReads } from '../../../src/store/reads/reads';
import { createPremiershipStore } from '../../../src/store/registry/premierships';
import { premiershipPage } from '../../support/races/premierships';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
const TABLE = { role: 'jockey', state: 'NSW', scope: 'metro', seasonStartYear: 2026 } as const;
const read = (over: object = {}) => createReads(db.pool).premierships({ ...TABLE, name: null, ...over } as never);

test('a newer reading replaces the table, an older or equal one does not; a failed attempt keeps it; an empty table is stored', async () => {
  const store = createPremiershipStore(db.pool);
  await store.noteTried(TABLE, at(1), true);
  expect(await read()).toMatchObject([{ scraped_at: null, absent: true, rows: [] }]);
  const three = premiershipPage(
    { name: 'A Rider' },
    { name: 'B Rider', code: null, firsts: null },
    { name: 'C Rider' },
  );
  expect(await store.save(TABLE, three, at(3))).toBe(true);
  expect(await store.save(TABLE, premiershipPage({ name: 'Late' }), at(2))).toBe(false);
  expect(await store.save(TABLE, premiershipPage({ name: 'Same' }), at(3))).toBe(false);
  const [first] = await read();
  expect(first).toMatchObject({ scraped_at: at(3), absent: false, period_from: '2026-08-01', period_to: '2026-11-20' });
  expect(first!.rows.map(({ rank, name, code, firsts }) => [rank, name, code, firsts])).toEqual([
    [1, 'A Rider', '30417', 12.5],
    [2, 'B Rider', null, null],
    [3, 'C Rider', '30417', 12.5],
  ]);
  await store.noteTried(TABLE, at(5), false);
  await store.noteTried(TABLE, at(4), true);
  expect(await read()).toMatchObject([{ scraped_at: at(3), absent: false, rows: [{}, {}, {}] }]);
  expect(await store.save(TABLE, premiershipPage({ name: 'C Rider' }), at(6))).toBe(true);
  expect((await read())[0]!.rows.map(({ name }) => name)).toEqual(['C Rider']);
  expect(await store.save(TABLE, premiershipPage(), at(7))).toBe(true);
  expect(await read()).toMatchObject([{ scraped_at: at(7), rows: [] }]);
  expect(await store.readings([2026])).toEqual([{ ...TABLE, triedAt: at(7), scrapedAt: at(7), absent: false }]);
  expect(await store.readings([2025])).toEqual([]);
});

test('a name matches any part in any case, and wildcard characters are literal', async () => {
  const store = createPremiershipStore(db.pool);
  const table = { ...TABLE, state: 'VIC' } as const;
  await store.save(
    table,
    premiershipPage({ name: "J P O'Brien" }, { name: '100% Sure_Thing' }, { name: 'Áine Rider' }),
    at(8),
  );
  const found = async (name: string) => (await read({ state: 'VIC', name }))[0]!.rows.map((row) => row.rank);
  expect(await found("o'bri")).toEqual([1]);
  expect(await found('%')).toEqual([2]);
  expect(await found('_')).toEqual([2]);
  expect(await found('áINE')).toEqual([3]);
  expect(await found('\\')).toEqual([]);
});
