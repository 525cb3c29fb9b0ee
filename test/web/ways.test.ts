// The ways to a race: the header of every page, the races and results of a day. In a browser, without a script and
// over HTTP; one world answers all.
import type { Browser } from 'playwright-core';
import { FAULTLESS, isWide, OF_COLOUR, OF_LAYOUT, pageFaults, violationsOf } from '../support/pages/axe';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { cutOnPhones } from '../support/pages/cut-cells';
import { feedField } from '../support/races/builders';
import { hurried, type WatchedPage, watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';
import { type WaysWorld, waysWorld } from './ways-world';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

let world: BoardWorld;
let ways: WaysWorld;
beforeAll(async () => {
  world = await createBoardWorld();
  ways = await waysWorld(world);
});
afterAll(() => world.close());

const BOARD = '/live';

const get = (path: string) => fetch(world.url + path, { headers: { Accept: 'text/html' } });
const page = async (path: string): Promise<string> => (await get(path)).text();
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const mainOf = (html: string): string => textOf(/<main.*<\/main>/s.exec(html)![0]);
/** Without the public address of the service, with which it begins. */
const canonical = (html: string) => /<link rel="canonical" href="http:\/\/localhost(\/[^"]*)">/.exec(html)?.[1];

test('a day has its meetings, each race with its time, its winner or its state', async () => {
  const html = await page('/today');
  const text = mainOf(html);
  expect(text).toMatch(/Races of Sat 21 Nov 7 meetings, 21 races · Results of this day · as of 2:\d\d:\d\d pm/);
  expect(text).toMatch(/Next to jump: Thoroughbred Caulfield R4 in \d+m \d\ds/);
  expect(text).toMatch(
    /Flemington State VIC Country AU 12:40 pm AEDT to 3:05 pm AEDT Track Good \(4\) Overcast R1 won by 1 R2 Jumped R3 2:25 pm AEDT \d+m \d\ds R4 3:05 pm AEDT/,
  );
  expect(text).toMatch(/Ascot State WA .* R12/);
  expect(text).toMatch(/Somewhere New Country –/);
  for (const raceId of [ways.resulted, ways.jumped, ways.next, ways.last]) expect(html).toContain(`/race/${raceId}"`);
  expect(html).not.toContain(ways.tomorrow);
  expect(await page('/tomorrow')).toContain(ways.tomorrow);
});

const stripOf = (html: string): string[] =>
  [...(/<nav class="strip".*?<\/nav>/s.exec(html)?.[0].matchAll(/class="venue">([^<]+)</g) ?? [])].map(
    ([, venue]) => venue!,
  );

test('the board shows the races of a choice alone, at one address, and its fragment keeps the choice', async () => {
  const all = ['Ellerslie', 'Flemington', 'Caulfield', 'Menangle', 'Somewhere New'];
  const cases: readonly (readonly [query: string, canonical: string, venues: readonly string[]])[] = [
    ['', '', all],
    ['?x=1&code=', '', all],
    ['?code=harness', '?code=harness', ['Menangle']],
    ['?state=VIC&code=horse', '?code=horse&amp;state=VIC', ['Flemington', 'Caulfield']],
    ['?country=AU&state=VIC', '?state=VIC', ['Flemington', 'Caulfield']],
    ['?country=AU', '?country=AU', ['Flemington', 'Caulfield', 'Menangle']],
    ['?country=NZ', '?country=NZ', ['Ellerslie']],
    ['?state=WA', '?state=WA', []],
    ['?code=greyhound&country=NZ', '?code=greyhound&amp;country=NZ', []],
  ];
  for (const [query, own, venues] of cases) {
    const html = await page(BOARD + query);
    expect([query, stripOf(html).sort()]).toEqual([query, [...venues].sort()]);
    expect([query, canonical(html)]).toEqual([query, own === '' ? BOARD : BOARD + own]);
    expect([query, /data-refresh="([^"]+)"/.exec(html)![1]]).toEqual([query, `/board/fragment${own}`]);
    const fragment = await page(`/board/fragment${own.replace('&amp;', '&')}`);
    expect([query, stripOf(fragment).sort()]).toEqual([query, [...venues].sort()]);
    expect(fragment).toContain('<details class="board-filter">');
  }
  // What has jumped and what has a result are of the choice too.
  expect(mainOf(await page(`${BOARD}?state=VIC`))).toMatch(/Flemington R2.*Flemington R1/);
  expect(mainOf(await page(`${BOARD}?code=greyhound`))).toMatch(
    /No race of this choice is open for betting\. No race of this choice is on the board\..*No race of this choice is running\..*No results of this choice yet\./,
  );
  for (const query of ['?state=NSW', '?code=harness', '?country=NZ'])
    expect([query, mainOf(await page(BOARD + query))]).toEqual([query, expect.not.stringMatching(/Flemington R[12]/)]);
  for (const query of ['?code=cow', '?state=vic', '?country=XX', '?country=NZ&state=VIC', '?code=horse&code=harness']) {
    const refused = await get(BOARD + query);
    expect([query, refused.status]).toEqual([query, 404]);
    expect(await refused.text()).toContain('No such choice of races');
    expect([query, (await get(`/board/fragment${query}`)).status]).toEqual([query, 404]);
  }
});

