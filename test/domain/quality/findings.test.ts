import { figuresOf, findingsOf, type RaceReadings, type ServedBook } from '../../../src/domain/quality/findings';

const RACE = { raceId: 'r', venue: 'Flemington', raceNumber: 4, day: '2026-11-21' };
const runners = [1, 2].map((number) => ({ number, name: `Runner ${number}` }));
const served = (bookmakerKey: string, prices: readonly number[], over: Partial<ServedBook> = {}): ServedBook => ({
  bookmakerKey,
  ageSeconds: 8,
  stale: false,
  prices: { win: new Map(prices.map((price, i) => [i + 1, price])) },
  ...over,
});
const agreeing = ({ bookmakerKey, prices }: ServedBook): RaceReadings['read'][number] => ({
  bookmakerKey,
  against: 'served',
  failure: null,
  cells: runners.map((runner) => {
    const price = prices.win!.get(runner.number) ?? null;
    return { ...runner, market: 'win', api: price, source: price, agrees: true };
  }),
});
const readings = (books: readonly ServedBook[], read = books.map(agreeing)): RaceReadings => ({
  near: true,
  race: RACE,
  runners,
  served: books,
  read,
});

const PANEL = [served('neds', [4, 3]), served('tab', [4.2, 3.2]), served('unibet', [4.4, 3.4])];

test.each([
  ['twice the median', 8.4, []],
  ['more than twice', 8.41, ['1. Runner 1']],
  ['half the median', 2.1, []],
  ['less than half', 2.09, ['1. Runner 1']],
])('%s of the others is an outlier or not', (_, price, selections) => {
  const race = readings([served('playup', [price, 3.2]), ...PANEL]);
  const found = findingsOf([race]);
  expect(found.flatMap(({ api }) => api.map(({ selection }) => selection))).toEqual(selections);
  expect(figuresOf([race], 0)).toMatchObject({
    outliers: selections.length,
    diffRows: 0,
    exactMatches: 8,
    maxDelta: 0,
  });
});

test('an outlier states its consensus and its distance from it', () => {
  const [found, ...rest] = findingsOf([readings([served('playup', [21, 3.2]), ...PANEL])]);
  expect(rest).toEqual([]);
  expect(found).toEqual({
    bookmakerKey: 'playup',
    race: RACE,
    event: null,
    market: 'win',
    status: 'outlier',
    delta: 16.8,
    message: '1 win price is more than twice or less than half the median of the other bookmakers.',
    api: [{ selection: '1. Runner 1', price: 21, consensus: 4.2, deviationPct: expect.closeTo(400, 6) }],
    source: { '1. Runner 1': 21 },
  });
});

test('stale prices, and fewer than three other books, make no consensus; a stale price is not an outlier', () => {
  const far = served('playup', [21, 3.2]);
  expect(findingsOf([readings([far, ...PANEL.slice(1)])])).toEqual([]);
  expect(findingsOf([readings([far, ...PANEL.slice(1), { ...PANEL[0]!, stale: true }])])).toEqual([]);
  expect(findingsOf([readings([{ ...far, stale: true }, ...PANEL])])).toEqual([]);
});

test('every figure counts what its name says, and unread books are ignored', () => {
  const cell = (number: number, api: number | null, source: number | null) => ({
    market: 'win' as const,
    number,
    name: `Runner ${number}`,
    api,
    source,
    agrees: api === source,
  });
  const tab = {
    bookmakerKey: 'tab',
    against: 'served' as const,
    failure: null,
    cells: [cell(1, 4, 4), cell(2, 3, 3.5), cell(3, null, 9), cell(4, 8, null), cell(5, null, null), cell(6, 2, 2.25)],
  };
  const neds = {
    bookmakerKey: 'neds',
    against: 'served' as const,
    failure: 'the bookmaker did not respond in time',
    cells: [],
  };
  expect(figuresOf([readings([], [tab, neds])], 0)).toEqual({
    apiRows: 4,
    sourceRows: 4,
    commonRows: 3,
    exactMatches: 1,
    diffRows: 2,
    missingApi: 1,
    missingSource: 1,
    maxDelta: 0.5,
    booksChecked: 1,
    racesChecked: 1,
    outliers: 0,
    crossChecks: 0,
  });
  const found = findingsOf([readings([], [tab, neds])]);
  expect(found.map(({ bookmakerKey, status, delta }) => [bookmakerKey, status, delta])).toEqual([
    ['tab', 'diff', 0.5],
    ['tab', 'missing_api', null],
    ['tab', 'missing_source', null],
    ['neds', 'unread', null],
  ]);
  expect(found[1]!.message).toBe(
    '1 win price is shown by the bookmaker and not served, in every reading. It was never polled.',
  );
  expect(found[2]!.message).toMatch(/^1 win price is served that the bookmaker did not show in any reading\./);
  expect(found[3]!.message).toBe('Not read: the bookmaker did not respond in time.');
});

test('if nothing was compared there is no greatest difference', () => {
  expect(figuresOf([], 0)).toMatchObject({ apiRows: 0, maxDelta: null, booksChecked: 0, racesChecked: 0 });
});
