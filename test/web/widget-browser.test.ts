// A widget in pages of customers' sites, in a real browser: framed by an allowed and by a refused site, fetched by
// scripts of both sites, and every rule of axe on it, light and dark, desk and phone.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';
import { hourRace } from './hour-race';

// The browser's debugger evaluates it: the page's policy refuses foreign scripts.
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The program of docs/widgets.md, for the address of the test's service. */
const FITTING = /<script>.*?<\/script>/s.exec(readFileSync(join(__dirname, '../../docs/widgets.md'), 'utf8'))![0];

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`a widget in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: BoardWorld;
  let site: Server;
  let allowed: string;
  let refused: string;
  let raceId: string;
  let frameSrc = '';

  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), createBoardWorld()]);
    raceId = await hourRace(world);
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<!doctype html><title>A site</title><iframe src="${frameSrc}" title="Racing odds" width="100%" height="640"></iframe>${FITTING.replace('https://api.example.com', world.url)}`,
      );
    });
    await once(site.listen(0), 'listening');
    const { port } = site.address() as AddressInfo;
    // One server, two origins.
    [allowed, refused] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  });
  afterAll(async () => {
    site.closeAllConnections();
    site.close();
    await browser.close();
    await world.close();
  });

  const widget = (more: object = {}) =>
    world.addWidget({
      allowed_origins: [allowed],
      title: 'Today’s odds',
      accent: '#c0392b',
      bookmakers: ['ladbrokes_au'],
      link_templates: { ladbrokes_au: 'https://go.example.com/l?race={race_id}&runner={runner_number}' },
      ...more,
    });
  const visit = async (page: Page, origin: string, path: string) => {
    frameSrc = world.url + path;
    await page.goto(origin);
  };
  const fetched = (path: string): string =>
    `fetch('${world.url}${path}/fill').then((r) => r.json()).then((b) => b.races?.[0]?.race_id ?? b.code, (e) => e.name)`;

  test('a site that may embed it shows the prices with their books, times and links, until it is paused', async () => {
    const { path, change } = await widget();
    const { page, problems } = await watchedPage(browser);
    await visit(page, allowed, path);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Flemington R4' }).waitFor();
    expect(await frame.getByRole('heading', { level: 1 }).innerText()).toBe('Today’s odds');
    const favourite = frame.getByRole('row', { name: /^1 / });
    const win = favourite.getByRole('link', { name: /Ladbrokes.*for .*, opens a new tab/ }).first();
    expect(await win.innerText()).toContain('4.20');
    expect([await win.getAttribute('href'), await win.getAttribute('rel')]).toEqual([
      `https://go.example.com/l?race=${raceId}&runner=1`,
      'noopener nofollow sponsored',
    ]);
    expect(await favourite.locator('td time').first().innerText()).toMatch(/^\d+ (second|minute|hour)s? ago$/);
    await frame.getByRole('row', { name: /Gone Fishing Scratched/ }).waitFor();
    expect(await page.evaluate(fetched(path))).toBe(raceId);

    await change({ paused: true });
    const embedded = page.frames().find((one) => one.url().includes(path))!;
    // As when the reader comes back to the tab.
    await embedded.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await frame.getByText('Odds are not available at the moment.').waitFor();
    expect(await frame.getByRole('table').count()).toBe(0);
    await page.close();
    // The browser reports the refused fetch.
    expect(problems.filter((one) => !one.includes('404'))).toEqual([]);
  });

  test('an open page keeps its reader’s position, survives a proxy’s error, and follows its owner’s changes', async () => {
    const { path, change } = await widget();
    const { page } = await watchedPage(browser);
    await visit(page, allowed, path);
    const frame = page.frameLocator('iframe');
    const win = frame.getByRole('link', { name: /opens a new tab/ }).first();
    await win.focus();
    const embedded = page.frames().find((one) => one.url().includes(path))!;
    const comesBack = () => embedded.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await change({ link_templates: { ladbrokes_au: 'https://new.example.com/' } });
    await comesBack();
    await frame.locator('a:focus[href="https://new.example.com/"]').waitFor();

    // The page of a tab that was hidden for long has an expired token: it gets a new one and keeps its place.
    await embedded.evaluate(`document.documentElement.dataset.token = 'expired'`);
    await comesBack();
    // The page's policy allows no text to be run, so no condition can be polled in the page.
    await frame.locator('html:not([data-token="expired"])').waitFor({ state: 'attached' });
    const sent = page.waitForRequest((one) => one.url().includes('/prices'));
    await comesBack();
    const answer = (await (await sent).response())!;
    expect(answer.headers()['x-widget-token']).toMatch(/^[\da-z]+\.[\w-]{43}$/);
    expect(await frame.locator('a:focus').count()).toBe(1);

    const races = `**${path}/prices*`;
    const html = { contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    await page.route(races, (route) => route.fulfill({ status: 502, headers: { 'Retry-After': 'soon' }, ...html }));
    await comesBack();
    await frame.getByRole('status').getByText('Odds cannot be updated at the moment.').waitFor();
    expect(await frame.locator('a:focus').count()).toBe(1);
    await page.unroute(races);

    await change({ title: 'Tonight' });
    await comesBack();
    await frame.getByRole('heading', { name: 'Tonight' }).waitFor();
    await frame.getByRole('table').waitFor();
    const framing = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await change({ allowed_origins: [refused] });
    await comesBack();
    await framing;
    expect(await frame.getByRole('table').count()).toBe(0);
    await page.close();
  });

  test('a site that may not embed it shows nothing, and nothing is fetched for it', async () => {
    const { path, change } = await widget();
    const { page } = await watchedPage(browser);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const framing = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await visit(page, refused, path);
    await framing;
    expect(requests).toContain(path);
    expect(requests.filter((one) => one.startsWith(`${path}/`))).toEqual([]);
    expect(await page.evaluate(fetched(path))).toBe('TypeError');
    // Once the site is listed, it may.
    await change({ allowed_origins: [allowed, refused] });
    await visit(page, refused, path);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Flemington R4' }).waitFor();
    expect(await page.evaluate(fetched(path))).toBe(raceId);
    await page.close();
  });

  test('countdowns and ages go on by the race clock, and a site fits its frame to the content', async () => {
    const { path } = await widget({ bookmakers: [] });
    const { page, problems } = await watchedPage(browser, { width: 1200, height: 900 });
    await visit(page, allowed, `${path}?theme=dark&accent=0b4a8f`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('table').first().waitFor();
    const embedded = page.frames().find((one) => one.url().includes(path))!;
    const shown = () =>
      embedded.evaluate('[...document.querySelectorAll(".count, [data-ago]")].map((e) => e.textContent)');
    const before = await shown();
    await waitFor(async () => String(await shown()) !== String(before), PATIENT_MS);
    const heights = 'Math.ceil(document.body.getBoundingClientRect().height)';
    const fitted = async () =>
      Number(await page.locator('iframe').getAttribute('height')) === (await embedded.evaluate(heights));
    await waitFor(fitted, PATIENT_MS);
    const { theme } = (await embedded.evaluate('({ ...document.documentElement.dataset })')) as { theme: string };
    const line = await embedded.evaluate('getComputedStyle(document.body).borderTopColor');
    expect([theme, line, problems]).toEqual(['dark', 'rgb(11, 74, 143)', []]);
    await page.close();
  });

  test.each([
    ['theme=black', 'theme must be one of auto, light, dark.'],
    ['accent=red', 'accent must be a colour of six hexadecimal digits, such as 12694a.'],
  ])('the page refuses ?%s', async (query, detail) => {
    const { path } = await widget();
    const response = await fetch(`${world.url}${path}?${query}`);
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(detail)]);
    // Colours are of the page alone.
    expect((await fetch(`${world.url}${path}/fill?theme=dark`)).status).toBe(422);
  });

  const AXE_PROBLEMS =
    'axe.run(document).then(({ violations }) => violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160))]))';

  test('a widget of matches shows the best price of each side, and axe finds nothing on a phone', async () => {
    await world.addMatches();
    const shown = { type: 'sports', sport_key: 'nrl', market: 'spreads', bookmakers: [], title: null };
    const { path } = await widget({ ...shown, link_templates: { tab: 'https://go.example.com/?m={event_id}' } });
    const { page, problems } = await watchedPage(browser, SIZES.phone);
    await page.goto(world.url + path);
    await page.getByRole('heading', { name: 'Brisbane Broncos v Melbourne Storm' }).waitFor();
    const link = page.getByRole('row', { name: /^Brisbane Broncos −2.5/ }).getByRole('link');
    expect([await link.innerText(), await link.getAttribute('href')]).toEqual([
      expect.stringContaining('1.90 TAB'),
      expect.stringMatching(/^https:\/\/go\.example\.com\/\?m=[\da-f-]{36}$/),
    ]);
    await page.evaluate(AXE);
    expect([await page.evaluate(AXE_PROBLEMS), problems]).toEqual([[], []]);
    await page.close();
  });

  const SIZES = { desk: { width: 1200, height: 900 }, phone: { width: 320, height: 700 } };
  test.each(
    Object.keys(SIZES).flatMap((size) => (['auto', 'light', 'dark'] as const).map((theme) => [size, theme] as const)),
  )('axe, %s, %s: no violations, and no sideways scrolling', async (size, theme) => {
    const { path } = await widget({ theme, accent: '#ffffff' });
    const { page, problems } = await watchedPage(browser, {
      ...SIZES[size as keyof typeof SIZES],
      colorScheme: theme === 'auto' ? 'dark' : 'light',
    });
    await page.goto(`${world.url}${path}?race_id=${raceId}`);
    await page.getByRole('table').waitFor();
    await page.evaluate(AXE);
    const violations = await page.evaluate(AXE_PROBLEMS);
    const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    await page.close();
    expect([violations, wide, problems]).toEqual([[], false, []]);
  });
});
