// The simulated exchange: its markets run through a race's life as in the saved files, a poll and the stream report the
// same about them, and a request that costs too much is refused.
import type { ExchangeMarket } from '../../../../src/domain/race/feed-race';
import { createBetfairFeed } from '../../../../src/feeds/betfair/fetch';
import { StreamFollower } from '../../../../src/feeds/betfair/stream/follow';
import { marketOfStream } from '../../../../src/feeds/betfair/stream/market';
import type { Feed } from '../../../../src/feeds/feed';
import { marketAt, typesOf } from '../../../../src/simulator/books/betfair/market';
import { timelineOf } from '../../../../src/simulator/books/betfair/timeline';
import { createSimulator, type Simulator } from '../../../../src/simulator/http/server';
import { createStreamServer } from '../../../../src/simulator/stream/server';
import { worldPublisher } from '../../../../src/simulator/stream/world-stream';
import type { Race } from '../../../../src/simulator/world/race';
import { createWorld, racesOf } from '../../../../src/simulator/world/world';
import { PATIENT_MS } from '../../../support/patient';
import { until } from '../../../support/races/stream-lab';

const DAY = '2026-11-21';
const START = Date.parse('2026-11-21T04:00:00.000Z');
const SCRIPTS = [
  {
    startMs: START,
    venue: 'Flemington',
    runners: 10,
    scratchings: [{ number: 4, secondsBefore: 900 }],
    deadHeat: 1,
    jumpDelaySeconds: 40,
  },
  { startMs: START + 600_000, venue: 'Flemington', runners: 9, abandonedSecondsBefore: 120 },
  { startMs: START, category: 'greyhound', runners: 7, moves: [{ secondsBefore: 300, bySeconds: 120 }] },
  { startMs: START, category: 'harness', runners: 8 },
] as const;

let now = START - 3_600_000;
let simulator: Simulator;
let url: string;
beforeAll(async () => {
  simulator = createSimulator({ seed: 'exchange', now: () => now, races: SCRIPTS });
  url = await simulator.listen(0);
});
afterAll(() => simulator.close());
// A feed has the names of a settled race from the time before its settlement.
let feed: Feed;
beforeEach(async () => {
  now = START - 3_600_000;
  const who = { contact: 'ops@example.org', partner: 'p', timeoutMs: PATIENT_MS };
  feed = createBetfairFeed({ baseUrl: `${url}/betfair_ex_au`, ...who }, () => now);
  await Promise.all(races().map(poll));
});

const races = (): Race[] => racesOf(simulator.world, DAY);
const raceOf = (category: string, number = 1): Race =>
  races().find((race) => race.meeting.track.category === category && race.number === number)!;

async function poll(race: Race): Promise<readonly ExchangeMarket[]> {
  const reply = await feed.fetchRace(marketAt(race, 'WIN', now).marketId);
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  expect(reply.dropped).toEqual({});
  return reply.value.exchange!.markets;
}

test('every race of every code is listed with its code, and nothing is refused', async () => {
  const reply = await feed.listRaces(DAY);
  expect(reply).toMatchObject({ kind: 'ok', dropped: {} });
  const listed = reply.kind === 'ok' ? reply.value : [];
  expect(listed.map(({ category, raceNumber }) => `${category} ${raceNumber}`).sort()).toEqual([
    'greyhound 1',
    'harness 1',
    'horse 1',
    'horse 2',
  ]);
});

test('a whole day comes in pages, every race once', async () => {
  const full = createSimulator({ seed: 'full', now: () => now, intervalMinutes: 3 });
  const who = { contact: 'ops@example.org', partner: 'p', timeoutMs: PATIENT_MS };
  const ofDay = createBetfairFeed({ baseUrl: `${await full.listen(0)}/betfair_ex_au`, ...who }, () => now);
  now = Date.parse('2026-11-20T13:00:00.000Z');
  const reply = await ofDay.listRaces(DAY);
  await full.close();
  const ids = reply.kind === 'ok' ? reply.value.map((race) => race.sourceRaceId) : [];
  expect(reply).toMatchObject({ kind: 'ok', dropped: {} });
  expect(ids.length).toBeGreaterThan(200);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a horse race’s life: a removal with its factor, the off, the change to in play, starting prices, a dead heat’s two winners', async () => {
  const race = raceOf('horse');
  const line = timelineOf(race, 'WIN');
  const winAt = async (ms: number) => {
    now = ms;
    return (await poll(race))[0]!;
  };
  const removedMs = line.removals.get(4)!;
  expect((await winAt(removedMs - 1000)).status).toBe('SUSPENDED');
  const removed = (await winAt(removedMs)).runners.find((runner) => runner.number === 4)!;
  expect(removed).toMatchObject({ status: 'REMOVED', backPrice: null, bsp: null });
  expect(removed.adjustmentFactor).toBeGreaterThan(0);
  expect(Date.parse(removed.removedAt!)).toBeLessThan(removedMs);

  const open = await winAt(START - 60_000);
  expect(open).toMatchObject({ status: 'OPEN', inPlay: false, bspReconciled: false, activeRunners: 9 });
  for (const { status, backPrice, layPrice } of open.runners) {
    if (status === 'ACTIVE') expect(layPrice!).toBeGreaterThan(backPrice!);
  }
  expect((await winAt(START)).totalMatched!).toBeGreaterThan(open.totalMatched!);

  expect(await winAt(line.offMs)).toMatchObject({ status: 'SUSPENDED', inPlay: false });
  expect(await winAt(line.inPlayMs!)).toMatchObject({ status: 'OPEN', inPlay: true, bspReconciled: true });
  const end = await winAt(line.closedMs);
  expect(end).toMatchObject({ status: 'CLOSED', activeRunners: 0, numberOfWinners: 1 });
  expect(end.runners.filter((runner) => runner.status === 'WINNER')).toHaveLength(2);
  expect(end.runners.filter((runner) => runner.bsp === null).map((runner) => runner.number)).toEqual([4]);
});

