// Every rule of axe-core (WCAG 2.2 A and AA, best practices) on the real pages: desk and phone, light and dark.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';
import { hourRace } from './hour-race';

// Evaluated by the browser's debugger: the page's policy refuses foreign scripts.
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`axe on the pages${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: BoardWorld;
  let raceId: string;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await createBoardWorld();
    raceId = await hourRace(world);
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

  const PATHS = { board: () => '/', 'race page': () => `/race/${raceId}`, 'unknown race': () => '/race/x' };
  const SIZES = { desk: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } };
  const cases = Object.keys(PATHS).flatMap((path) =>
    Object.keys(SIZES).flatMap((size) => (['light', 'dark'] as const).map((scheme) => [path, size, scheme] as const)),
  );

  test.each(cases)('%s, %s, %s: no violations', async (path, size, colorScheme) => {
    const { page } = await watchedPage(browser, { ...SIZES[size as keyof typeof SIZES], colorScheme });
    await page.goto(world.url + PATHS[path as keyof typeof PATHS]());
    if (path !== 'unknown race') await page.locator('.plot canvas').waitFor();
    for (const fold of await page.locator('summary:visible').all()) await fold.click();
    await page.evaluate(AXE);
    const violations = await page.evaluate(
      'axe.run(document).then(({ violations }) => violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160))]))',
    );
    await page.close();
    expect(violations).toEqual([]);
  });

  test('axe reports a missing label', async () => {
    const { page } = await watchedPage(browser);
    // A refresh would restore the label.
    await page.addInitScript('window.fetch = () => new Promise(() => {})');
    await page.goto(world.url);
    await page.evaluate(`${AXE}; document.querySelector('.pick label').remove()`);
    const ids = await page.evaluate('axe.run(document).then(({ violations }) => violations.map((v) => v.id))');
    await page.close();
    expect(ids).toContain('label');
  });
});
