// The board across a jump, in a browser: a race runs, the next takes its place, and nothing that a reader sees moves by
// itself, wherever the reader is. In memory: no database.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Browser, Page } from 'playwright-core';
import { visibleRaceOf } from '../../src/api/pages/shown/visible-race';
import { createLiveBoard } from '../../src/web/board/live-board';
import type { PlacingRow, RaceOutcome } from '../../src/web/board/model';
import type { RaceTitle } from '../../src/web/board/race-title';
import type { BoardSource } from '../../src/web/board/source';
import { createWeb } from '../../src/web/routes';
import { violationsOf } from '../support/pages/axe';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { book, NOW, race, runner } from './board/live-race';
import { hurried, moveFromNow, watchedPage } from './board-browser';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

/** Fields of very different sizes: the next race is much longer, then much shorter than the one before it. */
const FIELDS = [5, 16, 4, 12, 8, 10, 6, 14, 9, 7, 11, 13];
const WIDTHS = [390, 820, 1440];
const MOST_SHIFT = 0.02;
const idOf = (i: number): string => `5f0c3a9e-6f4c-4b6e-9a53-${String(i).padStart(12, '0')}`;
const prices = (count: number): number[] => Array.from({ length: count }, (_, i) => 2 + i);

const races = FIELDS.map((count, i) => {
  const startMs = NOW + (i + 1) * 120_000;
  return race({
    race_id: idOf(i),
    venue: i % 2 === 0 ? 'Ascot' : 'Sunshine Coast Inner',
    race_number: i + 1,
    startMs,
    start_time: new Date(startMs).toISOString(),
    runners: prices(count).map((n) => runner(n - 1)),
    books: ['tab', 'neds', 'ladbrokes_au'].map((key) => book(key, prices(count))),
  });
});

const resulted = (title: RaceTitle): RaceOutcome => ({
  ...title,
  status: 'interim',
  note: null,
  protest: false,
  resultedMs: NOW,
  placings: [],
  straight: [],
  exotics: [],
});

const placing = (position: number): PlacingRow => ({
  position,
  number: position,
  name: `Runner ${position}`,
  deadHeat: false,
  win: null,
  place: null,
  sp: null,
  margin: null,
  timeSeconds: null,
});