test('the address of a day is permanent, and a choice of meetings has one canonical address', async () => {
  expect(canonical(await page('/today'))).toBe('/races/2026-11-21');
  const chosen = await page('/races/2026-11-21?state=VIC&code=horse&x=1');
  expect(canonical(chosen)).toBe('/races/2026-11-21?code=horse&amp;state=VIC');
  expect(mainOf(chosen)).toMatch(/2 meetings, 5 races/);
  expect(canonical(await page('/results?page=9'))).toBe('/results/2026-11-21');
  for (const none of ['/races/2026-11-20', '/races/2026-02-30', '/results/2026-11-22', '/races/x'])
    expect([none, (await get(none)).status]).toEqual([none, 404]);
});

test('results have placings, prices, dividends, margins and times where they are known', async () => {
  const text = mainOf(await page('/results'));
  expect(text).toMatch(/Results of Sat 21 Nov 1 result of 21 races/);
  expect(text).toMatch(
    /1st 1 Runner 1 2\.50 – 2\.60 – 1:09\.45 2nd 2 Runner 2 4\.20 – – 0\.75L – 3rd 3 Runner 3 8\.00 – – – –/,
  );
  expect(text).toMatch(/Win 1 2\.70 .*Quinella 1 · 2 5\.40/);
  expect(mainOf(await page('/results?code=greyhound'))).toContain('No result of this day fits this choice.');
});

test('the page of a race has the strip of its meeting, whatever the state of the race', async () => {
  for (const raceId of [ways.resulted, ways.jumped, ways.next]) {
    const [strip] = /<nav class="meeting-strip".*?<\/nav>/s.exec(await page(`/race/${raceId}`))!;
    expect(textOf(strip)).toMatch(/Flemington, Sat 21 Nov .*R1 won by 1 R2 Jumped R3 2:25 pm AEDT .* R4 3:05 pm/);
    expect(strip).toContain('href="/races/2026-11-21"');
    expect(/href="\/race\/([\w-]+)" aria-current="page"/.exec(strip)![1]).toBe(raceId);
  }
});

test('a search finds venues, runners and people by the beginning of their words, and works as a form', async () => {
  expect(await page('/search')).toMatch(/<form action="\/search" method="get" role="search">/);
  expect(mainOf(await page('/search?q=flem'))).toMatch(/Venues Flemington VIC Country AU Thoroughbred/);
  const runner = await page('/search?q=jade+emp');
  expect(mainOf(runner)).toMatch(/Runners Thoroughbred Jade Empress Flemington R3 , 2:25 pm/);
  expect(runner).toContain('href="/horse/jadeempress"');
  expect(mainOf(await page('/search?q=Kah'))).toMatch(
    /Jockeys, drivers and trainers J\. Kah jockey, 1 ride from a week ago to tomorrow, last Flemington R3 , 2:25 pm AEDT/,
  );
  expect(mainOf(await page('/search?q=zzz%25_'))).toContain('Nothing begins with “zzz%_”');
  expect(mainOf(await page('/search?q=f'))).toContain('Write at least 2 letters.');
  expect(await page('/search?q=%22%3E%3Cb%3E')).not.toContain('"><b>');
});

