// Requests every surface for a race in each state at once (A 3, D63): over HTTP, with real rows that no workflow has
// written. One table states what each may show.

import { createSportsBoard } from '../../src/api/operations/sports/sports-board';
import { createWidgetEmbeds } from '../../src/api/operations/widgets/fills/embeds';
import { createBoardSource } from '../../src/api/pages/board-source';
import { createMeetingSource } from '../../src/api/pages/meeting-source';
import { type BoardState, SHOWN, type Surface } from '../../src/domain/race/board-state';
import { PLANS } from '../../src/plans/plans';
import { createStores } from '../../src/store/create-stores';
import { follow } from '../../src/store/events/follow-prices';
import { createLiveReads } from '../../src/store/reads/live-board';
import { createReads } from '../../src/store/reads/reads';
import { createSharedAnswers } from '../../src/store/redis/shared-answers';
import { createLiveBoard } from '../../src/web/board/live-board';
import { createMeetingDays } from '../../src/web/meetings/days';
import { createWeb } from '../../src/web/routes';
import { NOW } from '../support/api/api';
import { type Served, serve } from '../support/api/served';
import { named, openStream } from '../support/api/stream-client';
import { addRace } from '../support/races/board';
import { feedField, placedRace, raceSnapshot } from '../support/races/builders';
import { poolAs } from '../support/servers/roles';

const SITE = 'https://www.example.com';
/** No other figure on a page looks like it. */
const PRICE = 41.75;
/** Captured before the jump of those that have jumped: their page shows it. */
const EARLIER = 52.25;
const nowMs = Date.parse(NOW);
const minute = (minutes: number): string => new Date(nowMs + minutes * 60_000).toISOString();

interface Added {
  readonly name: string;
  readonly state: BoardState;
  readonly id: string;
}

let served: Served;
let key: string;
let widget: string;
const added: Added[] = [];

const BOOK = { runners: feedField(PRICE, 2.4, 3.5), before: feedField(EARLIER, 2, 3), beforeSeconds: 2400 };
const BOOKS = { ladbrokes_au: BOOK, tab: BOOK };

/** Its prices are ten seconds old, so that only its state can keep it from being shown. */
async function race(state: BoardState, name: string, startMinutes: number, market?: 'OPEN' | 'CLOSED') {
  const books = market === undefined ? BOOKS : { ...BOOKS, pointsbetau: { ...BOOK, marketStatus: market } };
  const listed = { venue: name, startTime: minute(startMinutes) };
  const { raceId } = await addRace(served.db.pool, listed, books);
  added.push({ name, state, id: raceId });
  return raceId;
}

/** First listed five hours after its start, and then polled for its result. */
async function foundLate(): Promise<void> {
  const { races, quotes } = createStores(served.db.pool);
  const placed = placedRace({ venue: 'Found late', startTime: minute(-300) });
  await races.saveCard('tab', [placed], NOW);
  const { raceId, listed } = placed;
  const fence = { epoch: 0, attempt: 0 };
  const snapshot = raceSnapshot({ sourceRaceId: listed.sourceRaceId, marketStatus: 'OPEN', ...BOOK });
  const poll = { raceId, bookmakerKey: 'tab', fence, bookAt: null, snapshot, marketStateSource: true };
  await quotes.savePoll({ ...poll, observedAt: NOW, startSource: false });
  added.push({ name: 'Found late', state: 'over', id: raceId });
}

