// What the site publishes for crawlers, models and newcomers (A 4.14), over the whole application: every address of the
// contract is served to GET and HEAD, and every address that a document lists is there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_OUT } from '../../src/api/discovery/robots';
import { ENDPOINTS } from '../../src/api/operations';
import type { AboutSource } from '../../src/web/about/model';
import type { LiveBoard } from '../../src/web/board/model';
import type { Cards } from '../../src/web/cards/cards';
import { CARD_PATHS } from '../../src/web/cards/routes';
import { CHANGES } from '../../src/web/changelog/changes';
import { GUIDES, guidePath, NOTEBOOK } from '../../src/web/guides/guides';
import type { Home } from '../../src/web/home/home';
import type { MeetingDays } from '../../src/web/meetings/days';
import type { MoverPages } from '../../src/web/movers/movers';
import type { PastRaces } from '../../src/web/past/past-races';
import type { PriceQuality } from '../../src/web/price-quality/price-quality';
import type { QualitySource } from '../../src/web/quality/source';
import { createWeb } from '../../src/web/routes';
import type { NameSearch } from '../../src/web/search/search';
import { SITE_PAGES } from '../../src/web/site/pages';
import type { SportPages } from '../../src/web/sports/sport-pages';
import type { WidgetSource } from '../../src/web/widgets/source';
import { readJsonFeed, readRss } from '../support/pages/feeds';
import { memoryAccounts } from '../support/pages/memory-accounts';
import { exampleReference } from '../support/pages/reference';
import { BASE_URL, type BoardWorld, createBoardWorld } from './board-world';
import { pastRace } from './hour-race';

const PERSON = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let world: BoardWorld;
beforeAll(async () => {
  world = await createBoardWorld();
});
afterAll(() => world.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(world.url + path, { method, headers });
const text = async (path: string): Promise<string> => (await get(path)).text();

const OPERATIONS = new Set(ENDPOINTS.map(({ path }) => path));
/** The paths of a tag in the contract's list. */
function contract(tag: string): string[] {
  const lines = readFileSync(join(__dirname, '../fixtures/operations.tsv'), 'utf8').trim().split('\n');
  const rows = lines.map((line) => line.split('\t')).filter((row) => row[2] === tag);
  return rows.map(([, path]) => path!);
}

const locations = (xml: string): string[] => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, at]) => at!);
/** In order, without those that exist. */
async function dead(addresses: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const address of new Set(addresses)) {
    expect(address).toMatch(new RegExp(`^${BASE_URL}/`));
    const { status } = await get(address.slice(BASE_URL.length));
    if (status !== 200) found.push(`${status} ${address}`);
  }
  return found;
}

test('when nothing is measured the coverage report is a page that names what is missing, and a 503', async () => {
  const page = await get('/coverage-report', PERSON);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60']);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const shown = await page.text();
  expect(shown).toContain('<li>The archive has no prices yet.</li>');
  expect(shown).not.toMatch(/\d%/);
});