test('suggestions lead to pages that exist', async () => {
  const suggested = async (text: string) =>
    (await (await get(`/search/suggestions?q=${text}`)).json()) as { text: string; note: string; path: string }[];
  expect(await suggested('flem')).toEqual([{ text: 'Flemington', note: 'venue, VIC', path: '/venue/flemington' }]);
  expect(await suggested('f')).toEqual([]);
  for (const { path } of [...(await suggested('jade')), ...(await suggested('kah')), ...(await suggested('asc'))])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('a jockey and a trainer have pages, to which races and searches lead', async () => {
  const race = await page(`/race/${ways.next}`);
  for (const [path, name, runners] of [
    ['/jockey/j-kah', 'J. Kah Jockey', 'Rides'],
    ['/trainer/c-waller', 'C. Waller Trainer', 'Runners'],
  ] as const) {
    expect(race).toContain(`href="${path}"`);
    const html = await page(path);
    expect(canonical(html)).toBe(path);
    const text = mainOf(html);
    expect(text).toContain(name);
    expect(text).toMatch(/Everyone who (rides or drives|trains) under this name, as cards print it/);
    expect(text).toMatch(
      new RegExp(`${runners} to come 2:25 pm .*Flemington R3 Country AU .* 1 Jade Empress Best price 2\\.50 TAB`),
    );
    expect(html).toContain('href="/horse/jadeempress"');
    expect(html).toMatch(/<a href="\/search" aria-current="page">/);
  }
  for (const none of ['/jockey/c-waller', '/trainer/j-kah', '/jockey/J-Kah', '/jockey/12', '/jockey/x%00'])
    expect([none, (await get(none)).status]).toEqual([none, 404]);
});

test('a runner has a page at an address without a race, with the starts to come and who rides it', async () => {
  const text = mainOf(await page('/horse/jadeempress'));
  expect(text).toMatch(
    /Jade Empress No run is stored under this name yet\. Today and tomorrow .*2:25 pm .*Flemington R3 Country AU/,
  );
  expect(text).toMatch(/J: J\. Kah · T: C\. Waller Best price 2\.50 TAB · \d+s/);
  expect(await page('/horse/jadeempress')).toContain('href="/jockey/j-kah"');
});

test('a venue has its meetings of every day, and an unknown one has no page', async () => {
  const text = mainOf(await page('/venue/flemington'));
  expect(text).toMatch(/Flemington State VIC Country AU Meetings from Sat 21 Nov on, newest first/);
  expect(text).toMatch(/Sat 21 Nov Thoroughbred .*R1 won by 1 R2 Jumped R3/);
  for (const none of ['/venue/nowhere', '/venue/x%00', "/venue/flemington'"])
    expect([none, (await get(none)).status]).toEqual([none, 404]);
});

test('movers are those of the API, each still to jump, largest move first', async () => {
  const html = await page('/movers?x=1&direction=firming');
  expect(canonical(html)).toBe('/movers?direction=firming');
  const text = mainOf(html);
  expect(text).toMatch(
    /Movers Runners still to jump .* as of 2:\d\d:\d\d pm Both ways Firming Drifting All codes .* −35\.4% firming 1 Runner 1 average price from 6\.50 → to 4\.20 Thoroughbred Caulfield R4 Country AU/,
  );
  expect(text).toContain('4 firming, 0 drifting of 4 books');
  expect(text).not.toMatch(/drifting \d|Betfair/);
  expect(mainOf(await page('/movers?direction=drifting'))).toMatch(/\+26\.3% drifting 3 Runner 3/);
  expect(mainOf(await page('/movers?code=greyhound'))).toContain('No price has moved so far.');
});

suite(`in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  /** Of one test after the other, so that styles and modules are loaded once. */
  let watched: WatchedPage;
  beforeAll(async () => {
    browser = await openBrowser();
    watched = await watchedPage(browser, SIZES[0]);
  });
  afterAll(() => browser.close());

  const PATHS: Readonly<Record<string, () => string>> = {
    races: () => '/today',
    board: () => `${BOARD}?state=VIC`,
    results: () => '/results',
    race: () => `/race/${ways.next}`,
    search: () => '/search?q=j',
    found: () => '/search?q=ja',
    venue: () => '/venue/flemington',
    jockey: () => '/jockey/j-kah',
    runner: () => '/horse/jadeempress',
    movers: () => '/movers',
  };
  const SIZES = [
    { width: 390, height: 844 },
    { width: 820, height: 1100 },
    { width: 1440, height: 1000 },
  ];

  test.each(Object.keys(PATHS))('%s: no violation and nothing wider than the window, at every size', async (name) => {
    const { page: shown, problems } = watched;
    problems.length = 0;
    await shown.goto(world.url + PATHS[name]!());
    expect(await cutOnPhones(shown)).toMatchObject({ cut: [] });
    // Schemes differ only in colours, the same for all sizes; what the middle size shows, one of the others shows too.
    for (const [i, size] of SIZES.entries()) {
      await shown.setViewportSize(size);
      await shown.emulateMedia({ colorScheme: i === 0 ? 'dark' : 'light' });
      const violations = await violationsOf(shown, i === 1 ? OF_LAYOUT : undefined);
      expect([size.width, violations, await isWide(shown)]).toEqual([size.width, [], false]);
    }
    await shown.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(shown, OF_COLOUR)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('the field of the search proposes pages, and the keyboard alone reaches them', async () => {
    const { page: shown, problems } = await watchedPage(browser, SIZES[0]);
    await shown.goto(`${world.url}/search`);
    const field = shown.getByRole('combobox');
    await field.focus();
    await shown.keyboard.type('ja');
    const options = shown.getByRole('option');
    await options.first().waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await violationsOf(shown)).toEqual([]);
    expect(await options.allTextContents()).toEqual(['Jade Empress Flemington R3']);
    await shown.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
    // Past the last is none, so that the text itself can be sent.
    await shown.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
    await shown.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    expect(await field.inputValue()).toBe('ja');
    await shown.keyboard.press('ArrowDown');
    await options.first().waitFor();
    await shown.keyboard.press('ArrowUp');
    await shown.keyboard.press('Enter');
    await shown.waitForURL('**/horse/jadeempress');
    await shown.goBack();
    await field.fill('flem');
    await shown.keyboard.press('Enter');
    await shown.waitForURL('**/search?q=flem');
    expect(problems).toEqual([]);
    await shown.close();
  });

  test('arrow keys and swipes go to the race before and after, but not while they are used by the chart', async () => {
    const context = await browser.newContext({ viewport: SIZES[0]!, hasTouch: true });
    const shown = await context.newPage();
    await shown.goto(`${world.url}/race/${ways.next}`);
    await shown.keyboard.press('ArrowRight');
    await shown.waitForURL(`**/race/${ways.last}`);
    await shown.keyboard.press('ArrowRight');
    await shown.keyboard.press('ArrowLeft');
    await shown.waitForURL(`**/race/${ways.next}`);
    await shown.locator('.pick input').first().focus();
    await shown.keyboard.press('ArrowRight');
    expect(await shown.locator('.pick input').nth(1).isChecked()).toBe(true);
    expect(shown.url()).toContain(ways.next);
    const swipe = (across: number, down: number) =>
      shown.evaluate(`for (const [type, x, y] of [['touchstart', 200, 500], ['touchend', ${200 + across}, ${500 + down}]]) {
        const touch = new Touch({ identifier: 1, target: document.body, clientX: x, clientY: y });
        const touches = type === 'touchstart' ? [touch] : [];
        document.body.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches: [touch] }));
      }`);
    // A tap, and a scroll.
    await swipe(30, 0);
    await swipe(100, 90);
    await swipe(120, 10);
    await shown.waitForURL(`**/race/${ways.jumped}`);
    await context.close();
  });

  test('a page of many races refreshes itself, with its choice', async () => {
    const { page: shown, problems } = await watchedPage(browser, SIZES[0]);
    await hurried(shown);
    for (const [path, choice] of [
      ['/movers?direction=firming', 'Firming'],
      ['/today?state=VIC', 'VIC'],
      ['/results', null],
    ] as const) {
      const fresh = shown.waitForResponse((response) => response.url().includes('/fragment'));
      await shown.goto(world.url + path);
      const before = await shown.locator('.day-head time').textContent();
      expect([path, (await fresh).status(), new URL((await fresh).url()).search]).toEqual([
        path,
        200,
        new URL(world.url + path).search,
      ]);
      await shown.locator('.day-head time').filter({ hasNotText: before! }).waitFor();
      expect(await shown.locator('#link-text').textContent()).toBe('Refreshes itself');
      if (choice) expect(await shown.locator('.filters [aria-current]').allTextContents()).toContain(choice);
    }
    expect(problems).toEqual([]);
    await shown.close();
  });

  test('a pinned race counts down in the title of every page, rings once at three minutes in one of its tabs, and follows its start', async () => {
    const context = await browser.newContext({ viewport: SIZES[0]!, permissions: ['notifications'] });
    const shown = await context.newPage();
    await hurried(shown);
    await context.addInitScript(`
      window.rings = [];
      window.tones = 0;
      const { createOscillator } = AudioContext.prototype;
      AudioContext.prototype.createOscillator = function () { window.tones++; return createOscillator.call(this); };
      window.Notification = class extends EventTarget {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title, { tag }) { super(); window.rings.push([title, tag]); document.documentElement.dataset.rung = ''; }
      };
    `);
    const raceId = await world.list(25, { venue: 'Bendigo', raceNumber: 6 });
    await shown.goto(`${world.url}/race/${raceId}`);
    const title = await shown.title();
    const pin = shown.locator('[data-pin]');
    await pin.click();
    await shown.locator('.pin-count', { hasText: /^2[45]m \d\ds$/ }).waitFor();
    expect(await shown.title()).toMatch(/^2[45]m \d\ds Bendigo R6 · /);
    expect([await pin.textContent(), await pin.getAttribute('aria-pressed')]).toEqual(['Pinned', 'true']);
    const bar = shown.getByRole('complementary', { name: 'Pinned race' });
    expect(await pageFaults(shown)).toEqual(FAULTLESS);
    await bar.getByRole('button', { name: 'Notify at 3 min' }).click();
    await shown.goto(`${world.url}/movers`);
    expect(await bar.getByRole('link').textContent()).toBe('Bendigo R6');
    expect(await shown.evaluate('window.rings')).toEqual([]);
    await bar.getByRole('button', { name: 'Sound at 3 min' }).click();
    await bar.locator('[aria-pressed=true]', { hasText: 'Sound at 3 min' }).waitFor();
    const other = await context.newPage();
    await hurried(other);
    await other.goto(`${world.url}/today`);
    await other.locator('.pin-count', { hasText: /^2[345]m \d\ds$/ }).waitFor();
    const startTime = new Date(world.now() + 150_000).toISOString();
    await world.poll(raceId, 'ladbrokes_au', feedField(2.5, 4.2), { startTime });
    await shown.locator('.pin-count', { hasText: /^[12]m \d\ds$/ }).waitFor();
    await Promise.any([shown, other].map((tab) => tab.locator('html[data-rung]').waitFor({ state: 'attached' })));
    // Neither the next confirmation, in either tab, nor the next page rings again.
    await Promise.all([shown, other].map((tab) => tab.waitForResponse(`**/race/${raceId}/start`)));
    const inBoth = <T>(value: string) => Promise.all([shown, other].map((tab) => tab.evaluate<T>(value)));
    expect((await inBoth<string[][]>('window.rings')).flat()).toEqual([['Bendigo R6: 3 minutes to the start', raceId]]);
    // Two tones, in the tab that may make a sound, whichever of them rang.
    expect(await inBoth('window.tones')).toEqual([2, 0]);
    await other.close();
    await shown.goto(`${world.url}/race/${raceId}`);
    await shown.waitForResponse(`**/race/${raceId}/start`);
    expect(await shown.evaluate('window.rings')).toEqual([]);
    await bar.getByRole('button', { name: 'Unpin' }).click();
    expect([await shown.title(), await bar.isVisible(), await pin.textContent()]).toEqual([title, false, 'Pin']);
    await context.close();
  });

  test.each(SIZES)('the header is one row at $width px, and leads to every page without a script', async (size) => {
    const context = await browser.newContext({ viewport: size, javaScriptEnabled: false });
    const shown = await context.newPage();
    for (const path of ['/live', '/today', '/past', '/docs']) {
      await shown.goto(world.url + path);
      const header = await shown.locator('header.top').boundingBox();
      expect([path, header!.height <= 60, header!.width <= size.width]).toEqual([path, true, true]);
    }
    for (const [title, path] of [
      ['Results', '/results'],
      ['Races', '/today'],
      ['Movers', '/movers'],
      ['Past', '/past'],
      ['Search', '/search'],
      ['Docs', '/docs'],
      ['Next', '/live'],
    ]) {
      if (size.width < 1200) await shown.locator('.menu summary').click();
      await shown.locator('header a:visible', { hasText: new RegExp(`^${title}$`) }).click();
      expect(new URL(shown.url()).pathname).toBe(path);
      expect(await shown.locator('header .places [aria-current=page]').textContent()).toBe(title);
    }
    await context.close();
  });
});
