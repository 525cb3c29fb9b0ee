// The pages about the service, and what public pages say of themselves: plans and costs are those of the code, and the
// status that of the checks.
import { ENDPOINTS } from '../../src/api/operations';
import { createAboutSource } from '../../src/api/pages/about-source';
import { PLANS } from '../../src/plans/plans';
import { RIGHTS } from '../../src/plans/rights';
import { createHealthStore } from '../../src/store/health';
import { createReads } from '../../src/store/reads/reads';
import { statusPage } from '../../src/web/about/status-page';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { BASE_URL, type BoardWorld, createBoardWorld } from './board-world';

const PERSON = { Accept: 'text/html' };
const words = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('over HTTP', () => {
  let world: BoardWorld;
  beforeAll(async () => {
    world = await createBoardWorld();
  });
  afterAll(() => world.close());
  const text = async (path: string): Promise<string> => (await fetch(world.url + path, { headers: PERSON })).text();

  test('the page of plans has the price and allowance of each plan, and the cost that each priced operation declares', async () => {
    const page = await text('/pricing');
    for (const { title, monthlyCredits, monthlyPriceAud } of PLANS) {
      const price =
        monthlyPriceAud === null ? 'by agreement' : monthlyPriceAud === 0 ? 'free' : `A\\$${monthlyPriceAud}`;
      const credits = monthlyCredits.toLocaleString('en-AU');
      expect(page).toMatch(new RegExp(`<th scope="row">${title}</th><td class="num">${price}</td>.*>${credits}</td>`));
    }
    const shown = words(page);
    const isFree = ({ cost }: (typeof ENDPOINTS)[number]) => cost.text === '0 credits';
    const priced = ENDPOINTS.filter((one) => !isFree(one));
    // Free to call, and charged on delivery.
    expect(priced.filter(({ cost }) => cost.constant === 0).map((one) => one.operationId)).toEqual(['submit_backfill']);
    expect(priced.length).toBeGreaterThan(30);
    for (const { method, path, cost } of priced)
      expect(shown).toContain(`${cost.text} ${method.toUpperCase()} ${path}`);
    for (const { path } of ENDPOINTS.filter(isFree)) expect(page).not.toContain(` ${path}</code>`);
  });

  test('the page of plans names every operation that needs a plan beside its rule', async () => {
    const items = (await text('/pricing')).split('<li>').slice(1).map(words);
    const gated = ENDPOINTS.flatMap(({ summary, gate }) => (gate ? [{ summary, gate }] : []));
    expect(gated.length).toBeGreaterThan(20);
    for (const { summary, gate } of gated) {
      const rule = gate.right ? `${RIGHTS[gate.right].title}: from ` : gate.text;
      expect([summary, items.some((item) => item.includes(rule) && item.includes(` ${summary} `))]).toEqual([
        summary,
        true,
      ]);
    }
  });

  test('a page describes itself once and names its own address; a page that is not there names none', async () => {
    for (const path of ['/', '/live', '/pricing', '/status', '/about', '/past', '/price-quality', '/docs']) {
      const page = await text(path);
      for (const [what, times] of [
        ['<meta name="description" content="', 1],
        [`<link rel="canonical" href="${BASE_URL}${path}">`, 1],
        [`<meta property="og:url" content="${BASE_URL}${path}">`, 1],
        ['<meta property="og:title" content="', 1],
      ] as const)
        expect([path, what, page.split(what).length - 1]).toEqual([path, what, times]);
    }
    const queried = await text('/past?until=2026-11-20');
    expect(queried).toContain(`<link rel="canonical" href="${BASE_URL}/past">`);
    expect(await text('/race/x')).not.toMatch(/rel="canonical"|og:url/);
  });

  test('pages with prices have the line for help; no page loads anything of others', async () => {
    for (const path of ['/', '/live', '/past', '/price-quality']) {
      const page = await text(path);
      expect(words(page)).toContain('18+ only.');
      expect(page).toContain('<a href="tel:1800858858">1800 858 858</a>');
      expect(page).not.toMatch(
        /(?:src|srcset)="(?!\/)|<link [^>]*rel="(?:stylesheet|preload|icon|manifest)"[^>]*href="(?!\/)/,
      );
    }
  });

  test('a browser can install the board: the manifest is linked, and its icon exists', async () => {
    expect(await text('/live')).toContain('<link rel="manifest" href="/manifest.webmanifest">');
    const answer = await fetch(`${world.url}/manifest.webmanifest`);
    expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    const { icons, start_url, display } = (await answer.json()) as {
      icons: { src: string; type: string }[];
      start_url: string;
      display: string;
    };
    expect([start_url, display]).toEqual(['/live', 'standalone']);
    const icon = await fetch(world.url + icons[0]!.src);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, icons[0]!.type]);
  });

  test('the page about the service has the address for customers', async () => {
    expect(await text('/about')).toContain('<a href="mailto:hello@example.com">hello@example.com</a>');
  });
});

