// The peculiarities of Sportsbet: classes and regions, grams and epoch seconds, prices by code and as fractions, and
// unread values.
import { mapAllRacing } from '../../../src/feeds/sportsbet/list';
import { mapRacecard, mapRacecards } from '../../../src/feeds/sportsbet/map';
import type {
  SportsbetMeeting,
  SportsbetRacecardReply,
  SportsbetSelection,
} from '../../../src/feeds/sportsbet/payload';
import { worldListedBy } from '../../../src/simulator/books/abroad';
import { createSimulator } from '../../../src/simulator/http/server';
import { racesOf } from '../../../src/simulator/world/world';
import { sportsbetList, sportsbetRace, sportsbetSelection } from '../support/books/sportsbet';

const list = (change: (meeting: SportsbetMeeting) => void) => {
  const reply = sportsbetList();
  change(reply.dates[0]!.sections[0]!.meetings[0]!);
  return mapAllRacing(reply)!;
};
const race = (more: Partial<SportsbetRacecardReply>) =>
  mapRacecard({ ...sportsbetRace([{ number: 1, name: 'A', win: 3 }]), ...more }, '8001')!;
const runner = (more: Partial<SportsbetSelection>, event: Partial<SportsbetRacecardReply> = {}) => {
  const selections = [{ ...sportsbetSelection({ number: 1, name: 'A', win: 3 }), ...more }];
  const mapped = race({ markets: [{ name: 'Win or Place', selections }], ...event });
  return { ...mapped.value.runners[0]!, dropped: mapped.dropped };
};

test.each([
  ['Horses - Aus/NZ', 'horse'],
  ['Horses - International', 'horse'],
  ['Horses - Asia', 'horse'],
  ['Greyhound Racing', 'greyhound'],
  ['Harness Racing', 'harness'],
  ['Harness Racing - International', 'harness'],
])('class %s is %s', (className, category) => {
  expect(list((m) => (m.className = className)).value).toMatchObject([{ category }, { category }]);
});

test.each(['Horse Racing: Futures - AUS/NZ', 'Jockey Challenge', 'Racing Extras', ''])(
  'class "%s" is no race',
  (name) => {
    expect(list((m) => (m.className = name))).toEqual({ value: [], bookAt: null, dropped: { category_unknown: 2 } });
  },
);

test.each([
  ['Australia', 'AU', {}],
  ['New Zealand', 'NZ', {}],
  ['Hong Kong', 'HK', {}],
  ['Narnia', null, { country_unknown: 1 }],
  [undefined, null, { country_unknown: 1 }],
])('region %p is country %p: "Aus/NZ" alone names neither', (regionName, country, dropped) => {
  const mapped = list((m) => (m.regionName = regionName));
  expect(mapped).toMatchObject({ value: [{ country }, { country }] });
  expect(mapped.dropped).toEqual(dropped);
});

test('a date or a section without its rows is counted and affects no other', () => {
  const reply = sportsbetList();
  const dates = [null, ...reply.dates, { sections: [{}, ...reply.dates[0]!.sections] }];
  const mapped = mapAllRacing({ dates })!;
  expect(mapped.value).toHaveLength(4);
  expect(mapped.dropped).toEqual({ date_unreadable: 1, section_unreadable: 1 });
});

test('a card that runs past midnight in Sydney has one meeting day: that of its first race', () => {
  const { value } = list(({ events }) => {
    events[0]!.startTime = Date.parse('2026-11-21T12:45:00Z') / 1000;
    events[1]!.startTime = Date.parse('2026-11-21T13:20:00Z') / 1000;
  });
  expect(value).toMatchObject([
    { meetingDate: '2026-11-21', startTime: '2026-11-21T12:45:00.000Z' },
    { meetingDate: '2026-11-21', startTime: '2026-11-21T13:20:00.000Z' },
  ]);
});

test('names lose the race number in front of them, and metres come as text', () => {
  expect(list(() => undefined).value[0]).toMatchObject({ raceName: 'Race 1 Hcp', distanceM: 1400 });
  expect(race({}).value.facts).toMatchObject({
    raceName: 'Race 1 Hcp',
    distanceM: 1400,
    trackCondition: 'Good (4)',
  });
});

test.each([
  ['PRICED', 'OPEN', {}],
  ['OFF', 'SUSPENDED', {}],
  ['RESULTED', 'CLOSED', {}],
  [undefined, null, {}],
  ['SOMETHING', null, { status_unknown: 1 }],
])('betting status %p: the market is %p', (bettingStatus, marketStatus, dropped) => {
  const mapped = race({ bettingStatus });
  expect(mapped.value.marketStatus).toBe(marketStatus);
  expect(mapped.dropped).toEqual(dropped);
});

test('only the L price counts: a tote-derived MDP or TMD does not, nor does a fluctuation', () => {
  expect(runner({ prices: [{ priceCode: 'MDP', winPrice: 2.1 }] })).toMatchObject({ win: null, dropped: {} });
  expect(runner({ prices: undefined })).toMatchObject({ win: null, toteWin: null, dropped: {} });
});

test.each([
  [{ winPriceNum: 11, winPriceDen: 20 }, 1.55],
  [{ winPriceNum: 1, winPriceDen: 3 }, 1.33],
  [{ winPriceNum: 11, winPriceDen: 20, winPrice: 1.6 }, 1.6],
  [{ winPriceNum: 11, winPriceDen: 0 }, null],
  [{ winPriceNum: 11 }, null],
])('the price of %p is %p', (price, win) => {
  expect(runner({ prices: [{ priceCode: 'L', ...price }] })).toMatchObject({ win, place: null, dropped: {} });
});

