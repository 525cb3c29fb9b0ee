// A small racing world behind the real board: its own database, written by the real stores, served by the real
// application. Its clock starts on a fixed afternoon in Sydney and runs at normal speed.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCharger } from '../../src/api/kernel/charging/charger';
import { ENDPOINTS } from '../../src/api/operations';
import { createBetslipBoard } from '../../src/api/operations/betslip/betslip-links';
import { createChangesFeed } from '../../src/api/operations/changes/feed';
import { movesOf } from '../../src/api/operations/changes/moves';
import { createCoverageReport } from '../../src/api/operations/site/measure-coverage';
import { createSportsBoard } from '../../src/api/operations/sports/sports-board';
import { createWidgetEmbeds } from '../../src/api/operations/widgets/fills/embeds';
import { createAboutSource } from '../../src/api/pages/about-source';
import { createBoardSource } from '../../src/api/pages/board-source';
import { createHomeSource } from '../../src/api/pages/home-source';
import { createMeetingSource } from '../../src/api/pages/meeting-source';
import { createMoverSource } from '../../src/api/pages/mover-source';
import { createPastSource } from '../../src/api/pages/past-source';
import { createPersonSource } from '../../src/api/pages/person-source';
import { createPriceQualitySource } from '../../src/api/pages/price-quality-source';
import { createQualitySource } from '../../src/api/pages/quality-source';
import { createRunnerSource } from '../../src/api/pages/runner-source';
import { createSearchSource } from '../../src/api/pages/search-source';
import { createSportSource } from '../../src/api/pages/sport-source';
import type { FeedResult, FeedRunner, ListedRace, RaceFacts } from '../../src/domain/race/feed-race';
import { NO_FACTS } from '../../src/domain/race/not-reported';
import type { ResultRunner } from '../../src/domain/results/result';
import { createFolderStore } from '../../src/file-store/folder';
import { createStores } from '../../src/store/create-stores';
import { type ApiKeyRow, createKeyStore, hashApiKey } from '../../src/store/keys/keys';
import { createLiveReads } from '../../src/store/reads/live-board';
import { createReads } from '../../src/store/reads/reads';
import { createSharedAnswers } from '../../src/store/redis/shared-answers';
import { createLiveBoard } from '../../src/web/board/live-board';
import { createCards } from '../../src/web/cards/cards';
import { createCardPainter } from '../../src/web/cards/paint';
import { createHome } from '../../src/web/home/home';
import { createMeetingDays } from '../../src/web/meetings/days';
import { createMoverPages } from '../../src/web/movers/movers';
import { createPastRaces } from '../../src/web/past/past-races';
import { createRunners } from '../../src/web/past/runner/runners';
import { createPeople } from '../../src/web/people/people';
import { createPriceQuality } from '../../src/web/price-quality/price-quality';
import { createWeb } from '../../src/web/routes';
import { createNameSearch } from '../../src/web/search/search';
import { siteOf } from '../../src/web/site/routes';
import { createSportPages } from '../../src/web/sports/sport-pages';
import { keyRow, newKey } from '../support/api/api';
import { apiOf } from '../support/api/given-api';
import { SIGNER } from '../support/manifests';
import { exampleReference } from '../support/pages/reference';
import { feedResult } from '../support/races/builders';
import { type StoredRace, storeRace } from '../support/races/stored-race';
import { addRuns, type GivenRun } from '../support/races/stored-runs';
import { createTestDatabase } from '../support/servers/database';
import { freePort } from '../support/servers/free-port';
import { addRound } from '../support/sports/round';
import { addMatches } from '../support/sports/stored-matches';
import { addArchivedDays } from './archived-days';

/** The configured public address. */
export const BASE_URL = 'http://localhost';

/** 2:00 pm in Sydney, summer time: when a world begins. */
export const AFTERNOON = Date.parse('2026-11-21T03:00:00Z');
const START_SOURCE = 'ladbrokes_au';
export const FOUR_BOOKS: readonly string[] = [START_SOURCE, 'neds', 'tab', 'pointsbetau'];

interface PollOptions {
  readonly secondsAgo?: number;
  /** The base of `secondsAgo`, for polls whose distance from each other matters; default: the instant of the call. */
  readonly nowMs?: number;
  readonly facts?: Partial<RaceFacts>;
  /** Of the book that may move it. */
  readonly startTime?: string;
  /** Closes the market at the book that publishes its state. */
  readonly closed?: boolean;
}

