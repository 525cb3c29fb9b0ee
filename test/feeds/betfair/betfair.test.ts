// The peculiarities of Betfair when it is polled: two markets per race, points, names with numbers, codes that only a
// name distinguishes; and the recorded replies and stream messages of public clients, read from where they are stored.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { mapCatalogue, placeMarketOf, resultOf } from '../../../src/feeds/betfair/catalogue';
import { createBetfairFeed } from '../../../src/feeds/betfair/fetch';
import { marketOfBook } from '../../../src/feeds/betfair/market';
import { categoryOf, raceNameOf, runnerNameOf } from '../../../src/feeds/betfair/names';
import type { CatalogueRequest, MarketBookRequest } from '../../../src/feeds/betfair/payload';
import { marketOfStream } from '../../../src/feeds/betfair/stream/market';
import { fold, NO_MARKETS } from '../../../src/feeds/betfair/stream/market-cache';
import { readMessage } from '../../../src/feeds/betfair/stream/message';
import type { MarketChangeMessage } from '../../../src/feeds/betfair/stream/payload';
import { streamSourceOf } from '../../../src/feeds/betfair/stream/source';
import { mostInBook, mostInCatalogue } from '../../../src/feeds/betfair/weights';
import type { Feed } from '../../../src/feeds/feed';
import { countDrops } from '../../../src/feeds/reading/drops';
import { PATIENT_MS } from '../../support/patient';
import { type BookServer, startBookServer } from '../support/book-server';
import { bookRow, catalogueRows, PLACE_ID, WIN_ID } from '../support/books/betfair';

const NOW = Date.parse('2026-11-21T03:59:31.500Z');
const FIELD = [
  { number: 1, name: 'Alpha', win: 4.2 },
  { number: 2, name: "Bravo's Best", win: 11 },
];
const who = { contact: 'ops@example.org', partner: 'p', timeoutMs: PATIENT_MS };

describe('names', () => {
  test.each([
    ['7. Baldrick', 7, 'Baldrick'],
    ['10. Reserve Dog', 10, 'Reserve Dog'],
    ['Baldrick', null, 'Baldrick'],
    ['3. 4 Leaf Clover', 3, '4 Leaf Clover'],
    ['12.5 Carat', null, '12.5 Carat'],
    ['4.', 4, null],
  ])('%s', (text, number, name) => expect(runnerNameOf(text)).toMatchObject({ number, name }));

  test.each([
    ['R7 1100m Hcap', { raceNumber: 7, distanceM: 1100, raceClass: 'Hcap' }],
    ['R1 452m Gr6', { raceNumber: 1, distanceM: 452, raceClass: 'Gr6' }],
    ['R10 1609m Pace M', { raceNumber: 10, distanceM: 1609, raceClass: 'Pace M' }],
    ['R3 395m', { raceNumber: 3, distanceM: 395, raceClass: null }],
    ['To Be Placed', null],
    ['17:10TO BE PLACED', null],
    ['OR 280m', null],
    ['R0 395m Mdn', null],
  ])('%s', (text, name) => expect(raceNameOf(text)).toEqual(name));

  test('one event type is two codes: only Pace and Trot mean harness, and a race without a class has no code', () => {
    expect(categoryOf('7', 'Pace M')).toBe('harness');
    expect(categoryOf('7', '3yo Trot')).toBe('harness');
    expect(categoryOf('7', 'Hcap')).toBe('horse');
    expect(categoryOf('7', null)).toBeNull();
    expect(categoryOf('4339', null)).toBe('greyhound');
    expect(categoryOf('1', 'Hcap')).toBeNull();
  });
});

test('the place market is the meeting’s market with the same selections, whatever its start; two are ambiguous', () => {
  const [win, place] = mapCatalogue(catalogueRows(FIELD))!.markets;
  const moved = { ...place!, startTime: '2026-11-21T05:00:00.000Z' };
  const elsewhere = { ...place!, eventId: '99' };
  const others = mapCatalogue(catalogueRows([FIELD[0]!]))!.markets[1]!;
  expect(placeMarketOf(win!, [win!, others, elsewhere, moved])).toBe(moved);
  expect(placeMarketOf(win!, [win!, others, elsewhere])).toBeNull();
  expect(placeMarketOf(win!, [win!, place!, moved])).toBeNull();
});

