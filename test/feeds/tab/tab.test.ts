// The peculiarities of TAB: locations, two betting blocks, place betting that is off, result slots, an end state that
// is not final.
import { createTabFeed } from '../../../src/feeds/tab/fetch';
import { mapHistory } from '../../../src/feeds/tab/history';
import { mapMeetings, mapRacecard } from '../../../src/feeds/tab/map';
import type { TabMeetingsReply, TabRacecardReply } from '../../../src/feeds/tab/payload';
import { parseTabRaceId } from '../../../src/feeds/tab/race-id';
import { startBookServer } from '../support/book-server';
import { tabList, tabRace } from '../support/books/tab';

const ID = '2026-11-21/R/FLE/1';
const FIELD = [1, 2, 3].map((number) => ({ number, name: `RUNNER ${number}`, win: number + 2 }));
const card = (change: (race: TabRacecardReply) => void = () => undefined, id = ID) => {
  const reply = structuredClone(tabRace(FIELD));
  change(reply);
  return mapRacecard(reply, id, 'NSW')!;
};
const list = (change: (meeting: TabMeetingsReply['meetings'][0]) => void) => {
  const reply = tabList();
  change(reply.meetings[0]!);
  return mapMeetings(reply)!;
};

test.each([
  ['SA', 'AU', {}],
  ['NT', 'AU', {}],
  ['NZL', 'NZ', {}],
  ['GBR', 'GB', {}],
  ['XYZ', null, { country_unknown: 1 }],
])('location %s is country %p', (location, country, dropped) => {
  expect(list((m) => (m.location = location))).toMatchObject({ value: [{ country }, { country }], dropped });
});

test('the code is raceType, not the selling code', () => {
  const { value } = list((m) => (m.sellCode = { meetingCode: 'P', scheduledType: 'H' }));
  expect(value[0]).toMatchObject({ category: 'horse', sourceRaceId: ID, trackCondition: 'GOOD4' });
});

test.each(['fle', 'F/E'])(
  'a race whose meeting is called %p could not be fetched: it is counted, not listed',
  (name) => {
    expect(list((m) => (m.venueMnemonic = name))).toMatchObject({ value: [], dropped: { race_id_unreadable: 2 } });
  },
);

test.each(['2026-11-21/R/FLE', '2026-13-21/R/FLE/1', '2026-11-21/T/FLE/1', '../R/FLE/1', '2026-11-21/R/F%2F/1'])(
  '%p is not one of our races: nothing is sent',
  async (id) => {
    expect(parseTabRaceId(id)).toBeNull();
    const server = await startBookServer();
    const feed = createTabFeed({ baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: 500 }, () => 0);
    expect(await feed.fetchRace(id)).toMatchObject({ kind: 'failed', reason: 'not_found' });
    await server.close();
    expect(server.requests).toEqual([]);
  },
);

test.each([
  ['Open', 'OPEN', {}],
  ['Normal', 'OPEN', {}],
  ['Closed', 'CLOSED', {}],
  ['Suspended', 'CLOSED', { status_unknown: 1 }],
])('race status %s: market %s, no result', (raceStatus, marketStatus, dropped) => {
  expect(card((race) => (race.raceStatus = raceStatus))).toMatchObject({
    value: { marketStatus, result: null },
    dropped,
  });
});

test.each([
  ['no fixed places', (race: TabRacecardReply) => (race.numberOfFixedOddsPlaces = 0)],
  ['place not allowed on the race', (race: TabRacecardReply) => (race.allowFixedOddsPlace = false)],
  [
    'place not allowed on the runners',
    (race: TabRacecardReply) => {
      for (const runner of race.runners) runner.fixedOdds!.allowPlace = false;
    },
  ],
])('%s: the place price that is still shown is not published', (_, change) => {
  const { value, dropped } = card(change);
  expect(value.runners.map((runner) => [runner.win, runner.place])).toEqual([
    [3, null],
    [4, null],
    [5, null],
  ]);
  expect(dropped).toEqual({ place_not_offered: 3 });
});

