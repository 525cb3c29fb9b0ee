// Every rule of axe-core (WCAG 2.2 A and AA, best practices) on the real pages: desk and phone, in
// every theme, in high contrast also AAA; and what of them is printed.
import type { Browser } from 'playwright-core';
import { GUIDES, guidePath } from '../../src/web/guides/guides';
import { OF_COLOUR, OF_LAYOUT, openFolds, violationsOf } from '../support/pages/axe';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { cutCells, cutOnPhones } from '../support/pages/cut-cells';
import { onPaper } from '../support/pages/paper';
import { feedField, resultRunner } from '../support/races/builders';
import { type WatchedPage, watchedPage } from './board-browser';
import { AFTERNOON, type BoardWorld, createBoardWorld } from './board-world';
import { hourRace, pastRace } from './hour-race';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`axe on the pages${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: BoardWorld;
  let raceId: string;
  let pastId: string;
  let oldId: string;
  let resultedId: string;
  let matchPath: string;
  let linesPath: string;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await createBoardWorld();
    raceId = await hourRace(world);
    pastId = await pastRace(world);
    oldId = await world.list(50, { venue: 'Ascot', raceNumber: 1 });
    await world.poll(oldId, 'tab', feedField(2.5, 4), { secondsAgo: 485 });
    await world.connected('tab');
    const run = { name: 'Runner 1', category: 'horse', field_size: 3, sp: 4.5, jockey: 'A. Rider' } as const;
    await world.addRuns(
      {
        ...run,
        race_id: pastId,
        result_id: pastId,
        origin: 'results',
        start_time: '2026-11-21T02:40:00.000Z',
        venue: 'Moonee Valley',
        race_number: 4,
        position: 2,
        margin: '0.75L',
      },
      { ...run, start_time: '2026-11-07T02:40:00.000Z', status: 'scratched', position: null },
    );
    resultedId = await world.list(-30, { venue: 'Pakenham', raceNumber: 2 });
    await world.poll(resultedId, 'tab', feedField(101, 2.5, 4), { nowMs: AFTERNOON - 31 * 60_000 });
    await world.leaveBoard(resultedId, AFTERNOON - 29 * 60_000);
    const totes = ['NSW', 'QLD', 'VIC'];
    await world.result(resultedId, {
      stage: 'final',
      placings: ['Constantinople', 'Runner 2', 'Runner 3'].map((name, i) => ({ position: i + 1, number: i + 1, name })),
      straight: totes.map((product) => ({ market: 'WIN', product, number: 1, amount: 101.4 })),
      exotics: totes.map((product) => ({ code: 'FF', product, selection: '1,2,3,4', amount: 12_345.6 })),
    });
    await world.field(resultedId, [
      resultRunner(1, { name: 'Constantinople', time_s: 106.11, sp: 101 }),
      resultRunner(2, { time_s: 106.2, margin: '0.75L', sp: 2.6 }),
      resultRunner(3, { time_s: 107.45, margin: '12.75L', sp: 4.2 }),
    ]);
    await world.addRound();
    const nrl = await (await fetch(`${world.url}/sports/nrl`)).text();
    matchPath = /"(\/sports\/match\/[^"]+)">Brisbane/.exec(nrl)![1]!;
    linesPath = `${/"(\/sports\/match\/[^"]+)">Sydney/.exec(nrl)![1]!}/lines`;
    const jumped = await world.list(-3, { venue: 'Cranbourne', raceNumber: 3 });
    await world.jump(jumped);
    await world.result(jumped, {
      protest: true,
      exotics: [{ code: 'QN', product: 'VIC', selection: '1,2', amount: 5.4 }],
    });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const PATHS = {
    home: () => '/',
    board: () => '/live',
    'race page': () => `/race/${raceId}`,
    'old prices': () => `/race/${oldId}`,
    'past race': () => `/race/${pastId}/past`,
    'past day': () => '/past/2026-11-21',
    'past runner': () => '/horse/runner1',
    jockey: () => '/jockey/a-rider',
    coverage: () => '/coverage-report',
    'price quality': () => '/price-quality/2026-11-21',
    pricing: () => '/pricing',
    status: () => '/status',
    about: () => '/about',
    changelog: () => '/changelog',
    contract: () => '/contract',
    sports: () => '/sports/soccer_epl',
    match: () => matchPath,
    'sports lines': () => linesPath,
    arbs: () => '/sports/arbs',
    'data quality': () => '/data-quality',
    meeting: () => '/meeting/2026-11-21/horse-flemington-1',
    'unknown race': () => '/race/x',
  };
  /** Beyond those above. */
  const MORE = {
    results: () => '/results',
    'result of a race': () => `/race/${resultedId}`,
    'past result': () => `/race/${resultedId}/past`,
    'results of a day': () => '/results/2026-11-21',
    races: () => '/today',
    movers: () => '/movers',
    'list of sports': () => '/sports',
    'many matches': () => '/sports/soccer_other',
    venue: () => '/venue/flemington',
    search: () => '/search?q=runner',
    'past days': () => '/past',
    operations: () => '/docs',
    operation: () => '/docs/next-to-go',
    event: () => '/docs/events/race-result',
    guide: () => guidePath(GUIDES[0]!),
    problems: () => '/errors',
    terms: () => '/terms',
    privacy: () => '/privacy',
    login: () => '/login',
  };
  const CHARTED: readonly string[] = ['board', 'race page', 'past race'];
  const SIZES = { desk: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } };
  type Scheme = 'light' | 'dark';
  const ALL_SIZES = { ...SIZES, tablet: { width: 820, height: 1180 } };
  type Size = keyof typeof ALL_SIZES;
  /** One for each size, so that styles and modules are loaded once. */
  const opened = new Map<Size, WatchedPage>();
  async function pageOf(size: Size): Promise<WatchedPage> {
    const watched = opened.get(size) ?? (await watchedPage(browser, ALL_SIZES[size]));
    opened.set(size, watched);
    watched.problems.length = 0;
    return watched;
  }
  const IN_ALL = ['home', 'price quality', 'pricing', 'status', 'about', 'match'];
  const cases = Object.keys(PATHS).flatMap((path) =>
    (Object.keys(IN_ALL.includes(path) ? ALL_SIZES : SIZES) as Size[]).map((size) => {
      // These use the board's colours: each scheme at one size. The others have both at the size that shows most.
      const isAlike = /^(past|old|coverage|pric|status|about|changelog|contract|meeting|sports|arbs)/.test(path);
      const schemes: Scheme[] = size !== 'desk' ? ['dark'] : isAlike ? ['light'] : ['light', 'dark'];
      return { path, size, schemes };
    }),
  );

  /** 7 to 1 for text (AAA). */
  const OF_HIGH_CONTRAST = { runOnly: { type: 'rule', values: ['color-contrast-enhanced', 'link-in-text-block'] } };
  const SET_CONTRAST = "document.documentElement.dataset.theme = 'contrast'";

  test.each(cases)(
    '$path, $size, $schemes and high contrast: no violations',
    async ({ path, size, schemes: [first, second] }) => {
      const { page, problems } = await pageOf(size);
      await page.emulateMedia({ colorScheme: first! });
      await page.goto(world.url + PATHS[path as keyof typeof PATHS]());
      if (CHARTED.includes(path)) await page.locator('.plot canvas').waitFor();
      if (size === 'phone') expect((await cutOnPhones(page)).cut).toEqual([]);
      await openFolds(page);
      // What a tablet shows, a desk or a phone shows too.
      expect(await violationsOf(page, size === 'tablet' ? OF_LAYOUT : undefined)).toEqual([]);
      if (second) {
        await page.emulateMedia({ colorScheme: second });
        expect(await violationsOf(page, OF_COLOUR)).toEqual([]);
      }
      // The colours of a theme are those of every size.
      if (size === 'desk') {
        await page.evaluate(SET_CONTRAST);
        expect(await violationsOf(page, OF_HIGH_CONTRAST)).toEqual([]);
      }
      // The browser reports the missing page.
      expect(problems.filter((one) => path !== 'unknown race' || !one.includes('404'))).toEqual([]);
    },
  );

  test.each(Object.values(SIZES))(
    'each menu of the header, opened alone at $width px: no violations in it',
    async (size) => {
      const { page } = await watchedPage(browser, size);
      await page.goto(`${world.url}/live`);
      for (const menu of await page.locator('header summary:visible').all()) {
        await menu.click();
        expect(await violationsOf(page, undefined, 'header.top')).toEqual([]);
        await menu.click();
      }
      await page.close();
    },
  );

  test('in the few colours of a system every text is readable, and what a ground means has an outline', async () => {
    const { page } = await watchedPage(browser);
    await page.emulateMedia({ forcedColors: 'active' });
    for (const theme of ['light', 'dark']) {
      await page.goto(`${world.url}/race/${raceId}`);
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await violationsOf(page, OF_COLOUR)).toEqual([]);
      expect(await page.evaluate("getComputedStyle(document.querySelector('.tag')).outlineStyle")).toBe('solid');
    }
    await page.close();
  });

  test('on paper a meeting has its whole tables and the moment, black on white, and no menu', async () => {
    const { page } = await watchedPage(browser, { colorScheme: 'dark' });
    const paper = await onPaper(page, world.url + PATHS.meeting(), 'upright');
    const colours = ['color(srgb 0 0 0)', 'color(srgb 1 1 1)'];
    expect(paper).toMatchObject({ cut: [], ways: 0, colours });
    expect([paper.cells > 15, paper.pdfBytes > 15_000]).toEqual([true, true]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.now').innerText()).toMatch(/Sat 21 Nov 2:\d\d:\d\d pm AEDT/);
    expect(await page.locator('main').innerText()).toMatch(/Runner 1[\s\S]*4\.20[\s\S]*\d:\d\d:\d\d pm/);
    await page.close();
  });

  test('on a phone no cell of a table is cut off, of other pages neither', async () => {
    const { page } = await watchedPage(browser, SIZES.phone);
    const cut: string[] = [];
    let cells = 0;
    for (const [name, path] of Object.entries(MORE)) {
      await page.goto(world.url + path());
      const found = await cutOnPhones(page);
      cells += found.cells;
      cut.push(...found.cut.map((cell) => `${name}: ${cell}`));
    }
    expect(cut).toEqual([]);
    expect(cells).toBeGreaterThan(100);
    // As wide as they were, their last figures are cut off.
    await page.goto(`${world.url}/results`);
    expect(await page.locator('.placings.long').first().innerText()).toMatch(/1:46\.11/);
    await page.evaluate("document.styleSheets[0].insertRule('.placings { min-width: 420px }')");
    expect((await cutCells(page)).cut).not.toEqual([]);
    await page.close();
  });

  test.each(Object.entries(SIZES))(
    'a past race at a %s: its chart, its closes and their value, and the way to them',
    async (_, size) => {
      const { page, problems } = await watchedPage(browser, size);
      await page.goto(`${world.url}/live`);
      await page.getByRole('link', { name: 'All past races' }).click();
      await page.getByRole('link', { name: 'Sat 21 Nov' }).click();
      await page.getByRole('link', { name: /Moonee Valley/ }).click();
      await page.locator('.plot canvas').waitFor();
      expect(await page.locator('#sheet-title').textContent()).toMatch(/Moonee Valley R4/);
      expect(await page.locator('.outcome').textContent()).toMatch(/1st\s*2\s*Runner 2/);
      await page.locator('.pick input[value="1"]').check();
      expect(await page.locator('.runner-summary[data-shown]').textContent()).toMatch(/Firming strongly: consensus/);
      if (size.width < 700) await page.locator('#closes-fold-1 summary').click();
      const closes = page.locator('.closes .found:visible');
      expect((await closes.allTextContents()).slice(0, 4).sort()).toEqual([
        'poll 27m',
        'poll 28m',
        'poll 29m',
        'tick 30s',
      ]);
      const first = page.locator('.marks-table tbody tr').first();
      expect((await first.textContent())!).toMatch(/^1Runner 1\+44\.4%6\.50.*4\.50$/);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
      // An exchange's price is on no page, and not in the data of the chart (D42).
      expect(await page.locator('main').innerText()).not.toMatch(/Betfair|\b666\b/);
      const of = async (path: string) => (await page.request.get(`${world.url}/race/${path}`)).text();
      expect(await of(`${pastId}/past/prices`)).not.toMatch(/Betfair|\b666\b/);
      expect(await of(`${raceId}/past`)).toContain('This race is not past yet.');
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  test('a runner on a phone: its runs, the line of its price, and the way there and back', async () => {
    const { page, problems } = await watchedPage(browser, SIZES.phone);
    await page.goto(`${world.url}/race/${pastId}/past`);
    await page.getByRole('link', { name: 'Runner 1', exact: true }).click();
    expect(await page.locator('#page-title').textContent()).toMatch(/Runner 1$/);
    expect(await page.locator('.list-head p').textContent()).toMatch(
      /^Thoroughbred: 1 start since .*, 0 wins, 1 place\.$/,
    );
    const [raced, scratched] = await page.locator('.runs:not(.rides-to-come) > li').allInnerTexts();
    expect(raced).toMatch(/Moonee Valley R4\s+2nd of 3\s+0\.75L · SP 4\.50\s+J: A\. Rider\s+6\.98 → 4\.\d\d/);
    expect(scratched).toMatch(/Sandown Park R1\s+Scratched\s[\s\S]*–$/);
    expect(await page.getByRole('img', { name: /^Consensus: .*at the jump 4\.\d\d$/ }).isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SIZES.phone.width);
    await page.getByRole('link', { name: 'Moonee Valley R4' }).click();
    await page.locator('.plot canvas').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  /** Swagger UI needs ten seconds of processor time for all operations, and two for schemas that none of them names. */
  function fewOf(document: { readonly paths: object; readonly components: { readonly schemas: object } }): object {
    const paths = Object.fromEntries(Object.entries(document.paths).slice(0, 2));
    const schemas = new Map<string, unknown>();
    for (let size = -1; size < schemas.size; ) {
      size = schemas.size;
      const text = JSON.stringify([paths, ...schemas.values()]);
      for (const [name, schema] of Object.entries(document.components.schemas))
        if (text.includes(`schemas/${name}"`)) schemas.set(name, schema);
    }
    return { ...document, paths, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
  }

  test('the API reference breaks no policy, and loads nothing of other hosts', async () => {
    const { page, problems } = await watchedPage(browser);
    const loaded = new Set<string>();
    // Swagger UI trusts a foreign validator if its host is public.
    const host = 'https://odds.example';
    await page.route('**', async (route) => {
      const { origin, pathname } = new URL(route.request().url());
      loaded.add(origin);
      if (origin !== host) return route.abort();
      const response = await route.fetch({ url: world.url + pathname });
      return route.fulfill({ response, ...(pathname === '/openapi.json' && { json: fewOf(await response.json()) }) });
    });
    await page.goto(`${host}/docs/try`);
    await page.locator('.opblock-summary').first().click();
    await page.locator('.opblock-body .parameters').first().waitFor();
    expect([...loaded]).toEqual([host]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a browser whose language is no language tag draws the chart', async () => {
    const { page, problems } = await watchedPage(browser);
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })");
    await page.goto(`${world.url}/race/${raceId}`);
    await page.locator('.plot canvas').waitFor();
    expect(await page.evaluate('navigator.language')).toBe('en-AU');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('axe reports a missing label, and a colour of the other scheme', async () => {
    const { page } = await watchedPage(browser);
    // A refresh would restore the label.
    await page.addInitScript('window.fetch = () => new Promise(() => {})');
    await page.goto(`${world.url}/live`);
    const faint =
      '@media (prefers-color-scheme: dark) { main, main * { color: #333 !important; background: #222 !important } }';
    await page.evaluate(
      `document.querySelector('.pick label').remove(); document.styleSheets[0].insertRule('${faint}')`,
    );
    expect(await violationsOf(page)).toContainEqual(['label', expect.anything()]);
    // The usual colours are not those of high contrast.
    expect(await violationsOf(page, OF_HIGH_CONTRAST)).toEqual([['color-contrast-enhanced', expect.anything()]]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page, OF_COLOUR)).toEqual([['color-contrast', expect.anything()]]);
    await page.close();
  });
});
