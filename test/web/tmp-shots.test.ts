import { openBrowser } from '../support/pages/browser';
import { createBoardWorld } from './board-world';

test('shots', async () => {
  const world = await createBoardWorld();
  await world.addRound();
  const browser = await openBrowser();
  const ids = [
    ...new Set((await (await fetch(`${world.url}/sports`)).text()).match(/\/sports\/match\/[0-9a-f-]+/g) ?? []),
  ];
  console.log(ids);
  const paths: Record<string, string> = {
    index: '/sports',
    nrl: '/sports/nrl',
    epl: '/sports/soccer_epl',
    many: '/sports/soccer_other',
    arbs: '/sports/arbs',
  };
  const nrl = await (await fetch(`${world.url}/sports/nrl`)).text();
  const own = [...new Set(nrl.match(/\/sports\/match\/[0-9a-f-]+/g) ?? [])];
  paths.match = own[1]!;
  paths.epl1 = [
    ...new Set(
      (await (await fetch(`${world.url}/sports/soccer_epl`)).text()).match(/\/sports\/match\/[0-9a-f-]+/g) ?? [],
    ),
  ][0]!;
  paths.nba1 = [
    ...new Set((await (await fetch(`${world.url}/sports/nba`)).text()).match(/\/sports\/match\/[0-9a-f-]+/g) ?? []),
  ][0]!;
  for (const [name, path] of Object.entries(paths)) {
    const r = await fetch(world.url + path);
    console.log(name, path, r.status, (await r.text()).length);
    for (const [width, scheme] of [
      [390, 'dark'],
      [820, 'light'],
      [1440, 'light'],
      [1440, 'dark'],
      [390, 'light'],
    ] as const) {
      if (process.env.ONLY && !process.env.ONLY.split(',').includes(name)) continue;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      await page.goto(world.url + path);
      const sw = await page.evaluate('document.documentElement.scrollWidth');
      if (sw !== width) console.log('WIDE', name, width, sw);
      await page.screenshot({ path: `/tmp/shots-sports/${name}-${width}-${scheme}.png`, fullPage: true });
      await page.close();
    }
  }
  await browser.close();
  await world.close();
}, 200000);
