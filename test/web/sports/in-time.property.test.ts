// At every instant: a match that has started is no coming match, a stale price has its mark, an arb has no stale leg,
// every row is on one page, and many visitors cost one reading.
import fc from 'fast-check';
import { isStaleAt } from '../../../src/domain/sports/match';
import { arbsMain } from '../../../src/web/sports/arbs-page';
import { sportsMain } from '../../../src/web/sports/index-page';
import { matchMain } from '../../../src/web/sports/match/match-page';
import type { MatchView, ShownPrice } from '../../../src/web/sports/model';
import { choicePath, sportChoice, sportMain } from '../../../src/web/sports/sport-page';
import { runs } from '../../support/property';
import { anyRound } from '../../support/sports/any-round';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';
import { sportWorld } from './sport-world';

const ids = (page: string): string[] => [...page.matchAll(/\/sports\/match\/([\w-]+)"/g)].map(([, id]) => id!);
const SPORT_KEYS = ['nrl', 'nba', 'soccer_epl'];
const EVERY = { competition: null, page: 1 };
/** Short steps, and long ones: within a reading and beyond it. */
const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 2500 }), fc.integer({ min: 0, max: 3_600_000 })), {
  maxLength: 12,
});

test('no page has a match that has started, whenever it was read', async () => {
  await fc.assert(
    fc.asyncProperty(anyRound, steps, async (round, all) => {
      const { world, pages } = sportWorld(round);
      const startOf = new Map(round.map(({ eventId, commenceTime }) => [eventId, Date.parse(commenceTime)]));
      for (const step of all) {
        world.nowMs += step;
        const { nowMs } = world;
        const index = await pages.index();
        const text = [
          sportsMain(index, nowMs).text,
          arbsMain(await pages.arbs(1), nowMs).text,
          ...(await Promise.all(
            SPORT_KEYS.map(async (key) => sportMain((await pages.sport(key, EVERY))!, nowMs).text),
          )),
        ];
        for (const page of text) for (const id of ids(page)) expect(startOf.get(id)).toBeGreaterThan(nowMs);
        for (const { key, matches } of index.sports)
          expect([
            key,
            matches <= round.filter((one) => one.sportKey === key && startOf.get(one.eventId)! > nowMs).length,
          ]).toEqual([key, true]);
        for (const { eventId } of round) {
          const view = (await pages.match(eventId)) as MatchView;
          const hasStarted = startOf.get(eventId)! <= nowMs;
          expect([view.state === 'started', view.markets.length > 0 && hasStarted]).toEqual([hasStarted, false]);
          if (hasStarted) expect(matchMain(view, nowMs).text).not.toMatch(/data-price|class="bp/);
        }
      }
    }),
    { numRuns: runs(150) },
  );
});

test('a price has the mark of stale exactly while it is, and a leg of an arb never has it', async () => {
  await fc.assert(
    fc.asyncProperty(anyRound, steps, async (round, all) => {
      const { world, pages } = sportWorld(round);
      const isMarked = ({ stale, staleFromMs }: ShownPrice): boolean =>
        staleFromMs === null ? stale : world.nowMs >= staleFromMs;
      for (const step of all) {
        world.nowMs += step;
        for (const key of SPORT_KEYS)
          for (const { home, draw, away } of (await pages.sport(key, EVERY))!.rows)
            for (const price of [home, draw, away])
              if (price) expect(isMarked(price)).toBe(isStaleAt({ observedAtMs: price.seenMs }, world.nowMs));
        const { rows } = await pages.arbs(1);
        expect(rows.flatMap(({ legs }) => legs.filter(({ price }) => isMarked(price)))).toEqual([]);
      }
    }),
    { numRuns: runs(300) },
  );
});

/** Most of them within one reading. */
const shortSteps = fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 6 });

test('around its start a match leaves the list of sports, its sport and the arbs', async () => {
  const startsIn = fc.integer({ min: 1, max: 3000 });
  const arb = [
    book('neds', [priced('h2h', { home: 2.1, away: 1.8 })]),
    book('tab', [priced('h2h', { home: 1.9, away: 2 })]),
  ];
  await fc.assert(
    fc.asyncProperty(startsIn, shortSteps, async (ms, all) => {
      const { world, pages } = sportWorld([pricedMatch(arb, { commenceTime: new Date(NOW_MS + ms).toISOString() })]);
      for (const step of [0, ...all]) {
        world.nowMs += step;
        const open = world.nowMs < NOW_MS + ms ? 1 : 0;
        const nrl = (await pages.index()).sports.find(({ key }) => key === 'nrl')!;
        const rows = [(await pages.sport('nrl', EVERY))!.rows, (await pages.arbs(1)).rows].map(({ length }) => length);
        expect([nrl.matches, ...rows]).toEqual([open, open, open]);
      }
    }),
    { numRuns: runs(400) },
  );
});

