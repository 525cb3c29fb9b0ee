// The peculiarities of Dabble: three tables, runners identified only by name, legs of a same-race multi, a list of
// several calls, a meeting in one.
import { createDabbleFeed } from '../../../src/feeds/dabble/fetch';
import { mapCompetitions, mapMeeting } from '../../../src/feeds/dabble/list';
import { mapDetails, mapFixtures } from '../../../src/feeds/dabble/map';
import type { DabbleBook } from '../../../src/feeds/dabble/payload';
import type { FeedEndpoint } from '../../../src/feeds/feed';
import { PATIENT_MS } from '../../support/patient';
import { type BookServer, json, serve, startBookServer, status } from '../support/book-server';
import { dabbleBook, dabbleList } from '../support/books/dabble';

const FIELD = [
  { number: 1, name: 'Alpha', win: 4.6 },
  { number: 2, name: 'Bravo', win: 9 },
];
const mapped = (change: (book: DabbleBook) => void) => {
  const book = structuredClone(dabbleBook(FIELD));
  change(book);
  return mapDetails({ sportFixtureDetail: book }, 'c', 'c/f-1')!;
};
/** Adds a market that quotes the first runner. */
const quoting =
  (resultingType: string, price: unknown, selectionId = 's-0') =>
  (book: DabbleBook) => {
    book.markets.push({ id: resultingType, resultingType });
    book.prices.push({ marketId: resultingType, selectionId, price: price as number });
  };
const first = (change: (book: DabbleBook) => void) => mapped(change).value.runners[0]!;

test.each([
  ['RacingSrmTop2', { top2: 2.4 }],
  ['RacingSrmTop3', { top3: 2.4 }],
  ['RacingSrmTop4', { top4: 2.4 }],
  ['RacingSrmWin', {}],
  ['RacingSPWin', {}],
  ['RacingSPPlace', {}],
  ['RacingDDQuinella', {}],
  ['racingsrmtop2', {}],
])('a market %s quotes %p', (resultingType, legs) => {
  const none = { top2: null, top3: null, top4: null };
  expect(first(quoting(resultingType, 2.4))).toMatchObject({ win: 4.6, place: 1.5, ...none, ...legs });
});

test('legs that rise are dropped and counted (D22), those below stay', () => {
  const { value, dropped } = mapped((book) => {
    for (const [type, price] of [
      ['RacingSrmTop2', 4.8],
      ['RacingSrmTop3', 2.1],
      ['RacingSrmTop4', 1],
    ] as const) {
      quoting(type, price)(book);
    }
  });
  expect(value.runners[0]).toMatchObject({ win: 4.6, top2: null, top3: 2.1, top4: null });
  expect(dropped).toEqual({ top2_above_win: 1, top4_not_above_1: 1 });
});

test('a runner may have one selection for all markets, or one for each', () => {
  const { value, dropped } = mapped((book) => {
    book.selections.push({ id: 's-other', name: 'Alpha' });
    quoting('RacingSrmTop2', 2.4, 's-other')(book);
  });
  expect(value.runners.map(({ name, win, top2 }) => [name, win, top2])).toEqual([
    ['Alpha', 4.6, 2.4],
    ['Bravo', 9, null],
  ]);
  expect(dropped).toEqual({});
});

test('two prices for one leg of one name are two runners or a fault: neither is used', () => {
  const { value, dropped } = mapped((book) => {
    book.selections[1]!.name = 'Alpha';
  });
  expect(value.runners).toMatchObject([{ name: 'Alpha', win: null, place: 1.5 }]);
  expect(dropped).toEqual({ win_repeated: 1 });
});

test('a hidden selection, or one quoted only in other markets, is not a runner; a runner that no market quotes has no price', () => {
  const { value } = mapped((book) => {
    book.selections[1]!.isDisplayed = false;
    book.selections.push({ id: 's-new', name: 'Charlie' });
  });
  expect(value.runners.map(({ name, win }) => [name, win])).toEqual([
    ['Alpha', 4.6],
    ['Charlie', null],
  ]);
});

test('another race’s details are refused; a race has no start, no result and no number of its own', () => {
  expect(mapDetails({ sportFixtureDetail: dabbleBook(FIELD) }, 'c', 'c/f-2')).toBeNull();
  expect(mapped(() => undefined).value).toMatchObject({
    startTime: null,
    result: null,
    runners: [{ number: null }, { number: null }],
  });
});

test.each([
  ['Open', 'OPEN'],
  ['Suspended', 'CLOSED'],
  ['', null],
])('status %p: the market is %p', (state, marketStatus) => {
  expect(mapped((book) => void Object.assign(book, { status: state })).value.marketStatus).toBe(marketStatus);
});

test('racing is recognised by its sport name alone', () => {
  const activeCompetitions = [
    { id: 'a', name: 'Randwick', sportName: 'Thoroughbred Racing' },
    { id: 'b', name: 'Dapto', sportName: 'Greyhound Racing' },
    { id: 3, name: 'Menangle', sportName: 'Harness Racing' },
    { id: 'd', name: 'Horses', sportName: 'Horse Racing', isRacing: true },
    { id: 'e', name: '', sportName: 'Harness Racing' },
    null,
  ];
  const { value, dropped } = mapCompetitions({ data: { activeCompetitions } })!;
  expect(value.map(({ id, category }) => [id, category])).toEqual([
    ['a', 'horse'],
    ['b', 'greyhound'],
    ['3', 'harness'],
  ]);
  expect(dropped).toEqual({ venue_missing: 1, competition_unreadable: 1 });
});