test('greyhounds are never in play and have no factors; an abandoned race ends with every runner removed and no starting price', async () => {
  const dogs = raceOf('greyhound');
  expect(timelineOf(dogs, 'WIN').inPlayMs).toBeNull();
  now = timelineOf(dogs, 'WIN').closedMs;
  const [win, place] = await poll(dogs);
  for (const { adjustmentFactor, bsp } of win!.runners) expect([adjustmentFactor, bsp !== null]).toEqual([null, true]);
  expect(place!.runners.filter((runner) => runner.status === 'WINNER')).toHaveLength(2);
  const off = raceOf('horse', 2);
  now = timelineOf(off, 'WIN').closedMs;
  const [market] = await poll(off);
  expect(market).toMatchObject({ status: 'CLOSED', bspReconciled: false });
  expect(market!.runners.every((runner) => runner.status === 'REMOVED' && runner.bsp === null)).toBe(true);
});

test('any change of a definition raises its version', () => {
  const drawn = racesOf(createWorld({ seed: 'day' }), DAY).filter((_, i) => i % 12 === 0);
  for (const race of [...races(), ...drawn]) {
    for (const type of typesOf(race)) {
      const { offMs, closedMs, changes } = timelineOf(race, type);
      const near = changes.filter((ms) => ms > offMs - 2 * 3_600_000).flatMap((ms) => [ms - 1, ms, ms + 700]);
      const instants = [...near, offMs - 5_000_000, closedMs + 60_000].sort((a, b) => a - b);
      let before = { version: 0, text: '' };
      for (const ms of instants) {
        const { version, status, inPlay, bspReconciled, startMs, runners } = marketAt(race, type, ms);
        const shown = [status, inPlay, bspReconciled, startMs, runners.map((one) => [one.status, one.bsp])];
        const text = JSON.stringify(shown);
        if (before.text !== text) expect(version).toBeGreaterThan(before.version);
        expect(version).toBeGreaterThanOrEqual(before.version);
        before = { version, text };
      }
    }
  }
});

test('a request above 200 points is refused', async () => {
  const call = (path: string, body: unknown) =>
    fetch(`${url}/betfair_ex_au/exchange/betting/rest/v1.0/${path}/`, { method: 'POST', body: JSON.stringify(body) });
  const marketIds = Array.from({ length: 41 }, (_, i) => `1.${i}`);
  const priceProjection = { priceData: ['EX_BEST_OFFERS'] };
  expect((await call('listMarketBook', { marketIds, priceProjection })).status).toBe(400);
  expect((await call('listMarketBook', { marketIds: marketIds.slice(1), priceProjection })).status).toBe(200);
  const marketProjection = ['MARKET_DESCRIPTION', 'RUNNER_METADATA'];
  expect((await call('listMarketCatalogue', { filter: {}, marketProjection, maxResults: 101 })).status).toBe(400);
});

test('the stream reports everything about a market that a poll does, except names, through deltas and across a broken connection', async () => {
  const server = createStreamServer(worldPublisher(simulator.world, () => now));
  const streamed = new Map<string, ExchangeMarket>();
  const stopping = new AbortController();
  const ends: string[] = [];
  const follower = new StreamFollower({
    address: { host: '127.0.0.1', port: await server.listen(0), tls: false },
    credentials: { appKey: 'key', session: 'token' },
    filter: { eventTypeIds: ['7', '4339'], countryCodes: ['AU'], marketTypes: ['WIN', 'PLACE'] },
    signal: stopping.signal,
    wait: () => (stopping.signal.aborted ? Promise.reject(new Error('stopped')) : Promise.resolve()),
    onEnd: ({ reason }) => void ends.push(reason),
    onMarket: (state) => {
      const market = marketOfStream(state);
      if (market) streamed.set(market.marketId, market);
    },
  });
  const following = follower.run().catch(() => undefined);
  const race = raceOf('horse');
  const line = timelineOf(race, 'WIN');
  for (const ms of [START - 60_000, START - 30_000, line.inPlayMs! + 1000, line.closedMs]) {
    now = ms;
    if (ms === line.inPlayMs! + 1000) server.cut();
    const polled = await poll(race);
    await until(() => polled.every((market) => streamed.get(market.marketId)?.version === market.version));
    await until(() => streamed.get(polled[0]!.marketId)?.totalMatched === polled[0]!.totalMatched);
    for (const market of polled) expect(shared(streamed.get(market.marketId)!)).toEqual(shared(market));
  }
  // A standstill of the machine looks like silence; here only the cut may end a connection.
  expect(ends.filter((reason) => reason !== 'silent')).toHaveLength(1);
  const resumed = { initialClk: expect.any(String), clk: expect.any(String) };
  expect(server.requests.filter((request) => request.op === 'marketSubscription')).toMatchObject([
    { marketDataFilter: { ladderLevels: 1 } },
    ...ends.map(() => resumed),
  ]);
  stopping.abort();
  await server.close();
  await following;
});

/** What both a poll and the stream report; a poll has no time, and the stream no name. */
const shared = ({
  marketTime: _time,
  settledAt: _settled,
  publishedAt: _published,
  runners,
  ...market
}: ExchangeMarket) => ({
  ...market,
  runners: runners.map(({ number: _number, name: _name, ...runner }) => runner),
});