test('around the age at which a leg becomes stale, the arb ends with it, and its mark begins', async () => {
  const aged = fc.integer({ min: 1_788_000, max: 1_802_000 });
  await fc.assert(
    fc.asyncProperty(aged, shortSteps, async (ageMs, all) => {
      const observedAtMs = NOW_MS - ageMs;
      const books = [
        book('neds', [priced('h2h', { home: 2.1, away: 1.8 })], { observedAtMs }),
        book('tab', [priced('h2h', { home: 1.9, away: 2 })]),
      ];
      const { world, pages } = sportWorld([pricedMatch(books)]);
      for (const step of all) {
        world.nowMs += step;
        const isStale = isStaleAt({ observedAtMs }, world.nowMs);
        expect((await pages.arbs(1)).rows).toHaveLength(isStale ? 0 : 1);
        const text = sportMain((await pages.sport('nrl', EVERY))!, world.nowMs).text;
        const home = /class="bp([^"]*)"[^>]*><span><b class="value">2\.10<.*?data-stale-text="stale ">([^<]*)</.exec(
          text,
        )!;
        expect(home.slice(1)).toEqual(isStale ? [' stale', 'stale '] : ['', '']);
      }
    }),
    { numRuns: runs(400) },
  );
});

const MANY = Array.from({ length: 95 }, (_, i) =>
  pricedMatch([book('tab', [priced('h2h', { home: 1.9, draw: 3.4, away: 4.1 })])], {
    eventId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    sportKey: 'soccer_epl',
    homeTeam: `Home team with a name of forty letters ${i}`,
    awayTeam: `Away team with a name of forty letters ${i}`,
    competition: i % 2 === 0 ? 'Cup & "Shield"' : null,
    commenceTime: new Date(NOW_MS + (i + 1) * 60_000).toISOString(),
  }),
);

test('every match is on exactly one page, each of at most 60 kB', async () => {
  const { pages } = sportWorld(MANY);
  for (const competition of [null, 'Cup & "Shield"']) {
    const found: string[] = [];
    const first = (await pages.sport('soccer_epl', { competition, page: 1 }))!;
    for (let page = 1; page <= first.pages; page++) {
      const { text } = sportMain((await pages.sport('soccer_epl', { competition, page }))!, NOW_MS);
      expect(text.length).toBeLessThan(56_000);
      found.push(...ids(text));
    }
    const wanted = MANY.filter((one) => competition === null || one.competition === competition);
    expect(found.sort()).toEqual(wanted.map(({ eventId }) => eventId));
  }
  const last = (await pages.sport('soccer_epl', { competition: 'None such', page: 9999 }))!;
  expect([last.page, last.pages, last.competition]).toEqual([4, 4, null]);
});

test('many visitors of all pages cost one reading of each, and a page within it is the same value', async () => {
  const { world, pages } = sportWorld(MANY);
  const visit = () =>
    Promise.all(Array.from({ length: 50 }, (_, i) => pages.sport('soccer_epl', { ...EVERY, page: i })));
  const [first] = await visit();
  world.nowMs += 1999;
  const [again] = await visit();
  expect(again).toBe(first);
  expect(world.readings).toBe(1);
  world.nowMs += 1;
  await visit();
  expect(world.readings).toBe(2);
});

test('names of books and teams are text, and a choice has one address', () => {
  const { sport } = { sport: '/sports/soccer_epl' };
  expect(choicePath(sport, sportChoice({ page: '2', competition: 'Cup & "Shield"', x: 1 }))).toBe(
    `${sport}?competition=Cup%20%26%20%22Shield%22&page=2`,
  );
  expect(choicePath(sport, sportChoice({ page: '0', competition: ['a', 'b'] }))).toBe(sport);
});

test('markup in a name stays text on every page', async () => {
  const nasty = MANY.slice(0, 1).map((one) => ({ ...one, homeTeam: '<b>Bulls</b>', competition: '"><i>' }));
  const { pages } = sportWorld(nasty);
  const sport = (await pages.sport('soccer_epl', EVERY))!;
  const match = (await pages.match(nasty[0]!.eventId)) as MatchView;
  const text = [sportsMain(await pages.index(), NOW_MS), sportMain(sport, NOW_MS), matchMain(match, NOW_MS)];
  for (const page of text) {
    expect(page.text).toContain('&lt;b&gt;Bulls');
    expect(page.text).not.toMatch(/<b>Bulls|"><i>/);
  }
});