export interface BoardWorld {
  readonly url: string;
  now(): number;
  /** Moves the clock forward. */
  pass(ms: number): void;
  /** A race that starts in `minutes`, listed by these books; returns its id. */
  list(minutes: number, over?: Partial<ListedRace>, books?: readonly string[]): Promise<string>;
  poll(raceId: string, book: string, runners: readonly FeedRunner[], options?: PollOptions): Promise<void>;
  /** `at`: epoch milliseconds; default now. */
  jump(raceId: string, at?: number): Promise<void>;
  /** `jumpedAt`: epoch milliseconds; default ten minutes ago. */
  leaveBoard(raceId: string, jumpedAt?: number): Promise<void>;
  /** Fences its pollers and writes its archive. */
  archive(raceId: string): Promise<void>;
  result(raceId: string, over?: Partial<FeedResult>): Promise<void>;
  /** The full field of its result. */
  field(raceId: string, runners: readonly ResultRunner[]): Promise<void>;
  /** A book's connector reports a successful poll. */
  connected(book: string): Promise<void>;
  /** Resulted races of two days before, with their bulk files. */
  addArchivedDays(): Promise<string[]>;
  /** Stores runs of animals. */
  addRuns(...runs: readonly GivenRun[]): Promise<void>;
  /** Matches of two books, one of them upcoming: Brisbane Broncos v Melbourne Storm. */
  addMatches(): Promise<void>;
  /** Matches of five sports over seven books (`round.ts`). */
  addRound(): Promise<void>;
  /** As an operator rules; returns the id that stays. */
  joinMatches(one: string, other: string): Promise<string>;
  /** A key of an account of its own. */
  addKey(key: string, over?: Partial<ApiKeyRow>): Promise<void>;
  /** A widget of its own Platform account; `path` is the path of its page. */
  addWidget(body: object): Promise<{ readonly path: string; change(body: object): Promise<void> }>;
  /** Stops the server; `start` reopens it at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `streams`: they report changes to pages. Default: pages poll. `charges`: calls cost credits. Default: none does.
 * `still`: the clock stands at the afternoon's beginning, until `pass` moves it.
 */
export async function createBoardWorld({ streams = false, charges = false, still = false } = {}): Promise<BoardWorld> {
  const database = await createTestDatabase();
  const races = new Map<string, StoredRace>();
  const reads = createReads(database.pool);
  const began = Date.now();
  let passedMs = 0;
  const now = (): number => AFTERNOON + passedMs + (still ? 0 : Date.now() - began);
  const iso = (secondsAgo = 0): string => new Date(now() - secondsAgo * 1000).toISOString();

  const liveReads = createLiveReads(database.pool);
  const live = createLiveBoard({ source: createBoardSource({ reads, liveReads }), now });
  const meetings = createMeetingDays({ source: createMeetingSource({ reads, liveReads }), now });
  const past = createPastRaces({ source: createPastSource({ reads, liveReads }), now });
  const quality = createQualitySource(reads, 1);
  const priceQuality = createPriceQuality({ source: createPriceQualitySource(reads), now, speed: 1 });
  const movers = createMoverPages({ source: createMoverSource(reads), now });
  const runners = createRunners({ source: createRunnerSource(reads), now });
  const people = createPeople({ source: createPersonSource(reads), now });
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  const feed = createChangesFeed({ reads, now, log });
  const reporting = {
    moves: movesOf(feed),
    networkOf: () => 'one',
    stopping: new AbortController().signal,
    everyMs: 200,
  };
  const report = createCoverageReport(reads, createSharedAnswers(null, 'one world'));
  const stores = createStores(database.pool);
  const fillAnswers = createSharedAnswers(null, 'board');
  const sports = createSportsBoard(reads, createSharedAnswers(null, 'board'));
  const search = createNameSearch({ source: createSearchSource(reads, sports), now });
  const embeds = {
    store: stores.widgetFills,
    reads,
    sports,
    fillAnswers,
    ownOrigins: [BASE_URL],
    now,
    wallMs: now,
    record: () => {},
  };
  const widgets = createWidgetEmbeds(embeds);
  const reference = () => exampleReference(BASE_URL);
  const services = { reads, betslip: createBetslipBoard(reads, {}) };
  const web = {
    live,
    cards: createCards({ live, paint: createCardPainter(), now, speed: 1 }),
    home: createHome({
      live,
      source: createHomeSource({ endpoints: ENDPOINTS, services, baseUrl: BASE_URL }),
      now,
      speed: 1,
    }),
    meetings,
    search,
    movers,
    sports: createSportPages({ source: createSportSource({ reads, sports }), now }),
    past,
    runners,
    people,
    quality,
    priceQuality,
    widgets,
    about: createAboutSource({ reads, endpoints: ENDPOINTS, contact: 'mailto:hello@example.com', speed: 1 }),
    coverage: () => report(now()),
    reference,
    now,
    speed: 1,
    baseUrl: BASE_URL,
  };
  const pages = createWeb({ ...web, ...(streams && { streams: reporting }) });
  const owned = { store: stores.ownedWidgets, random: randomBytes };
  const folder = mkdtempSync(join(tmpdir(), 'board-world-'));
  const files = createFolderStore(folder);
  const bulk = { manifest: stores.bulkFiles, files, keys: SIGNER.publicKeys };
  const webhooks = {
    store: stores.ownedWebhooks,
    rules: { allowLoopback: false, allowHttp: false },
    resolve: async () => ['93.184.216.34'],
    random: randomBytes,
    // No worker posts.
    testPatienceMs: 1,
  };
  const deps = { reads, ...stores, webhooks, widgets: owned, bulk, now, baseUrl: BASE_URL, log };
  const charged = charges && { charger: createCharger(stores.credits), wallMs: now };
  const app = apiOf({ ...deps, ...charged, pages, site: siteOf(web) });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const listening = async (): Promise<Server> => {
    const opened = app.listen(port, '127.0.0.1');
    // After a pause of the machine a client would send on an idle connection that is just being closed.
    opened.keepAliveTimeout = 0;
    await once(opened, 'listening');
    return opened;
  };
  let server = await listening();

  const addKey = (key: string, over: Partial<ApiKeyRow> = {}): Promise<void> =>
    createKeyStore(database.pool).insert(hashApiKey(key), keyRow(key, over));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };

  return {
    url,
    now,
    pass: (ms) => {
      passedMs += ms;
    },
    async list(minutes, over = {}, books = FOUR_BOOKS) {
      const race = await storeRace(database, { startTime: iso(-minutes * 60), ...over }, books);
      races.set(race.raceId, race);
      return race.raceId;
    },
    async poll(raceId, bookmakerKey, runners, options = {}) {
      const { secondsAgo = 0, nowMs = now(), facts = {}, startTime, closed = false } = options;
      const race = races.get(raceId)!;
      const secondsBefore = (race.startMs - nowMs) / 1000 + secondsAgo;
      const snapshot = {
        runners,
        people,
        facts: { ...NO_FACTS, ...facts },
        ...(startTime !== undefined && { startTime }),
        ...(closed && { marketStatus: 'CLOSED' as const }),
      };
      const poller = { bookmakerKey, startSource: bookmakerKey === START_SOURCE, marketStateSource: closed };
      const outcome = await race.poll(secondsBefore, snapshot, poller);
      if (outcome.fenced) throw new Error('the poll was fenced');
    },
    jump: (raceId, at = now()) =>
      races.get(raceId)!.stores.races.savePhase(raceId, 'jumped', { jumpedAt: new Date(at).toISOString() }, iso()),
    async leaveBoard(raceId, jumpedAt = now() - 600_000) {
      await races
        .get(raceId)!
        .stores.races.savePhase(
          raceId,
          'final',
          { jumpedAt: new Date(jumpedAt).toISOString(), leftBoardAt: iso() },
          iso(),
        );
    },
    async archive(raceId) {
      const { stores, startMs } = races.get(raceId)!;
      const none = { epoch: 2, tier: 'none', advertisedStart: new Date(startMs).toISOString(), closed: true } as const;
      await stores.control.setControl({ raceId, ...none }, iso());
      const { verdict } = await stores.archive.archive(raceId, iso());
      if (verdict !== 'written') throw new Error(`the race was not archived: ${verdict}`);
    },
    async result(raceId, over = {}) {
      const { results } = races.get(raceId)!.stores;
      await results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult(over), at: iso() });
      if (over.stage === 'final') await results.finalise(raceId, iso());
    },
    field: (raceId, runners) => races.get(raceId)!.stores.results.fillField(raceId, runners, 'racing_australia', iso()),
    async connected(connector) {
      const poll = { connector, at: iso(), ok: true, status: 'ok', message: null, recordsWritten: 1, counts: [] };
      await createStores(database.pool).health.recordPolls([poll]);
    },
    addArchivedDays: () => addArchivedDays(database, files, now),
    addRuns: (...runs) => addRuns(database.pool, ...runs),
    addMatches: () => addMatches(database),
    addRound: () => addRound(database),
    async joinMatches(one, other) {
      const ruled = await stores.sportIdentity.join(one, other, false, iso());
      if (ruled.kind !== 'joined') throw new Error(`the matches were not joined: ${ruled.kind}`);
      return ruled.eventId;
    },
    addKey,
    async addWidget(body) {
      const key = newKey();
      await addKey(key, { plan: 'platform' });
      const send = async (method: string, path: string, sent: object) => {
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        const response = await fetch(`${url}/v1/widgets${path}`, { method, headers, body: JSON.stringify(sent) });
        if (response.status !== 200) throw new Error(await response.text());
        return (await response.json()) as { id: string; embed_url: string };
      };
      const { id, embed_url: page } = await send('POST', '', { name: 'x', ...body });
      return { path: new URL(page).pathname, change: async (sent) => void (await send('PATCH', `/${id}`, sent)) };
    },
    stop,
    async start() {
      server = await listening();
    },
    async close() {
      await stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}
