// Several races in one call, over real HTTP to a book that returns several at once and supports ETags.
import type { BookSnapshot } from '../../src/domain/race/feed-race';
import type { Feed } from '../../src/feeds/feed';
import { gathered } from '../../src/feeds/gather';
import { createHttp } from '../../src/feeds/transport/http';
import { PATIENT_MS } from '../support/patient';
import { raceSnapshot } from '../support/races/builders';
import { NOON_MS } from '../support/races/race-clock';
import { type BookServer, json, startBookServer } from './support/book-server';

let server: BookServer;
/** Runs before every reply; its result is awaited. */
let before: () => Promise<void>;
let price: number;

beforeEach(async () => {
  server = await startBookServer();
  before = async () => undefined;
  price = 2;
  server.answer(async (request, response) => {
    const ids = new URL(request.url!, server.url).searchParams.get('ids')!.split(',');
    const etag = `"${price}"`;
    await before();
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    json(Object.fromEntries(ids.filter((id) => id !== 'gone').map((id) => [id, price])), { etag })(request, response);
  });
});
afterEach(() => server.close());

type Prices = Record<string, number>;

const MAX_RACES = 50;
/** A clock that stands still: an entry cached for a minute stays cached, however long a test takes. */
const now = () => NOON_MS;

/** A book with one price per race; its single call is the bulk call with one id. */
function openBook(gatherMs = 30): Feed {
  const endpoint = { baseUrl: server.url, contact: 'test', partner: 'test', timeoutMs: PATIENT_MS };
  const http = createHttp({ endpoint, now });
  const fetchRaces: NonNullable<Feed['bulk']>['fetchRaces'] = async (ids, call) => {
    const path = `/races?ids=${ids.join(',')}`;
    const reply = await http.get<Prices>({ path, read: (body) => body as Prices, conditional: true, call });
    const at = { observedAt: reply.observedAt };
    const one = (id: string) => {
      if (reply.kind !== 'ok') return reply;
      const win = reply.read[id];
      if (win === undefined)
        return { kind: 'failed', reason: 'not_found', detail: 'left out', retryAfterMs: null, ...at } as const;
      const value: BookSnapshot = { ...raceSnapshot({}), sourceRaceId: `${id}@${win}` };
      return { kind: 'ok', value, bookAt: null, dropped: {}, ...at } as const;
    };
    return new Map(ids.map((id) => [id, one(id)]));
  };
  const feed: Feed = {
    bookmakerKey: 'tab',
    listRaces: () => Promise.reject(new Error('not called here')),
    fetchRace: async (id, call) => (await fetchRaces([id], call)).get(id)!,
    bulk: { maxRaces: MAX_RACES, fetchRaces },
  };
  return gathered(feed, now, gatherMs);
}

const idsOf = (n: number) => Array.from({ length: n }, (_, i) => `r${String(i).padStart(3, '0')}`);
const shown = (reply: Awaited<ReturnType<Feed['fetchRace']>>) =>
  reply.kind === 'ok' ? reply.value.sourceRaceId : reply.kind === 'failed' ? reply.reason : reply.kind;

test('120 races due within one beat need as few calls as the book’s limit allows, each with its own reply', async () => {
  const book = openBook();
  const replies = await Promise.all(idsOf(120).map((id) => book.fetchRace(id)));
  expect(server.requests).toHaveLength(Math.ceil(120 / MAX_RACES));
  expect(replies.map(shown)).toEqual(idsOf(120).map((id) => `${id}@2`));
});

test('a race requested twice is fetched once; a race that the book leaves out fails alone', async () => {
  const book = openBook();
  const replies = await Promise.all(['a', 'a', 'gone', 'b'].map((id) => book.fetchRace(id)));
  expect(replies.map(shown)).toEqual(['a@2', 'a@2', 'not_found', 'b@2']);
  expect(server.requests.map((request) => request.url)).toEqual(['/races?ids=a,b,gone']);
});

test('a caller that aborts does so alone: at once, and without ending the others’ call', async () => {
  const book = openBook();
  let answer = (): void => undefined;
  const arrival = new Promise<void>((arrived) => {
    before = () => {
      arrived();
      return new Promise((resolve) => (answer = resolve));
    };
  });
  const one = new AbortController();
  const replies = [book.fetchRace('a', { signal: one.signal }), book.fetchRace('b')];
  await arrival;
  one.abort();
  expect(await replies[0]!.then(shown)).toBe('network');
  answer();
  expect(await replies[1]!.then(shown)).toBe('b@2');
});

test('a call without waiting callers is ended, and a deadline is a timeout', async () => {
  const book = openBook();
  let closed = Promise.resolve() as Promise<unknown>;
  const arrival = new Promise<void>((arrived) => {
    before = () => {
      closed = new Promise((resolve) => server.requests[0]!.socket.once('close', resolve));
      arrived();
      return new Promise(() => undefined);
    };
  });
  const deadlines = ['a', 'b'].map(() => new AbortController());
  const calls = deadlines.map(({ signal }, i) => book.fetchRace('ab'[i]!, { signal }));
  await arrival;
  for (const deadline of deadlines) deadline.abort(new DOMException('', 'TimeoutError'));
  expect((await Promise.all(calls)).map(shown)).toEqual(['timeout', 'timeout']);
  await closed;
});

test('the same races again may be unchanged; another set, or a caller without a stored reply, gets the whole reply', async () => {
  const book = openBook();
  const fetched = async (ids: string[], whole = false) =>
    (await Promise.all(ids.map((id, i) => book.fetchRace(id, { whole: whole && i === 0 })))).map(shown);
  expect(await fetched(['a', 'b'])).toEqual(['a@2', 'b@2']);
  expect(await fetched(['a', 'b'])).toEqual(['unchanged', 'unchanged']);
  expect(await fetched(['a', 'b'], true)).toEqual(['a@2', 'b@2']);
  // A price moved and moved back, and another call read the price between: the stored price is the one between.
  price = 3;
  expect(await fetched(['a', 'c'])).toEqual(['a@3', 'c@3']);
  price = 2;
  expect(await fetched(['a', 'b'])).toEqual(['a@2', 'b@2']);
});

test('a call whose caller stores nothing joins no batch, and changes nothing for those that follow', async () => {
  const book = openBook();
  const fetched = async (ids: string[]) => (await Promise.all(ids.map((id) => book.fetchRace(id, {})))).map(shown);
  expect(await fetched(['a', 'b'])).toEqual(['a@2', 'b@2']);
  price = 3;
  const [apart, together] = await Promise.all([book.fetchRace('a', { unstored: true }), fetched(['b', 'c'])]);
  expect([shown(apart), together]).toEqual(['a@3', ['b@3', 'c@3']]);
  price = 2;
  expect(await fetched(['a'])).toEqual(['a@2']);
});

test('urgency is that of the most urgent caller', async () => {
  const book = openBook();
  const seen: (string | undefined)[] = [];
  const { bulk } = book as { bulk: NonNullable<Feed['bulk']> };
  const fetchRaces: typeof bulk.fetchRaces = (ids, call) => {
    seen.push(call?.urgency);
    return bulk.fetchRaces(ids, call);
  };
  const watched = gathered({ ...book, bulk: { ...bulk, fetchRaces } }, now, 10);
  await Promise.all([watched.fetchRace('a', { urgency: 'idle' }), watched.fetchRace('b', { urgency: 'near' })]);
  expect(seen).toEqual(['near']);
});