test('requests stay inside 200 points', () => {
  expect(mostInBook(['EX_BEST_OFFERS'])).toBe(40);
  expect(mostInBook(['EX_BEST_OFFERS', 'SP_TRADED'])).toBe(16);
  expect(mostInCatalogue(['MARKET_DESCRIPTION', 'RUNNER_METADATA', 'EVENT'])).toBe(100);
  expect(mostInCatalogue(['MARKET_DESCRIPTION'])).toBe(200);
});

describe('calls', () => {
  let server: BookServer;
  let now = NOW;
  let bodies: (CatalogueRequest | MarketBookRequest)[] = [];
  beforeAll(async () => {
    server = await startBookServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    now = NOW;
    bodies = [];
    server.answer(async (request, response) => {
      bodies.push(JSON.parse(await text(request)));
      const isBook = request.url!.includes('listMarketBook');
      const rows = isBook
        ? [bookRow(WIN_ID, FIELD, (runner) => runner.win), bookRow(PLACE_ID, FIELD, () => 1.5)]
        : catalogueRows(FIELD);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
    });
  });
  const feedWith = (settings?: Record<string, string>): Feed =>
    createBetfairFeed({ baseUrl: server.url, ...who, settings }, () => now);
  const bookRequests = () => bodies.filter((body): body is MarketBookRequest => 'marketIds' in body);

  test('a race costs two requests for its names, and then one for its two markets', async () => {
    const feed = feedWith();
    await feed.fetchRace(WIN_ID);
    expect(bodies).toMatchObject([
      { filter: { marketIds: [WIN_ID] } },
      { filter: { eventIds: ['31000001'], marketTypeCodes: ['WIN', 'PLACE'] } },
      { marketIds: [WIN_ID, PLACE_ID], priceProjection: { priceData: ['EX_BEST_OFFERS'] } },
    ]);
    await feed.fetchRace(WIN_ID);
    expect(bodies).toHaveLength(4);
    now += 11 * 60_000;
    await feed.fetchRace(WIN_ID);
    expect(bodies).toHaveLength(6);
  });

  test('starting prices are requested from the start on', async () => {
    const feed = feedWith();
    await feed.fetchRace(WIN_ID);
    now = Date.parse('2026-11-21T04:00:00.000Z');
    await feed.fetchRace(WIN_ID);
    expect(bookRequests().map((body) => body.priceProjection.priceData)).toEqual([
      ['EX_BEST_OFFERS'],
      ['EX_BEST_OFFERS', 'SP_TRADED'],
    ]);
  });

  test('many races are one call; an unknown one is not found, and the others are unaffected', async () => {
    const replies = await feedWith().bulk!.fetchRaces([WIN_ID, '1.999']);
    expect(replies.get('1.999')).toMatchObject({ kind: 'failed', reason: 'not_found' });
    expect(replies.get(WIN_ID)).toMatchObject({
      kind: 'ok',
      value: { runners: [{ win: 4.2, place: 1.5 }, { win: 11 }] },
    });
    expect(bookRequests()).toHaveLength(1);
  });

  test('both sides of both markets, in addition to the prices that every book has', async () => {
    const reply = await feedWith().fetchRace(WIN_ID);
    expect(reply).toMatchObject({
      value: {
        inPlay: false,
        exchange: {
          markets: [
            {
              marketId: WIN_ID,
              marketType: 'WIN',
              runners: [{ number: 1, name: 'Alpha', backPrice: 4.2, layPrice: 20, laySize: 5 }, {}],
            },
            { marketId: PLACE_ID, marketType: 'PLACE', runners: [{ backPrice: 1.5 }, {}] },
          ],
        },
      },
    });
  });

  test('is signed with the configured credentials, and otherwise unsigned', async () => {
    await feedWith({ app_key: 'key', session: 'token' }).fetchRace(WIN_ID);
    expect(server.requests.at(-1)!.headers).toMatchObject({ 'x-application': 'key', 'x-authentication': 'token' });
    await feedWith().fetchRace(WIN_ID);
    expect(server.requests.at(-1)!.headers).not.toHaveProperty('x-application');
  });
});