async function startBoard() {
  let jumped = 0;
  let outcome: RaceOutcome | null = null;
  const off = new Date(NOW).toISOString();
  const shown = () => races.map((one, i) => visibleRaceOf(i < jumped ? { ...one, jumped_at: off } : one, NOW));
  const source: BoardSource = {
    boardRaces: async () => shown().slice(jumped),
    race: async (id) => shown().find(({ raceId }) => raceId === id) ?? null,
    captured: async () => [],
    cardChanges: async () => ({ track: null, deductions: [] }),
    jumpedRaces: async () =>
      shown()
        .slice(0, jumped)
        .reverse()
        .map((one) => ({ ...one, jumpedMs: NOW, jumpBasis: 'observed' as const })),
    // Of those that jumped before the last.
    outcomes: async () =>
      shown()
        .slice(0, Math.max(0, jumped - 1))
        .reverse()
        .map(resulted),
    outcome: async () => outcome,
    meeting: async () => [],
  };
  // Each reading is another second, so that no cache stands between a jump and the page.
  let nowMs = NOW;
  const now = (): number => {
    nowMs += 1000;
    return nowMs;
  };
  const app = new Koa();
  app.use(createWeb({ live: createLiveBoard({ source, now }), now, speed: 1 }).routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jump: () => {
      jumped += 1;
      return idOf(jumped);
    },
    finish: () => {
      outcome = { ...resulted(visibleRaceOf(races[1]!, NOW)), placings: [1, 2, 3, 4].map(placing) };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

suite(`the board across a jump${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let board: Awaited<ReturnType<typeof startBoard>>;
  /** Of one test after the other. Each board has an origin of its own, and nothing is kept from another's. */
  let pages: readonly Page[];

  beforeAll(async () => {
    browser = await openBrowser();
    pages = await Promise.all(WIDTHS.map(async (width) => (await watchedPage(browser, { width })).page));
    await onEach(hurried);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    board = await startBoard();
    await onEach((page) => page.goto(`${board.url}/live`));
  });
  afterEach(() => board.close());

  const onEach = <T>(work: (page: Page) => Promise<T>): Promise<T[]> => Promise.all(pages.map(work));
  const shownRace = (page: Page): Promise<string> => page.evaluate("document.querySelector('.sheet').id.slice(6)");
  const arrived = (page: Page, next: string) => page.locator(`.strip li:first-child #next-${next}`).waitFor();
  const moved = async (page: Page) =>
    ((await page.evaluate('window.shift')) as number) < MOST_SHIFT || page.evaluate('window.moved');

  test('the board turns to the next race, and nothing slides', async () => {
    await onEach(moveFromNow);
    for (let i = 0; i < 3; i++) {
      const next = board.jump();
      await onEach((page) => arrived(page, next));
      expect(await onEach(shownRace)).toEqual(WIDTHS.map(() => next));
    }
    expect(await onEach(moved)).toEqual(WIDTHS.map(() => true));
    expect(await pages[0]!.locator('.turn-bar').isVisible()).toBe(false);
  });

  test.each([
    ['in the race', 'scrollTo(0, 300)'],
    ['in the results', "document.getElementById('results').scrollIntoView()"],
    ['with the focus in the race', "document.querySelector('.col-main a').focus({ preventScroll: true })"],
  ])('a reader %s keeps it and its prices, until the next is wanted', async (_, go) => {
    await onEach((page) => page.evaluate(go));
    await onEach(moveFromNow);
    board.jump();
    const next = board.jump();
    await onEach((page) => arrived(page, next));
    expect(await onEach(shownRace)).toEqual(WIDTHS.map(() => idOf(0)));
    await onEach((page) => page.locator('.turn-bar', { hasText: 'Ascot R1 is no longer next to jump.' }).waitFor());
    expect(await onEach(moved)).toEqual(WIDTHS.map(() => true));
    await onEach((page) => page.getByRole('button', { name: 'Show Ascot R3' }).click());
    expect(await onEach(shownRace)).toEqual(WIDTHS.map(() => next));
    expect(await pages[0]!.evaluate('[scrollY, document.activeElement.textContent]')).toEqual([
      0,
      expect.stringMatching(/Ascot R3/),
    ]);
    expect(await pages[0]!.locator('.turn-bar').isVisible()).toBe(false);
  });

  test('back at the top the next race is there by itself', async () => {
    const page = pages[1]!;
    await page.evaluate('scrollTo(0, 600)');
    const next = board.jump();
    await page.locator('.turn-bar').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.evaluate('scrollTo(0, 0)');
    await page.locator(`#sheet-${next}`).waitFor();
    expect(await page.locator('.turn-bar').isVisible()).toBe(false);
  });

  test.each([0, 200])('a race that jumps and has its result keeps its prices in place, scrolled by %i', async (top) => {
    await onEach(async (page) => {
      await page.goto(`${board.url}/race/${idOf(1)}`);
      await page.evaluate(`scrollTo(0, ${top})`);
    });
    const placeOf = (page: Page): Promise<number> =>
      page.evaluate("document.querySelector('.priced').getBoundingClientRect().top");
    const before = await onEach(placeOf);
    // Where it stands in the window: Chromium counts a shift even if a script scrolls by as much.
    const slid = async () => (await onEach(placeOf)).map((place, i) => Math.abs(place - before[i]!) > 1);
    board.jump();
    board.jump();
    await onEach((page) => page.locator('.sheet > .empty', { hasText: 'No result yet' }).waitFor());
    expect(await slid()).toEqual(WIDTHS.map(() => false));
    board.finish();
    await onEach((page) => page.locator('.sheet > .outcome').waitFor());
    expect(await slid()).toEqual(WIDTHS.map(() => false));
  });
});