describe('with a past race', () => {
  beforeAll(async () => {
    await pastRace(world);
    await world.connected('tab');
  });

  test('every address of the contract is served, to HEAD with the headers of GET', async () => {
    const served = contract('Site');
    expect(served).toHaveLength(14);
    for (const path of served) {
      const whole = await get(path);
      const head = await get(path, {}, 'HEAD');
      expect([path, whole.status, head.status, await head.text()]).toEqual([path, 200, 200, '']);
      expect((await whole.text()).length).toBeGreaterThan(100);
      // HEAD of an operation does no work, so it has no tag.
      const names = OPERATIONS.has(path)
        ? ['content-type', 'cache-control']
        : ['content-type', 'cache-control', 'etag'];
      for (const name of names)
        expect([path, name, head.headers.get(name)]).toEqual([path, name, whole.headers.get(name)]);
      expect(whole.headers.get('x-credits-cost')).toBeNull();
    }
  });

  test.each([...contract('Retired').map((path) => path.replace('{path}', 'promos')), '/v1/racing/exchange'])(
    '%s is retired: 410 to every method, with what replaces it, at no charge',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await get(path, {}, method);
        expect([method, answer.status, answer.headers.get('content-type')]).toEqual([
          method,
          410,
          'application/problem+json',
        ]);
        expect(answer.headers.get('x-credits-cost')).toBeNull();
        if (method === 'HEAD') continue;
        const { code, detail } = (await answer.json()) as { code: string; detail: string };
        expect(code).toBe('gone');
        expect(detail).toMatch(/ \/(v1\/racing\/best-odds|sitemap\.xml) (has|lists) /);
      }
    },
  );

  test('a document is a 304 to clients that have it, and anyone may cache it for an hour', async () => {
    for (const path of [
      '/robots.txt',
      '/llms-full.txt',
      '/sitemap-sports.xml',
      '/changelog.json',
      '/changelog.xml',
      '/v1',
    ]) {
      const first = await get(path);
      expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
      const again = await get(path, { 'If-None-Match': first.headers.get('etag')! });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    }
    const packed = await get('/llms-full.txt', { 'Accept-Encoding': 'br' });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('every address of robots.txt and of the sitemaps exists', async () => {
    const robots = await text('/robots.txt');
    const [, index] = /^Sitemap: (.+)$/m.exec(robots)!;
    const maps = locations(await text(index!.slice(BASE_URL.length)));
    expect(maps.map((at) => at.slice(BASE_URL.length)).sort()).toEqual(
      contract('Site')
        .filter((path) => path.startsWith('/sitemap-'))
        .sort(),
    );
    const addresses: string[] = [];
    for (const map of maps) {
      const xml = await text(map.slice(BASE_URL.length));
      expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org/);
      // The schema of sitemaps does not allow an empty one.
      expect(locations(xml)).not.toEqual([]);
      addresses.push(...locations(xml));
    }
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses).toEqual(
      expect.arrayContaining(
        [
          '/',
          '/live',
          '/past/2026-11-21',
          '/races/2026-11-21',
          '/races/2026-11-22',
          '/results/2026-11-21',
          '/coverage-report',
          '/contract',
          '/changelog',
          '/changelog.xml',
          '/terms',
          '/privacy',
        ].map((path) => BASE_URL + path),
      ),
    );
    expect(await dead([...maps, ...addresses])).toEqual([]);
    const patterns = KEPT_OUT.map((path) => new RegExp(`^${path.replaceAll('*', '[^/]+')}`));
    const paths = addresses.map((at) => at.slice(BASE_URL.length));
    expect(paths.filter((path) => patterns.some((one) => one.test(path)))).toEqual([]);
  });

  test('llms.txt has a title, a summary and sections of working links', async () => {
    const [title, , summary, , , , section, ...rest] = (await text('/llms.txt')).split('\n');
    expect([title, summary, section]).toEqual([
      '# Racing Odds Service',
      expect.stringMatching(/^> /),
      expect.stringMatching(/^## /),
    ]);
    const lines = rest.filter((line) => line !== '' && !line.startsWith('## '));
    const links = lines.map((line) => /^- \[[^\]]+\]\((\S+)\): \S.*$/.exec(line)?.[1] ?? line);
    expect(await dead(links)).toEqual([]);
    const slugs = links.flatMap((at) => /\/docs\/([^/]+)$/.exec(at)?.[1] ?? []);
    expect(slugs.sort()).toEqual(ENDPOINTS.map(({ operationId }) => operationId.replaceAll('_', '-')).sort());
  });

  test('llms.txt has every guide', async () => {
    const lines = (await text('/llms.txt')).split('\n');
    for (const guide of GUIDES)
      expect(lines).toContain(`- [${guide.title}](${BASE_URL}${guidePath(guide)}): ${guide.about}`);
  });

  test('llms-full.txt has every operation with its cost, its parameters and its errors', async () => {
    const full = await text('/llms-full.txt');
    const sections = new Map(full.split('\n### ').map((part) => [part.slice(0, part.indexOf('\n')), part]));
    for (const { method, path, cost, query = {}, params = {}, gate } of ENDPOINTS) {
      const part = sections.get(`${method.toUpperCase()} ${path}`)!;
      expect(part).toContain(`Cost: ${cost.text}.`);
      if (gate) expect(part).toContain(gate.text);
      for (const name of [...Object.keys(query), ...Object.keys(params)]) expect(part).toContain(`- \`${name}\` (`);
      expect(part).toMatch(/Errors: .*429 `rate_limit`/);
    }
    expect(sections.get('GET /v1/racing/next-to-go')).toContain(
      '- `num_races` (query, optional; integer, 1 to 200, default `10`): Maximum number of races to return',
    );
    expect(full).not.toMatch(/undefined|\[object Object\]/);
    for (const topic of ['Authentication', 'Credits', 'Limits', 'Errors']) expect(full).toContain(`**${topic}`);
  });

  test('every page with a fixed address is listed for crawlers, or left out for a reason', () => {
    const ofVisitors = ['/account', '/login', '/forgot', '/reset', '/replace-key', '/verify'];
    const ofMails = ['/alerts/stop', '/credit-mails/stop', '/account/alerts/news'];
    const steps = ['/login/link', '/login/sent', '/signup/sent'];
    const ofOwners = [
      'alerts',
      'backfill',
      'bookmakers',
      'calls',
      'close',
      'credits',
      'export',
      'files',
      'passkeys',
    ].map((path) => `/account/${path}`);
    const ofAddresses = ['/account/email', '/account/email/sent', '/confirm-address', '/undo-address'];
    const leftOut = [
      ...ofVisitors,
      ...ofMails,
      ...steps,
      ...ofOwners,
      ...ofAddresses,
      '/board/fragment',
      '/board/home',
      '/board/home/stream',
      '/board/stream',
      ...Object.values(CARD_PATHS),
      '/data-quality.json',
      // Listed as a page of the API.
      '/docs',
      '/favicon.ico',
      // A guide leads to it.
      NOTEBOOK.path,
      '/manifest.webmanifest',
      '/search/suggestions',
      '/sports/arbs/fragment',
      '/movers/fragment',
      '/sports/fragment',
    ];
    const accounts = memoryAccounts(BASE_URL).pages;
    const streams = {
      moves: { watch: () => () => {} },
      networkOf: () => 'one',
      stopping: new AbortController().signal,
    };
    const widgets = {} as WidgetSource;
    const sources = {
      live: {} as LiveBoard,
      meetings: {} as MeetingDays,
      movers: {} as MoverPages,
      search: {} as NameSearch,
      sports: {} as SportPages,
      past: {} as PastRaces,
      coverage: () => Promise.reject(),
      quality: {} as QualitySource,
      priceQuality: {} as PriceQuality,
      about: {} as AboutSource,
      home: {} as Home,
      cards: {} as Cards,
      reference: () => exampleReference(BASE_URL),
    };
    const { stack } = createWeb({ ...sources, streams, accounts, widgets, now: () => 0, speed: 1 });
    const all = stack.flatMap(({ path, methods }) => (methods.includes('GET') ? [String(path)] : []));
    const routes = all.filter((path) => !path.includes(':'));
    const listed = SITE_PAGES.map(({ path }) => path);
    expect(routes.filter((path) => !listed.includes(path)).sort()).toEqual(leftOut.sort());
    expect(listed.filter((path) => !routes.includes(path))).toEqual([]);
    const known = ['/v1/', ...all.map((path) => path.replace(/:\w+/g, '*'))];
    expect(KEPT_OUT.filter((kept) => !known.some((path) => path.startsWith(kept)))).toEqual([]);
  });

  test('the page of the coverage report has the figures of its JSON, and nothing of an exchange', async () => {
    const page = await text('/coverage-report');
    const { prices, archive } = (await (await get('/coverage-report.json')).json()) as {
      prices: { races: number; by_code: { bookmakers: { title: string; races_priced_pct: number }[] }[] };
      archive: { rows: number };
    };
    expect(prices.races).toBe(1);
    for (const { title, races_priced_pct: pct } of prices.by_code[0]!.bookmakers)
      expect(page).toContain(`<th scope="row">${title}</th><td class="num">${pct.toFixed(1)}%</td>`);
    expect(page).toContain(`<dd>${archive.rows}, `);
    expect(page).toMatch(/TAB<\/th><td><span class="tag tag-good">ok<\/span>/);
    expect(page).toContain('BoostBet</th><td>none yet</td><td>none yet</td>');
    expect(page).not.toMatch(/Betfair|Pinnacle/);
  });

  test('both feeds of the changelog are valid and have every change, whose address is on the page (A 9.2)', async () => {
    const page = await text('/changelog');
    const feeds = [
      ['/changelog.json', 'application/feed+json', readJsonFeed],
      ['/changelog.xml', 'application/rss+xml', readRss],
    ] as const;
    const read = [];
    for (const [path, type, reader] of feeds) {
      const found = await get(path);
      expect(found.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      const feed = reader(await found.text());
      expect([feed.self, feed.home]).toEqual([BASE_URL + path, `${BASE_URL}/changelog`]);
      expect(page).toMatch(
        new RegExp(`<link rel="alternate" type="${type.replace('+', '\\+')}" title="[^"]+" href="${path}">`),
      );
      read.push(feed.entries);
    }
    const [json, rss] = read;
    expect(rss).toEqual(json);
    const first = CHANGES.findIndex(({ id }) => id === 'clv-place');
    expect(json![first]).toEqual({
      id: `${BASE_URL}/changelog#clv-place`,
      url: `${BASE_URL}/changelog#clv-place`,
      title: 'Place bets',
      date: '2026-11-22T00:00:00.000Z',
      area: 'Closing line value',
      content:
        '<code>market: &quot;place&quot;</code> scores place bets: against place closes, settled on the places paid.',
    });
    expect(json!.map(({ id }) => id)).toEqual(CHANGES.map(({ id }) => `${BASE_URL}/changelog#${id}`));
    const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(anchors).toEqual(expect.arrayContaining(CHANGES.map(({ id }) => id)));
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test('a newcomer finds the way from /v1, and a browser the icon', async () => {
    const links = (await (await get('/v1')).json()) as Record<string, string>;
    expect(Object.keys(links)).toEqual(['documentation', 'openapi', 'text', 'changelog', 'uptime']);
    expect(await dead(Object.values(links))).toEqual([]);
    expect((await get('/favicon.ico')).headers.get('content-type')).toBe('image/svg+xml');
  });
});