test('all races of a meeting belong to the Sydney day of its first one', () => {
  const data = [
    { id: 'late', advertisedStart: '2026-11-21T13:20:00Z' },
    { id: 'first', advertisedStart: '2026-11-21T12:40:00Z' },
    { id: 'undated', advertisedStart: '2026-11-21 13:00' },
  ];
  const { value, dropped } = mapMeeting({ data }, { id: 'c', venue: 'Albion Park', category: 'harness' })!;
  expect(value.map(({ sourceRaceId, meetingDate, raceNumber }) => [sourceRaceId, meetingDate, raceNumber])).toEqual([
    ['c/late', '2026-11-21', null],
    ['c/first', '2026-11-21', null],
  ]);
  expect(dropped).toEqual({ start_unreadable: 1 });
});

describe('over HTTP', () => {
  let server: BookServer;
  let now = 0;
  const feed = (more: Partial<FeedEndpoint> = {}) =>
    createDabbleFeed({ baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS, ...more }, () => now);
  const abroad = [
    { venue: 'Ascot', country: 'GB' },
    { venue: 'Hanshin', country: 'JP' },
  ] as const;
  const spoilt = (part: string, code: number) => {
    const good = serve(dabbleList([], abroad));
    server.answer((request, response) => (request.url!.includes(part) ? status(code) : good)(request, response));
  };

  beforeAll(async () => {
    server = await startBookServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    now = Date.parse('2026-11-21T03:59:31.500Z');
  });

  test('a meeting that fails affects only itself, and is counted', async () => {
    spoilt('/c-0/', 500);
    const reply = await feed().listRaces('2026-11-21');
    expect(reply).toMatchObject({ kind: 'ok', dropped: { meeting_http_error: 1 } });
    expect(reply.kind === 'ok' && reply.value.map((race) => race.venue)).toEqual([
      'Flemington',
      'Flemington',
      'Hanshin',
    ]);
  });

  test.each([
    ['sport-fixtures', 500, 'http_error'],
    ['/c-0/', 429, 'rate_limited'],
    ['/c-0/', 403, 'blocked'],
  ])('the list fails if all meetings do, or the book blocks us: %s %d', async (part, code, reason) => {
    spoilt(part, code);
    expect(await feed().listRaces('2026-11-21')).toMatchObject({ kind: 'failed', reason });
  });

  test('one read answers for each day once, while it is valid', async () => {
    server.answer(serve(dabbleList()));
    const dabble = feed();
    const calls = async (day: string) => {
      const before = server.requests.length;
      const reply = await dabble.listRaces(day);
      return [reply.kind === 'ok' && reply.value.length, server.requests.length - before];
    };
    expect(await calls('2026-11-21')).toEqual([2, 2]);
    expect(await calls('2026-11-22')).toEqual([0, 0]);
    expect(await calls('2026-11-22')).toEqual([0, 2]);
    now += 300_000;
    expect(await calls('2026-11-21')).toEqual([2, 2]);
  });

  test('a call that our own budget refuses waits for its turn', async () => {
    server.answer(serve(dabbleList()));
    let entered = 0;
    const gate: FeedEndpoint['gate'] = {
      enter: async () => {
        entered += 1;
        if (entered % 2 === 0) return { kind: 'refused', reason: 'over_budget', retryAfterMs: 5 };
        return { kind: 'go', left: () => undefined };
      },
    };
    const reply = await feed({ gate }).listRaces('2026-11-21');
    expect(reply.kind === 'ok' && [reply.value.length, reply.dropped]).toEqual([2, {}]);
    expect(entered).toBe(3);
  });

  test('but no longer than a list is useful, and not when it is aborted', async () => {
    const refusal = { kind: 'refused', reason: 'over_budget', retryAfterMs: 30_001 } as const;
    const gate: FeedEndpoint['gate'] = { enter: async () => refusal };
    expect(await feed({ gate }).listRaces('2026-11-21')).toMatchObject({ kind: 'failed', reason: 'over_budget' });
    const brief: FeedEndpoint['gate'] = { enter: async () => ({ ...refusal, retryAfterMs: 20_000 }) };
    const call = { signal: AbortSignal.timeout(20) };
    expect(await feed({ gate: brief }).listRaces('2026-11-21', call)).toMatchObject({ reason: 'over_budget' });
  });

  test('races of two meetings cost two calls, and an id that is not the book’s costs none', async () => {
    const meeting = (ids: readonly string[]) => ({ data: ids.map((id) => ({ ...dabbleBook(FIELD), id })) });
    server.answer((request, response) =>
      json(meeting(request.url!.includes('/a/') ? ['1', '2'] : ['3']))(request, response),
    );
    const replies = await feed().bulk!.fetchRaces(['a/1', 'b/3', 'nonsense', 'a/2', 'b/4']);
    expect([...replies].map(([id, reply]) => [id, reply.kind === 'failed' ? reply.reason : reply.kind])).toEqual([
      ['a/1', 'ok'],
      ['b/3', 'ok'],
      ['nonsense', 'not_found'],
      ['a/2', 'ok'],
      ['b/4', 'not_found'],
    ]);
    expect(server.requests.map(({ url }) => url).sort()).toEqual([
      '/frontend-api/competitions/a/sport-fixtures',
      '/frontend-api/competitions/b/sport-fixtures',
    ]);
  });
});

test('of a meeting the requested races are mapped as in the whole, and no others', () => {
  const book = (id: string) => ({ ...structuredClone(dabbleBook(FIELD)), id });
  const meeting = { data: ['f-1', 'f-2', 'f-3', 'f-2'].map(book) };
  const whole = mapFixtures(meeting, 'c')!;
  expect([...whole.keys()]).toEqual(['c/f-1', 'c/f-2', 'c/f-3']);
  const some = mapFixtures(meeting, 'c', new Set(['c/f-2', 'c/absent']))!;
  expect(some).toEqual(new Map([['c/f-2', whole.get('c/f-2')]]));
});
