// The pages of sports over HTTP and a real store: what the operations answer at the same moment, what is refreshed, one
// match for one match, and nothing that customers may not see.
import { newKey } from '../support/api/api';
import { type BoardWorld, createBoardWorld } from './board-world';

let world: BoardWorld;
let key: string;
beforeAll(async () => {
  world = await createBoardWorld({ still: true });
  await world.addRound();
  key = newKey();
  await world.addKey(key, { plan: 'free' });
});
afterAll(() => world.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual' });
const page = async (path: string): Promise<string> => {
  const response = await get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const mainOf = (html: string): string => textOf(/<main.*<\/main>/s.exec(html)![0]);
const api = async <T>(path: string): Promise<T> => {
  const response = await fetch(world.url + path, { headers: { 'X-API-Key': key } });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
};
const matchOf = async (sport: string, home: string): Promise<string> =>
  new RegExp(`href="(/sports/match/[^"]+)">${home} v`).exec(await page(`/sports/${sport}`))![1]!;

test('the list has each sport with its coming matches and the next; a started match is in none', async () => {
  const text = mainOf(await page('/sports'));
  expect(text).toMatch(/50 matches to come, .* newest price 2m old · as of 2:00:00 pm/);
  expect(text).toMatch(/NRL Rugby League 2 matches · 6 books Next: Sydney Roosters v South Sydney Rabbitohs in 2h 15m/);
  expect(text).toContain('Without a priced match: AFL, AFLW,');
  const nrl = mainOf(await page('/sports/nrl'));
  expect(nrl).toMatch(
    /8:00 pm AEDT 6h 00m Brisbane Broncos v Melbourne Storm 6 books arb 0\.07% Brisbane Broncos 1\.88 TAB 5m Melbourne Storm 2\.14 Sportsbet 2m/,
  );
  expect(nrl).not.toContain('Parramatta');
  for (const none of ['/sports/racing', '/sports/match/x', '/sports/arbs/x', '/sports/match/fragment'])
    expect([none, (await get(none)).status]).toEqual([none, 404]);
});

test('a match that has started has no price and no fragment to refresh, and one that was joined leads to the other', async () => {
  const rows: { home_team: string; event_id: string }[] = await api('/v1/sports/nrl/closing-lines');
  const eels = rows.find(({ home_team }) => home_team === 'Parramatta Eels')!;
  const html = await page(`/sports/match/${eels.event_id}`);
  expect(mainOf(html)).toMatch(
    /Parramatta Eels v Penrith Panthers .* The match has started\. .* TAB Parramatta Eels v/,
  );
  expect(html).not.toMatch(/data-price|class="bp|data-refresh/);
  const started = await page(`/sports/match/${eels.event_id}/lines`);
  expect(mainOf(started)).toMatch(/all lines .* The match has started\./);
  expect(started).not.toMatch(/data-price|class="bp|data-refresh/);
  expect(await page(`/sports/nrl`)).not.toContain(eels.event_id);
  const two = await page('/sports/basketball_other');
  const [one, other] = [...two.matchAll(/\/sports\/match\/([\w-]+)/g)].map(([, id]) => id!);
  const kept = await world.joinMatches(one!, other!);
  expect([one, other]).toContain(kept);
  const moved = await get(`/sports/match/${kept === one ? other : one}`);
  expect([moved.status, moved.headers.get('location')]).toEqual([301, `/sports/match/${kept}`]);
  const ofLines = await get(`/sports/match/${kept === one ? other : one}/lines`);
  expect([ofLines.status, ofLines.headers.get('location')]).toEqual([301, `/sports/match/${kept}/lines`]);
});

interface Selection {
  readonly best_price: number;
  readonly best_bookmaker: string;
}

test('best prices are those of GET /v1/best-odds, and arbs those of GET /v1/arb/sports', async () => {
  const all: { home_team: string; selections: Selection[] }[] = await api('/v1/best-odds/nba');
  const lakers = mainOf(await page('/sports/nba'));
  const books = { tab: 'TAB', unibet: 'Unibet' };
  for (const { best_price: price, best_bookmaker: book } of all[0]!.selections)
    expect(lakers).toContain(`${price.toFixed(2)} ${books[book as keyof typeof books]}`);
  // The best price is one that its book has not confirmed for 50 minutes.
  expect(lakers).toMatch(/Boston Celtics 1\.92 Unibet stale 50m/);
  const found: { is_arb: boolean; arb_pct: number; confidence: number }[] = await api('/v1/arb/sports');
  const [arb] = found.filter(({ is_arb }) => is_arb);
  const arbs = mainOf(await page('/sports/arbs'));
  expect(arbs).toMatch(/2 arbs, highest return first/);
  expect(arbs).toContain(`arb ${arb!.arb_pct.toFixed(2)}% Brisbane Broncos v Melbourne Storm`);
  expect(arbs).toContain(`Confidence ${arb!.confidence.toFixed(2)} of 1`);
  expect(arbs).toMatch(
    /Brisbane Broncos −2\.5 2\.02 TAB 5m 50\.5% of the stakes Melbourne Storm \+3\.5 2\.06 Neds 10m/,
  );
});

test('a match has every book by market, its doubts and ages, and why each book is in it', async () => {
  const broncos = mainOf(await page(await matchOf('nrl', 'Brisbane Broncos')));
  expect(broncos).toMatch(/8:00 pm AEDT start as 5 of 6 books list it/);
  expect(broncos).toMatch(/Head to head 6 books .* Best 1\.88 TAB 5m 2\.14 Sportsbet 2m Ladbrokes 14m 1\.75 2\.10/);
  // It lists the sides the other way round: its prices are turned.
  expect(broncos).toMatch(/PointsBet 8m 1\.76 2\.08/);
  expect(broncos).toMatch(/Unibet stale 50m 1\.74 2\.10/);
  expect(broncos).toMatch(/Line 4 books .* Neds 10m −3\.5 1\.80 \+3\.5 2\.06 PointsBet – –/);
  expect(broncos).toMatch(
    /Ladbrokes Brisbane Broncos v Melbourne Storm another start 8:05 pm AEDT same sides in the same/,
  );
  expect(broncos).toMatch(/Neds Broncos v Storm same sides in the same competition listed 10m ago/);
  const lakers = mainOf(await page(await matchOf('nba', 'Los Angeles Lakers')));
  expect(lakers).toMatch(/PlayUp 3m Probably wrong: [^:]+: 19\.00 Probably wrong: [^:]+: 1\.01/);
  const arsenal = mainOf(await page(await matchOf('soccer_epl', 'Arsenal')));
  expect(arsenal).toMatch(
    /Best 2\.10 TAB 5m 3\.50 Sportsbet 2m 3\.60 Sportsbet 2m Ladbrokes 14m without the draw: another bet 1\.55 – 2\.40/,
  );
});

test('all lines of a match: both sides of a line on its row, each book’s price and age, main lines named', async () => {
  const path = `${await matchOf('nrl', 'Sydney Roosters')}`;
  expect(await page(path)).toContain(`href="${path}/lines#lines-totals"`);
  const lines = mainOf(await page(`${path}/lines`));
  expect(lines).toMatch(/Sydney Roosters v South Sydney Rabbitohs: all lines .* Total 3 lines, 3 books/);
  expect(lines).toMatch(/ −5\.5 \+5\.5 main of 3 1\.95 Neds 10m 1\.90 Sportsbet 2m /);
  expect(lines).toMatch(
    /Over 41\.5 Under 41\.5 1\.82 TAB 5m 1\.98 TAB 5m – – 1\.82 1\.98 5m Over 42\.5 Under 42\.5 main of 3 1\.92 Neds 10m 1\.94 Sportsbet 2m best 1\.92 1\.90 10m 1\.88 best 1\.94 2m 1\.90 1\.90 5m Over 43\.5/,
  );
  expect((await get('/sports/match/x/lines')).status).toBe(404);
});

test('a search leads from a team to its next match and from a competition to its sport, never to a started match', async () => {
  const found = mainOf(await page('/search?q=bronc'));
  expect(found).toMatch(
    /Teams and players with a match to come Brisbane Broncos NRL, next Brisbane Broncos v Melbourne Storm, 8:00 pm AEDT ?, 6 books/,
  );
  for (const none of ['Parramatta', 'Panthers'])
    expect([none, mainOf(await page(`/search?q=${none}`))]).toEqual([none, expect.stringContaining('Nothing begins')]);
  expect(mainOf(await page('/search?q=division+2'))).toMatch(
    /Sports and competitions Division 2 competition of [^,]+, 15 matches to come/,
  );
  for (const text of ['melb', 'divis', 'nrl', 'arsenal', 'afl']) {
    const suggested = (await (await get(`/search/suggestions?q=${text}`)).json()) as { path: string }[];
    expect([text, suggested.length > 0 && suggested.length <= 10]).toEqual([text, true]);
    for (const { path } of suggested) expect([path, (await get(path)).status]).toEqual([path, 200]);
  }
});

test('a fragment is the page’s main part, a 304 while nothing changed, and refreshed four times a minute', async () => {
  for (const path of [
    '/sports',
    '/sports/soccer_other?page=2',
    '/sports/arbs',
    await matchOf('nrl', 'Brisbane Broncos'),
    `${await matchOf('nrl', 'Sydney Roosters')}/lines`,
  ]) {
    const html = await page(path);
    const fragment = /data-refresh="([^"]+)" data-every="15000"/.exec(html)![1]!;
    expect(html).toContain('<meta http-equiv="refresh" content="15">');
    const first = await get(fragment);
    const { length } = html;
    expect([path, first.status, html.includes(await first.text()), length < 60_000]).toEqual([path, 200, true, true]);
    const again = await get(fragment, { 'If-None-Match': first.headers.get('etag')! });
    expect([path, again.status]).toEqual([path, 304]);
  }
});

test('every match of a sport is on one of its pages, and each page leads to the next', async () => {
  const found: string[] = [];
  let path: string | undefined = '/sports/soccer_other';
  while (path !== undefined) {
    const html: string = await page(path);
    found.push(...[...html.matchAll(/\/sports\/match\/[\w-]+/g)].map(([one]) => one));
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  }
  expect([found.length, new Set(found).size]).toEqual([44, 44]);
  const division = mainOf(await page('/sports/soccer_other?competition=Division%202'));
  expect(division).toMatch(/15 matches to come of Division 2/);
  expect(division).not.toContain('Page 1 of');
});
