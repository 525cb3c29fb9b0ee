// API and all pages as one application over empty sources, for tests of what is true at every address. No database.

import { AppError } from '../../../src/errors';
import type { Reads } from '../../../src/store/reads/reads';
import type { AboutSource } from '../../../src/web/about/model';
import type { LiveBoard } from '../../../src/web/board/model';
import { createCards } from '../../../src/web/cards/cards';
import { createHome } from '../../../src/web/home/home';
import type { MeetingDays } from '../../../src/web/meetings/days';
import type { MoverPages } from '../../../src/web/movers/movers';
import type { PastRaces } from '../../../src/web/past/past-races';
import { createPriceQuality } from '../../../src/web/price-quality/price-quality';
import { createMissingPage, createWeb, type WebDeps } from '../../../src/web/routes';
import type { NameSearch } from '../../../src/web/search/search';
import { siteOf } from '../../../src/web/site/routes';
import type { SportPages } from '../../../src/web/sports/sport-pages';
import type { WidgetSource } from '../../../src/web/widgets/source';
import { BASE_URL, startApi, type TestApi } from '../api/api';
import type { GivenApi } from '../api/given-api';
import { emptyQuality } from './empty-quality';
import { meetingRace } from './meeting-race';
import { memoryAccounts } from './memory-accounts';
import { exampleReference } from './reference';

const live: LiveBoard = {
  board: async () => ({ next: [], featured: null, jumped: [], outcomes: [] }),
  race: async () => null,
  chart: async () => null,
};

const past: PastRaces = {
  days: async () => ({ days: [], older: null, since: null }),
  day: async () => null,
  race: async () => null,
  chart: async () => null,
};

const about: AboutSource = {
  costs: () => [],
  gates: () => [],
  contact: null,
  status: async (nowMs) => ({
    asOf: new Date(nowMs).toISOString(),
    checks: 0,
    ok: 0,
    firstCheck: null,
    lastCheck: null,
    lastOk: null,
    medianLatencyMs: null,
    days: [],
    outages: [],
  }),
};

const cards = createCards({ live, paint: async () => Buffer.from('a picture'), now: Date.now, speed: 1 });

const home = createHome({
  live,
  source: { call: async (atMs) => ({ address: `${BASE_URL}/v1`, page: '/docs/next-to-go', answer: [], atMs }) },
  now: Date.now,
  speed: 1,
});

const meetings: MeetingDays = {
  day: async (day) => ({ day, races: [], before: null, after: null }),
  days: async () => [],
  venue: async () => [meetingRace()],
  record: async () => [],
  outcomes: async () => [],
  printed: async () => ({ races: [], readMs: 0 }),
};

const movers: MoverPages = { read: async () => ({ atMs: 0, current: true, movers: [] }) };

const search: NameSearch = {
  find: async () => ({
    ...{ venues: [], runners: [], moreRunners: false, people: [], morePeople: false },
    ...{ teams: [], moreTeams: false, leagues: [], withoutSports: false, near: [] },
  }),
};

const noRows = { page: 1, pages: 1, total: 0, rows: [] };
const none = { atMs: 0, newestMs: null };
const match = (eventId: string) => ({
  ...{ eventId, sportKey: 'nrl', homeTeam: 'Broncos', awayTeam: 'Storm', competition: null, startMs: 0 },
  ...none,
  state: 'started' as const,
});
const sports: SportPages = {
  index: async () => ({ ...none, sports: [] }),
  sport: async (key) => ({
    ...{ key, title: key, group: key, hasDraw: false, competition: null, competitions: [] },
    ...noRows,
    ...none,
  }),
  match: async (eventId) => ({ ...match(eventId), markets: [], arbs: [], listings: [] }),
  lines: async (eventId) => ({ ...match(eventId), tables: [] }),
  arbs: async () => ({ ...noRows, ...none }),
};

// The widget in the document's examples.
const widgets: WidgetSource = {
  ownOrigins: [BASE_URL],
  frame: async () => ({
    title: null,
    caption: 'Racing odds',
    accent: '#12694a',
    theme: 'auto',
    allowedOrigins: ['https://www.example.com'],
    version: '1',
    token: '1',
  }),
  fill: async () => ({ kind: 'origin', token: null }),
  networkOf: () => '',
};

/** `more`: sources of pages that are absent by default. */
export function startWholeService(
  deps: Partial<GivenApi> & Pick<GivenApi, 'keys'>,
  more: Partial<WebDeps> = {},
): Promise<TestApi> {
  const accounts = memoryAccounts(BASE_URL).pages;
  const coverage = () => Promise.reject(new AppError('unavailable', 'Nothing is measured.', { unavailable: [] }));
  const quality = { read: async () => emptyQuality() };
  const priceQuality = createPriceQuality({
    source: { days: async () => [{ day: '2026-11-21', checked: false }], rows: async () => [] },
    now: Date.now,
    speed: 1,
  });
  const reference = () => exampleReference(BASE_URL);
  const found = { meetings, movers, search, sports };
  const sources = {
    live,
    past,
    coverage,
    quality,
    accounts,
    widgets,
    reference,
    priceQuality,
    about,
    home,
    cards,
    ...found,
  };
  const web = { ...sources, now: Date.now, speed: 1, ...more };
  const reads = { ping: async () => {} } as unknown as Reads;
  return startApi({
    reads,
    pages: createWeb(web),
    site: siteOf(web),
    missingPage: createMissingPage(web),
    ...deps,
  });
}