test('place is published if it is offered; the pool price is an estimate and 0 is not one', () => {
  const { value } = card((race) => (race.runners[1]!.parimutuel!.returnWin = 0));
  expect(value.runners.map((runner) => [runner.place, runner.toteWin])).toEqual([
    [1.5, { PROV: 4.2 }],
    [1.5, null],
    [1.5, { PROV: 4.2 }],
  ]);
});

test('scratched in either block or on the sheet; late if any of them is late; cents become fractions, 0 stays 0', () => {
  const { value } = card((race) => {
    Object.assign(race.runners[0]!.fixedOdds!, {
      bettingStatus: 'LateScratched',
      scratchedTime: '2026-11-21T03:10:00.000Z',
      winDeduction: 12,
      placeDeduction: 0,
    });
    race.runners[0]!.parimutuel!.bettingStatus = 'Scratched';
    race.runners[1]!.parimutuel!.bettingStatus = 'Scratched';
    race.scratchings = [{ runnerNumber: 3, runnerName: 'RUNNER 3', bettingStatus: 'LateScratched' }];
  });
  expect(value.runners.map((runner) => runner.scratching)).toEqual([
    { at: '2026-11-21T03:10:00.000Z', late: true, winDeduction: 0.12, placeDeduction: 0 },
    { at: null, late: false, winDeduction: null, placeDeduction: null },
    { at: null, late: true, winDeduction: null, placeDeduction: null },
  ]);
  expect(value.runners.every((runner) => runner.win === null && runner.toteWin === null)).toBe(true);
});

test('a deduction that is not whole cents is dropped; a suspended runner is not priced, and one in any other state is', () => {
  const { value, dropped } = card((race) => {
    Object.assign(race.runners[0]!.fixedOdds!, { bettingStatus: 'Scratched', winDeduction: 0.12 });
    race.runners[1]!.fixedOdds!.bettingStatus = 'Suspended';
    race.runners[2]!.fixedOdds!.bettingStatus = 'Placing';
  });
  expect(value.runners.map((runner) => runner.win)).toEqual([null, null, 5]);
  expect(dropped).toEqual({ deduction_not_in_cents: 1, runner_suspended: 1 });
});

test('facts of the race and of its meeting', () => {
  const { value } = card((race) =>
    Object.assign(race, { prizeMoney: '$17,760.00', raceClassConditions: 'BM78', numberOfPlaces: 3 }),
  );
  expect(value.facts).toMatchObject({
    prizeTotal: 17760,
    raceClass: 'BM78',
    placesPaid: 3,
    trackCondition: 'GOOD4',
    distanceM: 1400,
  });
});

