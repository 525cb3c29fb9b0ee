// The books over real HTTP: the same bytes from the same seed, conditional and compressed replies, and each book's
// peculiarities.
import type { EntainEventReply, EntainMeetingsReply } from '../../../src/feeds/entain/payload';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { racesOf } from '../../../src/simulator/world/world';

const NOW = Date.parse('2026-11-21T03:10:00Z');
const DAY = '2026-11-21';
const WHO = { From: 'ops@racing-odds.example', 'X-Partner': 'racing-odds-service' };
const ENTAIN = 'affiliates/v1/racing';
const TAB = 'tab/v1/tab-info-service/racing';

let nowMs = NOW;
let simulator: Simulator;
let url: string;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => nowMs });
  url = await simulator.listen(0);
});
beforeEach(() => {
  nowMs = NOW;
});
afterAll(() => simulator.close());

const get = (path: string, headers: Record<string, string> = WHO): Promise<Response> =>
  fetch(`${url}/${path}`, { headers });
const read = async <T>(path: string): Promise<T> => (await get(path)).json() as Promise<T>;
const upcoming = () =>
  racesOf(simulator.world, DAY).find((race) => race.story.jumpMs > NOW + 60 * 60_000 && !race.story.abandoned)!;

test('another server with the same seed answers the same bytes at the same instant; another seed does not', async () => {
  const paths = [
    `ladbrokes_au/${ENTAIN}/meetings?date_from=${DAY}&date_to=${DAY}&limit=200`,
    `neds/${ENTAIN}/events/${upcoming().id}`,
    `pointsbetau/api/racing/v3/races/${upcoming().serial}`,
    `${TAB}/dates/${DAY}/meetings?jurisdiction=NSW`,
  ];
  const bodiesOf = async (seed: string): Promise<string[]> => {
    const other = createSimulator({ seed, now: () => NOW });
    const at = await other.listen(0);
    const bodies = await Promise.all(
      paths.map(async (path) => (await fetch(`${at}/${path}`, { headers: WHO })).text()),
    );
    await other.close();
    return bodies.map((body) => body.replaceAll(at, url));
  };
  const here = await Promise.all(paths.map(async (path) => (await get(path)).text()));
  expect(await bodiesOf('a')).toEqual(here);
  const others = await bodiesOf('b');
  expect(others.filter((body, i) => body === here[i])).toEqual([]);
});

test('Entain brands share meeting and event ids, each with its own prices', async () => {
  const list = `${ENTAIN}/meetings?date_from=${DAY}&date_to=${DAY}&limit=200`;
  const ids = async (brand: string): Promise<string[]> =>
    (await read<EntainMeetingsReply>(`${brand}/${list}`)).data.meetings.flatMap((one) => [
      one.meeting,
      ...one.races.map((race) => race.id),
    ]);
  expect(await ids('neds')).toEqual(await ids('ladbrokes_au'));
  const odds = async (brand: string): Promise<unknown[]> =>
    (await read<EntainEventReply>(`${brand}/${ENTAIN}/events/${upcoming().id}`)).data.runners.map(
      (runner) => runner.odds,
    );
  expect(await odds('neds')).not.toEqual(await odds('ladbrokes_au'));
});

test('a weak ETag covers everything but the header: unchanged prices are a 304, changed ones are not', async () => {
  const path = `ladbrokes_au/${ENTAIN}/events/${upcoming().id}`;
  const first = await get(path);
  const etag = first.headers.get('etag')!;
  expect(etag).toMatch(/^W\/".+"$/);
  nowMs += 1000;
  const second = await get(path, { ...WHO, 'If-None-Match': etag });
  expect([second.status, await second.text()]).toEqual([304, '']);
  nowMs += 60 * 60_000;
  expect((await get(path, { ...WHO, 'If-None-Match': etag })).status).toBe(200);
});

test('TAB sends ETags, PointsBet sends none', async () => {
  expect((await get(`${TAB}/dates/${DAY}/meetings?jurisdiction=NSW`)).headers.get('etag')).toMatch(/^W\//);
  expect((await get(`pointsbetau/api/racing/v3/races/${upcoming().serial}`)).headers.get('etag')).toBeNull();
});

test('replies are compressed on request', async () => {
  const path = `ladbrokes_au/${ENTAIN}/meetings?date_from=${DAY}&date_to=${DAY}&limit=200`;
  const plain = await get(path, { ...WHO, 'Accept-Encoding': 'identity' });
  const zipped = await get(path, { ...WHO, 'Accept-Encoding': 'gzip' });
  expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
  expect(await zipped.text()).toBe(await plain.text());
});

test('Entain refuses clients without identification', async () => {
  for (const headers of [{}, { From: 'ops@racing-odds.example' }, { ...WHO, 'X-Partner': ' ' }]) {
    const refused = await get(`neds/${ENTAIN}/meetings`, headers as Record<string, string>);
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as EntainMeetingsReply).header.error).toBeTruthy();
  }
});