describe('the status', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());
  const NOW = Date.parse('2026-11-24T03:00:00Z');
  const source = () => createAboutSource({ reads: createReads(db.pool), endpoints: [], contact: null, speed: 1 });
  const shown = async (): Promise<string> => words(statusPage(await source().status(NOW), NOW, 1).main.text);

  test('without a check nothing is known, and nothing is 0 or 100 %', async () => {
    const page = await shown();
    expect(page).toContain('The service has not been checked yet.');
    expect(page).toContain('Nothing has been measured yet.');
    expect(page).not.toMatch(/\d%|No check failed/);
  });

  test('outages are the runs of failed checks, each until the first that passed unless checks were missing before it', async () => {
    const { recordUptime } = createHealthStore(db.pool);
    const check = (minutesAgo: number, ok: boolean) =>
      recordUptime([{ at: new Date(NOW - minutesAgo * 60_000).toISOString(), ok, latencyMs: 12, target: 'x' }]);
    for (const ago of [3000, 2999, 400, 101, 100, 99, 95, 94, 20, 19, 18, 5]) await check(ago, true);
    for (const ago of [700, 699, 402, 401, 98, 97, 96, 93, 86, 85, 4, 3]) await check(ago, false);
    const { outages, checks, ok, days } = await source().status(NOW);
    const ago = (at: string | null) => at && (NOW - Date.parse(at)) / 60_000;
    expect(outages.map(({ from, until, isLatest, checks }) => [ago(from), ago(until), isLatest, checks])).toEqual([
      [4, null, true, 2],
      [86, null, false, 2],
      [93, null, false, 1],
      [98, 95, false, 3],
      [402, 400, false, 2],
      [700, null, false, 2],
    ]);
    expect([checks, ok, days.reduce((sum, day) => sum + day.checks, 0)]).toEqual([24, 12, 24]);
    expect(days.map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-23', '2026-11-22']);
    const page = await shown();
    expect(page).toContain('Down checked 3m ago');
    expect(page).toContain('50.000% of 24 checks passed');
    expect(page).toContain('2026-11-24 02:56 UTC – not over 2');
    expect(page).toContain('2026-11-24 01:34 UTC – not known 2');
    expect(page).toContain('2026-11-24 01:22 UTC 2026-11-24 01:25 UTC 3 minutes 3');
  });

  test('a share is never shown as 100 % while a check failed, and a state of more than three minutes ago is not known', async () => {
    const status = await source().status(NOW);
    const many = { ...status, checks: 10_000_000, ok: 9_999_999 };
    expect(words(statusPage(many, NOW, 1).main.text)).toContain('99.999% of 10,000,000 checks passed');
    const later = words(statusPage(status, NOW + 60_000, 1).main.text);
    expect(later).toContain('Not known Last checked 4m ago');
    expect(later).not.toContain('not over');
  });
});