describe('the outcome', () => {
  const resulted = (results: number[][], more: Partial<TabRacecardReply> = {}) => {
    const state = { raceStatus: 'Paying', raceNumber: 1, results, ...more };
    return card((race) => Object.assign(race, state), ID.replace(/\d+$/, `${state.raceNumber}`));
  };

  test.each([
    [
      [[1], [2], [3], []],
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
    [
      [[2], [3, 1], [], []],
      [
        [1, 2],
        [2, 3],
        [2, 1],
      ],
    ],
    [
      [[1, 2], [], [3], []],
      [
        [1, 1],
        [1, 2],
        [3, 3],
      ],
    ],
  ])('results %j', (results, placings) => {
    const { result } = resulted(results).value;
    expect(result!.stage).toBe('interim');
    expect(result!.placings.map((p) => [p.position, p.number])).toEqual(placings);
    expect(result!.placings[0]!.name).toBe(`RUNNER ${placings[0]![1]}`);
  });

  test('Abandoned, with its empty slots; Paying without placings is not a result', () => {
    const abandoned = resulted([[], [], [], []], { raceStatus: 'Abandoned' });
    expect(abandoned.value.result).toMatchObject({ stage: 'abandoned', note: 'abandoned', placings: [] });
    expect(resulted([])).toMatchObject({ value: { result: null }, dropped: { resulted_without_placings: 1 } });
  });

  test('dividends: straight, exotic, and multi-leg with the legs of the matching pool', () => {
    const leg = (legNumber: number, raceNumber: number) => ({
      legNumber,
      raceNumber,
      venueMnemonic: 'FLE',
      raceType: 'R' as const,
      startTime: '',
    });
    const { value, dropped } = resulted([[1], [2], [3], []], {
      raceNumber: 8,
      pools: [
        { wageringProduct: 'DailyDouble', legs: [leg(1, 6)] },
        { wageringProduct: 'DailyDouble', legs: [leg(2, 8), leg(1, 6)] },
      ],
      dividends: [
        { wageringProduct: 'Win', poolDividends: [{ selections: [1], amount: 3.4 }] },
        {
          wageringProduct: 'Place',
          poolDividends: [
            { selections: [1], amount: 1.4 },
            { selections: [2], amount: 0 },
          ],
        },
        { wageringProduct: 'FirstFour', poolDividends: [{ selections: [1, 2, 3, 4], amount: 55 }] },
        { wageringProduct: 'DailyDouble', poolDividends: [{ selections: ['7', '1'], amount: 12 }] },
        {
          wageringProduct: 'Duet',
          poolDividends: [
            { selections: [1, 2], amount: 2 },
            { selections: [1, 3], amount: 3 },
          ],
        },
        { wageringProduct: 'Trifecta', poolDividends: [{ selections: [], amount: 9 }] },
      ],
    });
    expect(value.result).toMatchObject({
      straight: [
        { market: 'WIN', product: 'NSW', number: 1, amount: 3.4 },
        { market: 'PLC', product: 'NSW', number: 1, amount: 1.4 },
      ],
      exotics: [{ code: 'FF', product: 'NSW', selection: '1,2,3,4', amount: 55 }],
      multiRace: [{ code: 'DD', selection: '7,1', legs: [{ raceNumber: 6 }, { raceNumber: 8 }], amount: 12 }],
    });
    expect(dropped).toEqual({ dividend_without_amount: 1, dividend_product_unknown: 2, dividend_without_runners: 1 });
  });

  test.each([
    [
      'RunningDouble',
      [
        [8, 9],
        [7, 8],
      ],
      ['3', '1'],
      [7, 8],
    ],
    ['RunningDouble', [[8, 9]], ['3', '1'], [7, 8]],
    [
      'Treble',
      [
        [7, 8, 9],
        [8, 9, 10],
        [6, 7, 8],
      ],
      [4, 3, 1],
      [6, 7, 8],
    ],
    ['DailyDouble', [[8, 10]], [3, 1], [6, 8]],
  ])(
    'with the pools %s %j the dividend on race 8 is that of the pool that ends there',
    (wageringProduct, pools, selections, legs) => {
      const { value } = resulted([[1], [2], [3], []], {
        raceNumber: 8,
        pools: pools.map((numbers) => ({
          wageringProduct,
          legs: numbers.map((raceNumber, i) => ({
            legNumber: i + 1,
            raceNumber,
            venueMnemonic: 'FLE',
            raceType: 'R' as const,
            startTime: '',
          })),
        })),
        dividends: [{ wageringProduct, poolDividends: [{ selections, amount: 12 }] }],
      });
      expect(value.result!.multiRace[0]!.legs).toEqual(legs.map((raceNumber) => ({ raceNumber })));
    },
  );
});

test('history: a race without its own link cannot be identified and is counted', () => {
  const meeting = tabList().meetings[0]!;
  const self = 'https://book.example/v1/historical-results-service/VIC/racing/2026-11-21/P/H/races/1';
  const races = [{ ...meeting.races[0]!, _links: { self } }, meeting.races[1]!];
  const mapped = mapHistory({ jurisdiction: 'VIC', meetings: [{ ...meeting, races }] })!;
  expect(mapped.value.map(({ listed }) => listed.sourceRaceId)).toEqual(['2026-11-21/P/H/1']);
  expect(mapped.dropped).toEqual({ race_id_missing: 1 });
});