test('Entain pages by limit and offset, filters by code and country, and refuses unreadable parameters', async () => {
  const meetings = async (query: string) =>
    (await read<EntainMeetingsReply>(`neds/${ENTAIN}/meetings?date_from=${DAY}&date_to=${DAY}&${query}`)).data.meetings;
  const all = await meetings('limit=200');
  const paged = [...(await meetings('limit=20')), ...(await meetings('limit=20&offset=20'))];
  expect(paged.map((one) => one.meeting)).toEqual(all.map((one) => one.meeting));
  expect(await meetings('limit=20&offset=200')).toEqual([]);
  expect(new Set((await meetings('category=G')).map((one) => one.category))).toEqual(new Set(['G']));
  expect(new Set((await meetings('country=NZ')).map((one) => one.country))).toEqual(new Set(['NZ']));
  for (const query of ['limit=201', 'limit=x', 'date_from=2026-11-21T00:00:00Z', 'date_from=2026-02-30', 'enc=xml']) {
    expect((await get(`neds/${ENTAIN}/meetings?${query}`)).status).toBe(400);
  }
  const keyworded = await read<EntainMeetingsReply>(`neds/${ENTAIN}/meetings?date_from=today&date_to=today&limit=200`);
  expect(keyworded.data.meetings).toEqual(all);
  const one = await read<EntainMeetingsReply>(`neds/${ENTAIN}/meetings/${all[3]!.meeting}`);
  expect(one.data.meetings).toEqual([all[3]]);
});

test('tomorrow is listed with today', async () => {
  const list = await read<EntainMeetingsReply>(`neds/${ENTAIN}/meetings?date_from=${DAY}&date_to=2026-11-22&limit=200`);
  expect(new Set(list.data.meetings.map((one) => one.date))).toEqual(
    new Set([`${DAY}T00:00:00Z`, '2026-11-22T00:00:00Z']),
  );
});

test('TAB requires a jurisdiction and refuses fixedOdds=true', async () => {
  const code = async (path: string): Promise<[number, string]> => {
    const reply = await get(path);
    return [reply.status, ((await reply.json()) as { error: { code: string } }).error.code];
  };
  expect(await code(`${TAB}/dates/${DAY}/meetings`)).toEqual([400, 'INVALID_SYNTAX_ERROR']);
  expect(await code(`${TAB}/dates/${DAY}/meetings?jurisdiction=NSW&fixedOdds=true`)).toEqual([
    404,
    'RESOURCE_NOT_FOUND_ERROR',
  ]);
  expect(await code(`${TAB}/dates/${DAY}/meetings/R/XXX/races/1?jurisdiction=NSW`)).toEqual([
    404,
    'RESOURCE_NOT_FOUND_ERROR',
  ]);
});

test('TAB links lead to themselves', async () => {
  const next = await read<{ races: { _links: { self: string } }[] }>(`${TAB}/next-to-go/races?jurisdiction=VIC`);
  const { self } = next.races[0]!._links;
  const card = (await (await fetch(`${self}?jurisdiction=VIC`)).json()) as {
    _links: { self: string };
    runners: unknown[];
  };
  expect(card._links.self).toBe(self);
  expect(card.runners.length).toBeGreaterThan(4);
});

test('unknown races are 404 in each book’s own format, unknown books are plain 404s', async () => {
  expect((await get(`neds/${ENTAIN}/events/00000000-0000-4000-8000-000000000000`)).status).toBe(404);
  expect((await get('pointsbetau/api/racing/v3/races/1')).status).toBe(404);
  expect((await get('nobody/at/all')).status).toBe(404);
});

test('the world lists its races in advance, and reports its health', async () => {
  const listed = await read<{ now: string; races: { id: string; stage: string; outcome: { jump: string } | null }[] }>(
    `world/races?from=2026-11-21T02:00:00Z&to=2026-11-21T04:00:00Z`,
  );
  expect(listed.now).toBe('2026-11-21T03:10:00.000Z');
  expect(listed.races.length).toBeGreaterThan(20);
  expect(listed.races[0]!.stage).toMatch(/final|abandoned/);
  expect(listed.races.at(-1)!.stage).toMatch(/open|abandoned/);
  expect(await read('healthz')).toMatchObject({ status: 'ok' });
});

test('at any start time, one race has just jumped and the next is minutes away', () => {
  for (let hour = 0; hour < 24; hour++) {
    const at = Date.parse('2026-11-21T00:00:30Z') + hour * 3_600_000;
    const days = simulator.world.listedDays(at);
    const jumps = days
      .flatMap((day) => racesOf(simulator.world, day))
      .filter(({ story }) => !story.abandoned)
      .map(({ story }) => story.jumpMs);
    expect(jumps.filter((jump) => jump > at - 10 * 60_000 && jump <= at).length).toBeGreaterThan(0);
    expect(jumps.filter((jump) => jump > at && jump < at + 10 * 60_000).length).toBeGreaterThan(0);
  }
});