beforeAll(async () => {
  const now = (): number => nowMs;
  served = await serve((db) => {
    const pool = poolAs(db, 'racing_api');
    const stores = createStores(pool);
    const reads = createReads(pool);
    const liveReads = createLiveReads(pool);
    const live = createLiveBoard({ source: createBoardSource({ reads, liveReads }), now });
    const meetings = createMeetingDays({ source: createMeetingSource({ reads, liveReads }), now });
    const fillAnswers = createSharedAnswers(null, db.url);
    const sports = createSportsBoard(reads, fillAnswers);
    const clocks = { now, wallMs: now, record: () => {} };
    const shop = { store: stores.widgetFills, reads, sports, fillAnswers, ownOrigins: [] };
    return { pages: createWeb({ live, meetings, now, speed: 1, widgets: createWidgetEmbeds({ ...shop, ...clocks }) }) };
  });
  key = await served.addKey({ plan: 'platform' });
  await race('ahead', 'Ahead', 10);
  await race('ahead', 'Late', -8, 'OPEN');
  await race('jumped', 'Presumed', -4);
  await race('jumped', 'Closed', -3, 'CLOSED');
  const recorded = await race('jumped', 'Recorded', -2);
  await race('over', 'Ran', -11);
  await race('over', 'Ran long ago', -300, 'OPEN');
  const left = await race('over', 'Left', -1);
  const abandoned = await race('abandoned', 'Abandoned', 5);
  const passed = await race('over', 'Abandoned before', -15);
  await foundLate();
  const { races, results } = createStores(served.db.pool);
  await races.savePhase(recorded, 'jumped', { jumpedAt: minute(-1) }, minute(-1));
  await races.savePhase(left, 'jumped', { jumpedAt: minute(-1), leftBoardAt: NOW }, NOW);
  for (const id of [abandoned, passed]) await results.abandon(id, 'abandoned', 'ladbrokes_au', NOW);
  const body = JSON.stringify({ name: 'x', allowed_origins: [SITE] });
  const headers = { 'content-type': 'application/json' };
  widget = (await served.api.send('POST', '/v1/widgets', { key, headers, body })).body.embed_id;
});
afterAll(() => served.stop());

const text = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await served.api.get(path, key, headers);
  expect(reply.status).toBe(200);
  return reply.text;
};
const fill = (query = '') =>
  served.api.get(`/widgets/${widget}/fill${query}`, undefined, { Origin: SITE, 'Sec-Fetch-Site': 'cross-site' });

async function openingOfTheStream(): Promise<string> {
  const stream = await openStream(served.api.url, key);
  try {
    await stream.until(named('state'));
    return JSON.stringify(stream.events);
  } finally {
    await stream.close();
  }
}

/** What identifies races. */
const LISTS: readonly [string, readonly Surface[], () => Promise<string>][] = [
  ['next-to-go', ['board'], () => text('/v1/racing/next-to-go?num_races=50')],
  ['best-odds', ['board'], () => text('/v1/racing/best-odds')],
  ['movers', ['board'], () => text('/v1/racing/movers?min_move_pct=1&min_books=1&limit=200')],
  ['the scan', ['board'], () => text('/v1/racing/intelligence/scan?window=15m&min_move_pct=1&min_books=1&limit=200')],
  ['the stream', ['board'], openingOfTheStream],
  ['a widget', ['board'], async () => (await fill()).text],
  ['events', ['listed'], () => text('/v1/racing/events?hours_ahead=24')],
  ['changes', ['listed'], () => text(`/v1/racing/changes?since=${new Date(Date.now() - 60_000).toISOString()}`)],
  ['the day’s page, as still to jump', ['board'], async () => stillToJump(await text('/races/2026-11-21'))],
  ['the board’s page', ['board', 'justJumped'], async () => withoutResults(await text('/live'))],
];

