// The home page in a browser, over the real application: its call has the operation's own answer, its race the board's
// prices with their ages, and it weighs little.
import type { Browser, Page } from 'playwright-core';
import { newKey } from '../support/api/api';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { containedIn, readExcerpt } from '../support/pages/excerpts';
import { feedField } from '../support/races/builders';
import { hurried, moveFromNow, watchedPage } from './board-browser';
import { BASE_URL, type BoardWorld, createBoardWorld } from './board-world';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;
const KEY = newKey();

suite(`the home page${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: BoardWorld;
  let page: Page;
  let problems: string[];
  let raceId: string;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await createBoardWorld({ still: true });
    await world.addKey(KEY);
    await world.result(await world.list(-20, { venue: 'Ascot', raceNumber: 1 }), { stage: 'final' });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });
  beforeEach(async () => {
    ({ page, problems } = await watchedPage(browser));
    // What the page read before is no longer cached.
    world.pass(20_000);
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  const operation = async (address: string): Promise<unknown> =>
    (
      await fetch(world.url + new URL(address).pathname + new URL(address).search, { headers: { 'X-API-Key': KEY } })
    ).json();

  test('without a race it has the latest result and the empty answer, and no price of a market', async () => {
    await page.goto(world.url);
    expect(await page.locator('.home-race').innerText()).toMatch(
      /No race is open for betting\s+Latest result\s+[\s\S]*Ascot R1/,
    );
    expect(await page.locator('[data-price]').count()).toBe(0);
    expect(await page.locator('#link-text').textContent()).toBe('No prices');
    expect(await page.locator('.home-call pre').nth(1).textContent()).toBe('[]');
  });

  test('the next race has its shortest prices, each with its bookmaker and its age, and a stale one is marked', async () => {
    raceId = await world.list(10, { venue: 'Flemington', raceNumber: 4, country: 'AU' });
    await world.poll(raceId, 'tab', feedField(9, 4.2, 2.6, 5, 6, 7, 8, 3));
    await world.poll(raceId, 'neds', feedField(9.5, 4.2, 2.5, 5, 6, 7, 8, 2.9), { secondsAgo: 185 });
    await page.goto(world.url);
    await page.locator('.home-prices').waitFor();
    const rows = await page.locator('.home-prices tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).slice(0, 4).join(' '))).toEqual([
      '3 Runner 3 2.60',
      '8 Runner 8 3.00',
      '2 Runner 2 4.20',
      '4 Runner 4 5.00',
      '5 Runner 5 6.00',
      '6 Runner 6 7.00',
    ]);
    expect(rows.every((row) => /\bTAB( \+1)?\s+0s$/.test(row))).toBe(true);
    expect(await page.locator('.home-more').first().innerText()).toBe('2 more runners, all prices of 2 bookmakers');
    expect(await page.locator('#link-text').textContent()).toBe('Live');
  });

  test('its answer is that of the operation at the same instant, shortened to 25 lines', async () => {
    await page.goto(world.url);
    const [command, answer] = await page.locator('.home-call pre').allInnerTexts();
    const address = /^curl -H "X-API-Key: \$KEY" \\\n {2}"(\S+)"$/.exec(command!)![1]!;
    const whole = await operation(address);
    const lines = answer!.split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(answer).toMatch(/"win_price": [\d.]+, "age_seconds": \d+, "stale": (true|false)/);
    expect(containedIn(whole, readExcerpt(lines))).toBe(true);
    expect(await page.locator('.home-answered').innerText()).toMatch(/at 2:01:00 pm AEDT\./);
  });

  test('what it loads weighs under 200 kB, and nothing moves', async () => {
    await page.goto(world.url, { waitUntil: 'networkidle' });
    await moveFromNow(page);
    const [files, bytes] = await page.evaluate<[number, number]>(`(() => {
      const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
      return [all.length, all.reduce((sum, one) => sum + one.encodedBodySize, 0)];
    })()`);
    expect(files).toBeGreaterThan(5);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
    expect(await page.evaluate('window.shift')).toBe(0);
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test('a changed price arrives without a reload', async () => {
    await hurried(page);
    await page.goto(world.url);
    await page.evaluate('window.marker = 1');
    await world.poll(raceId, 'tab', feedField(9, 4.2, 2.4, 5, 6, 7, 8, 3));
    world.pass(1000);
    await page.locator('.home-price', { hasText: '2.50' }).waitFor();
    expect(await page.locator(`#home-${raceId}-3`).innerText()).toMatch(/stale: Neds\s+4m$/);
    expect(await page.evaluate('window.marker')).toBe(1);
  });

  test('a race has a picture with its prices, and another one once it has jumped', async () => {
    const path = `/race/${raceId}/card.png`;
    expect(await (await fetch(`${world.url}/race/${raceId}`)).text()).toContain(
      `<meta property="og:image" content="${BASE_URL}${path}">`,
    );
    const picture = await fetch(world.url + path);
    const bytes = Buffer.from(await picture.arrayBuffer());
    const { headers } = picture;
    expect([picture.status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, no-cache',
    ]);
    expect([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      'PNG',
      1200,
      630,
    ]);
    const etag = headers.get('etag')!;
    const again = await fetch(world.url + path, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const unknown of ['x', '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10'])
      expect((await fetch(`${world.url}/race/${unknown}/card.png`)).status).toBe(404);
    for (const other of ['home', 'board', 'docs'])
      expect((await fetch(`${world.url}/cards/${other}.png`)).headers.get('content-type')).toBe('image/png');
    // Its cached picture is two seconds old.
    world.pass(2000);
    await world.jump(raceId);
    expect((await fetch(world.url + path)).headers.get('etag')).not.toBe(etag);
  });
});
