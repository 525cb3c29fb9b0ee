// What a punter wants to know, in at most three interactions, on a desk and on a phone: a click, a key or a text that
// is typed is one each. From the board; a task "of this race" from the page of the race.
import type { Browser, Locator, Page } from 'playwright-core';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { type WatchedPage, watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';
import { tasksWorld } from './tasks-world';
import type { WaysWorld } from './ways-world';

const MOST = 3;
const MINE = { order: ['tab', 'neds', 'pointsbetau'], hidden: ['ladbrokes_au'] };

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

/** Counts what the visitor does. */
class Visitor {
  interactions = 0;

  constructor(
    readonly page: Page,
    readonly isPhone: boolean,
  ) {}

  async click(target: Locator): Promise<void> {
    this.interactions++;
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    this.interactions++;
    await target.fill(text);
  }

  link = (name: string | RegExp, within: Page | Locator = this.page): Locator =>
    within.getByRole('link', { name, exact: typeof name === 'string' });

  /** By the header, whose links a phone has in a menu. */
  async goTo(place: string): Promise<void> {
    if (this.isPhone) await this.click(this.page.locator('.menu summary'));
    const nav = this.page.locator(this.isPhone ? '.menu nav' : '.places');
    await this.click(this.link(place, nav));
  }

  /** What can be seen, in one line. */
  reads = async (target: Locator): Promise<string> => {
    await target.waitFor();
    return (await target.innerText()).replace(/\s+/g, ' ');
  };
}

interface Task {
  readonly start: (ways: WaysWorld) => string;
  readonly kept?: Readonly<Record<string, unknown>>;
  readonly answer: (visitor: Visitor, ways: WaysWorld) => Promise<string>;
  readonly expected: RegExp;
}

const board = () => '/live';
const raceRow = (page: Page, runner: string) => page.locator('.of-win tbody tr', { hasText: runner }).first();

const TASKS: Readonly<Record<string, Task>> = {
  'race 8 at Ascot': {
    start: board,
    answer: async (visitor) => {
      await visitor.goTo('Races');
      await visitor.click(visitor.link(/^R8\b/, visitor.page.locator('.meeting', { hasText: 'Ascot' })));
      return visitor.reads(visitor.page.locator('#sheet-title'));
    },
    expected: /^Thoroughbred Ascot R8 /,
  },
  'the best place price among my three bookmakers, of this race': {
    start: ({ next }) => `/race/${next}`,
    kept: { bookmakers: MINE },
    answer: async (visitor) => {
      await visitor.click(visitor.page.getByText('Place', { exact: true }).first());
      const row = visitor.page.locator('.of-place tbody tr', { hasText: 'Jade Empress' }).first();
      return visitor.reads(row.locator('.c-best'));
    },
    expected: /1\.70 TAB/,
  },
  'which bookmaker moved first on a runner of this race': {
    start: ({ moving }) => `/race/${moving}`,
    answer: async (visitor) => {
      await visitor.click(visitor.page.locator('.pick input[value="1"]'));
      return visitor.reads(visitor.page.locator('.runner-summary[data-shown]'));
    },
    expected: /^1 Runner 1 .*First to move: Ladbrokes at 1:3\d:\d\d pm, 60 s ahead of Neds\./,
  },
  'what Doomben race 5 of yesterday paid': {
    start: board,
    answer: async (visitor) => {
      await visitor.goTo('Results');
      await visitor.click(visitor.page.locator('a[rel=prev]').first());
      return visitor.reads(visitor.page.locator('.outcome', { hasText: 'Doomben R5' }));
    },
    expected: /Doomben R5.* Win 1 3\.40 .*Place 1 1\.50 .*Exacta 1 · 2 17\.80/,
  },
  'the next greyhound race in Victoria': {
    start: board,
    answer: async (visitor) => {
      const filter = visitor.page.locator('.board-filter');
      await visitor.click(filter.locator('summary'));
      await visitor.click(visitor.link('Greyhound', filter));
      await visitor.page.waitForURL(/code=greyhound/);
      await visitor.click(visitor.link('VIC', filter));
      await visitor.page.waitForURL(/state=VIC/);
      return visitor.reads(visitor.page.locator('#sheet-title'));
    },
    expected: /^Greyhound Meadows R2 /,
  },
  'what a runner of this race paid ten minutes before the start': {
    start: ({ moving }) => `/race/${moving}`,
    answer: async ({ page, isPhone, reads }) => {
      if (isPhone) return reads(page.locator('.of-win .fold .course').first().locator('div', { hasText: /^10/ }));
      const heads = await page.locator('.of-win thead th:visible').allInnerTexts();
      const column = heads.findIndex((head) => head.startsWith('10'));
      const cells = raceRow(page, 'Runner 1').locator('> :visible');
      return `${heads[column]} ${await reads(cells.nth(column))}`;
    },
    expected: /^10\b.*\b4\.20$/s,
  },
  'what $20 on a runner of this race return at the best price': {
    start: ({ moving }) => `/race/${moving}`,
    answer: async (visitor) => {
      await visitor.type(visitor.page.locator('#stake'), '20');
      return visitor.reads(raceRow(visitor.page, 'Runner 1').locator('.return'));
    },
    expected: /^\$90\.00$/,
  },
  'the rides of a jockey today': {
    start: board,
    answer: async (visitor) => {
      const search = visitor.page.locator('.to-search');
      if (visitor.isPhone) await visitor.click(search);
      else await visitor.goTo('Search');
      await visitor.type(visitor.page.locator('#search-q'), 'kah');
      await visitor.click(visitor.page.getByRole('option', { name: /J\. Kah/ }));
      return visitor.reads(visitor.page.locator('.rides-to-come'));
    },
    expected: /2:25 pm.* Flemington R3 .*Jade Empress/,
  },
  'to be called three minutes before a race': {
    start: board,
    answer: async (visitor) => {
      await visitor.click(visitor.link(/Flemington.*R3/, visitor.page.locator('.strip')));
      await visitor.page.waitForURL(/\/race\//);
      await visitor.click(visitor.page.locator('[data-pin]'));
      const bar = visitor.page.locator('#pin');
      await visitor.click(bar.getByRole('button', { name: 'Sound at 3 min' }));
      await bar.locator('[data-part=sound][aria-pressed=true]', { hasText: 'Sound at 3 min' }).waitFor();
      return visitor.reads(bar);
    },
    expected: /Flemington R3 .*2\dm \d\ds.* Sound at 3 min/,
  },
  'the largest firmer of the next hour': {
    start: board,
    answer: async (visitor) => {
      await visitor.goTo('Movers');
      await visitor.click(visitor.link('Firming', visitor.page.locator('.filters')));
      return visitor.reads(visitor.page.locator('.movers li').first());
    },
    expected: /^−3\d\.\d% (firming )?1 Runner 1 .*Caulfield R4/,
  },
  'the arbs of sports with the age of their prices': {
    start: board,
    answer: async (visitor) => {
      await visitor.goTo('Sports');
      await visitor.click(visitor.link(/Arbs/, visitor.page.locator('main')));
      return visitor.reads(visitor.page.locator('main'));
    },
    expected: /arb 0\.07% Brisbane Broncos v Melbourne Storm .*1\.88 TAB 5m/,
  },
};

suite(`a punter's tasks${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: BoardWorld;
  let ways: WaysWorld;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await createBoardWorld();
    ways = await tasksWorld(world);
    await world.addRound();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const widths = [
    ['a desk', 1440],
    ['a phone', 390],
  ] as const;
  describe.each(widths)('on %s', (_where, width) => {
    /** Of one task after the other, so that styles and modules are loaded once. */
    let watched: WatchedPage;
    beforeAll(async () => {
      watched = await watchedPage(browser, { width, height: 844 });
    });
    afterAll(() => watched.page.context().close());

    test.each(Object.entries(TASKS))('%s', async (_, { start, kept = {}, answer, expected }) => {
      const { page, problems } = watched;
      const visitor = new Visitor(page, width < 600);
      try {
        await page.goto(world.url + start(ways));
        for (const [key, value] of Object.entries(kept))
          await page.evaluate(`localStorage['odds.${key}'] = ${JSON.stringify(JSON.stringify(value))}`);
        if (Object.keys(kept).length > 0) await page.reload();
        const text = await answer(visitor, ways);
        expect(text).toMatch(expected);
        expect(visitor.interactions).toBeLessThanOrEqual(MOST);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(problems).toEqual([]);
      } finally {
        problems.splice(0);
        await page.evaluate('localStorage.clear()');
      }
    });
  });
});