test('in a priced race an inactive selection is not offered; once betting is off nothing new is reported', () => {
  expect(runner({ statusCode: 'S' })).toMatchObject({ win: null, place: null, dropped: { selection_not_active: 1 } });
  expect(runner({ statusCode: undefined })).toMatchObject({ win: 3, dropped: {} });
  expect(runner({ statusCode: 'W' }, { bettingStatus: 'RESULTED' })).toMatchObject({ win: 3, dropped: {} });
});

test('grams are converted to kilograms, 0 is not a barrier, blanks are unknown', () => {
  expect(runner({ weightGram: 59_500 }).weightKg).toBe(59.5);
  expect(runner({ weightGram: 0, drawNumber: 0, jockey: ' ' })).toMatchObject({
    weightKg: null,
    barrier: null,
    jockey: null,
  });
});

test('undocumented values make no result, deduction or Same Race Multi leg', () => {
  const more = { results: [{ position: 1 }], deductions: [{}], topXFinishMarketList: [{ selections: [] }] };
  expect(race({ bettingStatus: 'RESULTED', ...more } as Partial<SportsbetRacecardReply>).value.result).toBeNull();
  expect(runner({ result: '1' })).toMatchObject({ top2: null, dropped: { result_without_documented_meaning: 1 } });
});

test('a card without its win market has no runners, and is counted', () => {
  const mapped = race({ markets: [{ name: 'Head to Head', selections: [] }] });
  expect(mapped.value.runners).toEqual([]);
  expect(mapped.dropped).toEqual({ win_market_missing: 1 });
});

test('another race’s card is refused, and so is one without a race id', () => {
  const card = sportsbetRace([]);
  expect(mapRacecard(card, '8002')).toBeNull();
  expect(mapRacecard({ ...card, id: undefined }, '8001')).toBeNull();
});

test('several cards are read from `events` or bare; a broken card affects only itself, and of a repeated one the first counts', () => {
  const card = (id: number, win: number) => ({ ...sportsbetRace([{ number: 1, name: 'A', win }]), id });
  const rows = [card(1, 3), { id: 2 }, null, card(1, 9)];
  for (const reply of [rows, { events: rows }]) {
    const batch = mapRacecards(reply)!;
    expect([...batch.keys()]).toEqual(['1', '2']);
    expect(batch.get('1')!.value.runners[0]!.win).toBe(3);
    expect(batch.get('2')).toBeNull();
  }
  expect(mapRacecards({ racecards: rows })).toBeNull();
});

describe('the simulated book', () => {
  const NOW = Date.parse('2026-11-21T03:10:00Z');
  const ROOT = '/sportsbet/apigw/sportsbook-racing/Sportsbook/Racing';
  const simulator = createSimulator({ seed: 'a', now: () => NOW });
  let url: string;
  beforeAll(async () => {
    url = await simulator.listen(0);
  });
  afterAll(() => simulator.close());
  const get = async (path: string) => {
    const reply = await fetch(`${url}${ROOT}${path}`);
    return { status: reply.status, body: await reply.json() };
  };

  test('lists every race of the day once, and serves each before and after its jump without a drop', async () => {
    const races = racesOf(worldListedBy(simulator.world, 'sportsbet'), '2026-11-21');
    const listed = mapAllRacing((await get('/AllRacing/2026-11-21')).body)!;
    // The region of the meeting abroad is not in the connector's table, so its races are listed without a country.
    expect(listed.dropped).toEqual({ country_unknown: 1 });
    expect(listed.value.map((one) => one.sourceRaceId).sort()).toEqual(races.map((one) => String(one.serial)).sort());
    const statuses = new Set<string | null>();
    for (const { serial } of races.filter((_, i) => i % 7 === 0)) {
      const mapped = mapRacecard((await get(`/Events/${serial}/Racecard`)).body, String(serial))!;
      expect(mapped.dropped).toEqual({});
      statuses.add(mapped.value.marketStatus);
    }
    expect(statuses).toEqual(new Set(['OPEN', 'SUSPENDED', 'CLOSED']));
  });

  test('writes each price twice: as a decimal and as a fraction', async () => {
    const [race] = racesOf(simulator.world, '2026-11-21').filter(({ story }) => story.jumpMs > NOW);
    const card = (await get(`/Events/${race!.serial}/Racecard`)).body as SportsbetRacecardReply;
    const prices = card.markets[0]!.selections.flatMap((selection) => selection.prices ?? []);
    expect(prices.length).toBeGreaterThan(4);
    for (const price of prices) {
      expect(1 + price.winPriceNum! / price.winPriceDen!).toBeCloseTo(price.winPrice!, 9);
    }
  });

  test('refuses another day, event or path, and takes at most twenty at once', async () => {
    expect((await get('/AllRacing/2020-01-01')).body).toEqual({ dates: [] });
    expect(await get('/Events/17/Racecard')).toMatchObject({ status: 404, body: { code: 'ResourceNotFound' } });
    expect((await get('/Events/MultipleRacecards?eventIds=17')).body).toEqual({ events: [] });
    expect((await get(`/Events/MultipleRacecards?eventIds=${Array(21).fill(17)}`)).status).toBe(400);
  });
});