/** The day's page names every race; only these have a time. */
const stillToJump = (page: string): string =>
  [...page.matchAll(/<a class="cell cell-ahead[^"]*" href="([^"]+)"/g)].map(([, path]) => path).join();

/** A result is shown whatever the state. */
const withoutResults = (page: string): string => page.replace(/<article class="outcome".*?<\/article>/gs, '');

const shownBy = (surfaces: readonly Surface[]): string[] => {
  const states = surfaces.flatMap((surface): readonly BoardState[] => SHOWN[surface]);
  return added.filter(({ state }) => states.includes(state)).map(({ name }) => name);
};

test.each(LISTS)('%s names exactly the races in its states', async (_, surfaces, ask) => {
  const answer = await ask();
  // Movers have no id.
  const shown = added.filter(({ id, name }) => answer.includes(id) || answer.includes(`"venue":"${name}"`));
  expect(shown.map(({ name }) => name)).toEqual(shownBy(surfaces));
});

test('the sandbox has races before their jump', async () => {
  const names = (JSON.parse(await text('/v1/demo/racing/next-to-go')) as { races: { venue: string }[] }).races;
  expect(names.map(({ venue }) => venue).sort()).toEqual(shownBy(['board']).sort());
});

const answering = async (status: (id: string) => Promise<number>): Promise<string[]> => {
  const names: string[] = [];
  for (const { name, id } of added) if ((await status(id)) === 200) names.push(name);
  return names;
};

test.each(['consensus', 'intelligence'])(
  '%s answers until ten minutes after the jump; a race that is over is a free 404',
  async (path) => {
    const statusOf = async (id: string) => {
      const { status, body } = await served.api.get(`/v1/racing/${path}?race_id=${id}`, key);
      if (status !== 200) expect([status, body.code]).toEqual([404, 'race_not_on_board']);
      return status;
    };
    expect(await answering(statusOf)).toEqual(shownBy(['analysis']));
  },
);

test('a widget of one race shows it until its jump', async () => {
  expect(await answering(async (id) => (await fill(`?race_id=${id}`)).status)).toEqual(shownBy(['board']));
});

test('markets has every race, but current prices only before the jump', async () => {
  const current: string[] = [];
  for (const { name, id } of added) {
    const { prices, race: of } = JSON.parse(await text(`/v1/racing/markets?race_id=${id}`));
    if (prices === 'current') current.push(name);
    expect([name, of.status === 'upcoming']).toEqual([name, prices === 'current']);
  }
  expect(current).toEqual(shownBy(['current']));
});

test('a race page has prices until the race is over, and then its last prices, never shown as live, until it is archived', async () => {
  // For the others nothing was captured before the jump.
  const kept = ['Ran', 'Left'];
  const priced: string[] = [];
  for (const { name, id } of added) {
    const page = await text(`/race/${id}`);
    if ([PRICE, EARLIER].some((price) => page.includes(`${price}`))) priced.push(name);
    if (kept.includes(name)) expect(page).toContain('Prices stand still');
  }
  const shown = [...shownBy(['listed']), ...kept];
  expect(priced).toEqual(added.flatMap(({ name }) => (shown.includes(name) ? [name] : [])));
});

test('links are checked for races before their start', async () => {
  const { betslip } = createStores(served.db.pool);
  const sample = await betslip.sample(['tab', 'ladbrokes_au'], NOW, 20);
  const ids = sample.map(({ runner }) => runner.sourceRaceId);
  const { rows } = await served.db.pool.query(
    'SELECT DISTINCT race_id FROM race_books WHERE source_race_id = ANY ($1)',
    [ids],
  );
  expect(rows.map(({ race_id }) => added.find(({ id }) => id === race_id)!.name)).toEqual(['Ahead']);
});

describe('webhooks', () => {
  const announced = async (kind: string): Promise<string[]> => {
    const { rows } = await served.db.pool.query('SELECT DISTINCT race_id FROM events WHERE kind = $1', [kind]);
    return added.filter(({ id }) => rows.some(({ race_id }) => race_id === id)).map(({ name }) => name);
  };
  test('odds_open is sent only for races whose first prices came before the jump', async () => {
    const opened = await announced('race.odds_open');
    const names = added.map(({ name }) => name);
    expect(names.filter((name) => !opened.includes(name))).toEqual(['Ran long ago', 'Found late']);
  });

  test('a closed market is announced for a race on the board, and not for a race found late', async () => {
    expect(await announced('race.market_closed')).toEqual(['Closed']);
    const { id } = added.find(({ name }) => name === 'Found late')!;
    expect((await served.db.pool.query('SELECT FROM events WHERE race_id = $1', [id])).rowCount).toBe(0);
  });

  test('odds.change is sent for races before their jump', async () => {
    const { pool } = served.db;
    await pool.query(
      `INSERT INTO webhooks (webhook_id, account_id, url, secret, created_at)
       SELECT 'wh_000000000001', account_id, 'https://receiver.example', 'whsec_', now() FROM accounts`,
    );
    await follow({ pool, now: () => NOW, entitledPlans: PLANS.map(({ id }) => id) });
    expect(await announced('odds.change')).toEqual(shownBy(['pricesAnnounced']));
  });
});