test('the stream is off without an address, and a wrong one is refused at once', () => {
  const endpoint = { baseUrl: 'http://127.0.0.1:1', ...who };
  expect(streamSourceOf(undefined)).toBeNull();
  expect(streamSourceOf({ ...endpoint, settings: { app_key: 'key' } })).toBeNull();
  expect(
    streamSourceOf({ ...endpoint, settings: { app_key: 'key', session: 's', stream: 'tls://stream.example:443' } }),
  ).toMatchObject({
    address: { host: 'stream.example', port: 443, tls: true },
    credentials: { appKey: 'key', session: 's' },
  });
  expect(() => streamSourceOf({ ...endpoint, settings: { stream: 'stream.example' } })).toThrow('tls://host:port');
});

const FOLDER = join(process.env.SAMPLES_DIR ?? join(__dirname, '../../../../shared/samples'), 'betfair/api-ng');
const present = existsSync(FOLDER);
const maybe = present ? describe : describe.skip;
const why = present ? '' : ' (skipped: no folder of recorded replies; set SAMPLES_DIR)';
const read = (file: string): unknown => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

maybe(`recorded replies${why}`, () => {
  test('a market in play: both sides, "NaN" as no price, a removed runner with its factor', () => {
    const [row] = resultOf(read('list_market_book.json'))!;
    const drops = countDrops();
    const named = { ...mapCatalogue(catalogueRows(FIELD))!.markets[0]!, marketId: '1.125875153' };
    const market = marketOfBook(row, named, drops)!;
    expect(market).toMatchObject({
      status: 'SUSPENDED',
      inPlay: true,
      bspReconciled: true,
      version: 1384080720,
      activeRunners: 5,
    });
    expect(market.runners).toHaveLength(6);
    expect(market.runners[2]).toMatchObject({
      selectionId: 7853158,
      layPrice: 1.14,
      lastTraded: 1.01,
      bsp: 3.895701594779262,
    });
    expect(market.runners[0]).toMatchObject({ backPrice: 21, backSize: 2, layPrice: null, tradedVolume: 315610.46 });
    expect(market.runners[5]).toMatchObject({
      status: 'REMOVED',
      adjustmentFactor: 16.667,
      bsp: null,
      removedAt: '2016-07-29T21:22:38.000Z',
    });
    expect(drops.counts()).toEqual({});
  });

  test('a catalogue of greyhounds: saddlecloths are read from the names, and the only metadata is an id', () => {
    const { markets, dropped } = mapCatalogue([read('flumine-catalogues-1.197931750.json')])!;
    expect(markets).toMatchObject([{ marketId: '1.197931750', eventId: '31389771', marketType: 'WIN', dropped: {} }]);
    expect(markets[0]!.runners.map(({ number, name }) => `${number} ${name}`).slice(0, 2)).toEqual([
      '1 Paradise Mission',
      '2 Sandwood Jet',
    ]);
    expect(markets[0]!.runners[0]).toMatchObject({ selectionId: 44331354, barrier: null, jockey: null, form: null });
    expect(dropped).toEqual({});
  });

  test.each(['SUB_IMAGE', 'RESUB_DELTA', 'UPDATE_md', 'update', 'HEARTBEAT'])('a stream message: %s', (kind) => {
    const drops = countDrops();
    const message = readMessage(
      readFileSync(join(FOLDER, `streaming_mcm_${kind}.json`), 'utf8'),
      drops,
    ) as MarketChangeMessage;
    const cache = fold(NO_MARKETS, message);
    expect(drops.counts()).toEqual({});
    expect([...cache.keys()].sort()).toEqual([...new Set(message.mc!.map((change) => change.id))].sort());
    for (const change of message.mc!.filter((each) => each.marketDefinition)) {
      const market = marketOfStream(cache.get(change.id)!)!;
      expect(market.status).toBe(change.marketDefinition!.status);
      for (const { id, batb = [] } of change.rc ?? []) {
        const best = batb.find(([level, , size]) => level === 0 && size! > 0);
        if (best) expect(market.runners.find((runner) => runner.selectionId === id)?.backPrice).toBe(best[1]);
      }
    }
  });

  test.each(['connection', 'status'])('%s', (kind) => {
    const line = readFileSync(join(FOLDER, `streaming_${kind}.json`), 'utf8');
    expect(readMessage(line, countDrops())).toMatchObject({ op: kind });
  });
});
