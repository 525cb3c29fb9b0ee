// The API as a process, over its own database with a little of everything: it prints one line of JSON with its URL, its
// keys and the identifiers to request, and drops the database when it is stopped. Internal errors go to stderr.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type Router from '@koa/router';
import type { Pool } from 'pg';
import { createAccounts } from '../../../src/accounts/accounts';
import { createBilling } from '../../../src/accounts/billing/billing';
import { billingStores } from '../../../src/accounts/billing/deps';
import { createPasswords } from '../../../src/accounts/passwords';
import { createReferrals } from '../../../src/accounts/referral/referrals';
import { referenceOf } from '../../../src/api/discovery/reference/reference';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { LIMITS } from '../../../src/api/kernel/http/connection/server';
import type { Schema } from '../../../src/api/openapi/schema';
import { ENDPOINTS } from '../../../src/api/operations';
import { createAboutSource } from '../../../src/api/pages/about-source';
import { createBoardSource } from '../../../src/api/pages/board-source';
import { createHomeSource } from '../../../src/api/pages/home-source';
import { createMeetingSource } from '../../../src/api/pages/meeting-source';
import { createMoverSource } from '../../../src/api/pages/mover-source';
import { createPastSource } from '../../../src/api/pages/past-source';
import { createPersonSource } from '../../../src/api/pages/person-source';
import { createPriceQualitySource } from '../../../src/api/pages/price-quality-source';
import { createQualitySource } from '../../../src/api/pages/quality-source';
import { createRunnerSource } from '../../../src/api/pages/runner-source';
import { createSearchSource } from '../../../src/api/pages/search-source';
import { createSportSource } from '../../../src/api/pages/sport-source';
import type { Parts } from '../../../src/api/parts';
import { addDays, aetDay } from '../../../src/domain/time/aet';
import type { Payments } from '../../../src/payments/payments';
import { createStores } from '../../../src/store/create-stores';
import { followKeyChanges, type KeyChanges } from '../../../src/store/keys/key-changes';
import type { Listener } from '../../../src/store/pg/listener';
import { createLiveReads } from '../../../src/store/reads/live-board';
import { createReads } from '../../../src/store/reads/reads';
import type { Stores } from '../../../src/store/stores';
import { createLiveBoard } from '../../../src/web/board/live-board';
import { createCards } from '../../../src/web/cards/cards';
import { createCardPainter } from '../../../src/web/cards/paint';
import { createHome } from '../../../src/web/home/home';
import { createMeetingDays } from '../../../src/web/meetings/days';
import { createMoverPages } from '../../../src/web/movers/movers';
import { createPastRaces } from '../../../src/web/past/past-races';
import { createRunners } from '../../../src/web/past/runner/runners';
import { createPeople } from '../../../src/web/people/people';
import { LEGAL_VERSIONS } from '../../../src/web/plain/legal-pages';
import { createPriceQuality } from '../../../src/web/price-quality/price-quality';
import { createWeb } from '../../../src/web/routes';
import { createNameSearch } from '../../../src/web/search/search';
import { createSportPages } from '../../../src/web/sports/sport-pages';
import { publishedWork } from '../fuzz/published-work';
import { dropDatabase, type TestDatabase } from '../servers/database';
import { poolAs } from '../servers/roles';
import { startStripe } from '../stripe/server';
import { stripePayments } from '../stripe/shop';
import { BASE_URL, NOW, newKey, UNCOUNTED } from './api';
import type { GivenApi } from './given-api';
import { isWhole, requestFor, SHARED_OPERATIONS } from './operation-requests';
import { seedEverything, serve } from './served';

const MINUTE_MS = 60_000;
/** The next race jumps ten minutes later. */
const SLOWLY = 10;
/** All requests come from one address, and requests for pages must still be accepted. */
const NEVER_REACHED = 1e9;
/** Well-formed keys that were never issued. */
const UNKNOWN_KEYS = 100;

async function main(): Promise<void> {
  await dropAbandoned(process.env.ABANDONED_DATABASE);
  const clock = { now: Date.parse(NOW) };
  const now = (): number => clock.now;
  const listeners: Listener[] = [];
  const pools: Pool[] = [];
  // As in production: cached responses, the pages and the limits on connections are part of what is tested.
  const stripe = await startStripe(clock.now);
  const payments = stripePayments(stripe);
  await payments.setUp();
  const served = await serve(
    (db) => ({
      ...ofOwners(createStores(poolOf(db, pools)), payments, now),
      keyChanges: followed(db, listeners),
      addressBudget: UNCOUNTED,
      responsesCachedMs: 1000,
      work: publishedWork(),
      log: { error: (fields, message) => console.error('API error:', message, fields) },
      now,
      // The registry has no horses except the stored ones.
      formReader: { read: async () => ({ kind: 'absent' }) },
      pagesOver: (parts, { document }) => pagesOver(db, now, parts, document),
    }),
    LIMITS,
  );
  const seeded = await seedEverything(served.db);
  const keys = {
    free: await served.addKey({ plan: 'free' }),
    plus: await served.addKey({ plan: 'plus' }),
    enterprise: await served.addKey({ plan: 'enterprise' }),
    internal: await served.addKey({ plan: 'enterprise', role: 'internal' }),
  };
  await grantAll(served.db);
  const nowMs = clock.now;
  const today = aetDay(nowMs);
  const about = {
    days: [today, addDays(today, 1)],
    // On the database's clock, which also stamps the marks of what was just written (A 2.8).
    instants: [1, 15, 25].map((minutes) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()),
    races: Object.values(seeded),
    answered: SHARED_OPERATIONS.filter(isWhole).map((operation) => requestFor(operation, seeded)),
  };
  const startedAt = Date.now();
  // The day continues from the instant of the seeded data, slowly, so that no race jumps before a slow machine has sent
  // every request.
  const ticking = setInterval(() => {
    clock.now = nowMs + Math.floor((Date.now() - startedAt) / SLOWLY);
  }, 100);
  const unknownKeys = Array.from({ length: UNKNOWN_KEYS }, newKey);
  const connections = { total: LIMITS.connections, perAddress: LIMITS.connectionsPerAddress };
  const pages = served.api.routes.filter(({ path }) => !path.startsWith('/v1')).map(({ path }) => path);
  const inPaths = { day: today, race_id: Object.values(seeded)[0] };
  const world = { url: served.api.url, database: served.db.url, keys, unknownKeys, about, connections, pages, inPaths };
  process.stdout.write(`${JSON.stringify(world)}\n`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  clearInterval(ticking);
  for (const one of listeners) await one.close();
  for (const one of pools) await one.end();
  await served.stop();
  await stripe.close();
}

/** A killed process could not drop its own database. */
async function dropAbandoned(url: string | undefined): Promise<void> {
  if (url !== undefined) await dropDatabase(url);
}

/** The API's own login and rights. */
function poolOf(db: TestDatabase, pools: Pool[]): Pool {
  const pool = poolAs(db, 'racing_api');
  pools.push(pool);
  return pool;
}

/** Calls are charged as in production, but none is refused for its cost. */
async function grantAll({ pool }: TestDatabase): Promise<void> {
  const { credits, keyRegister } = createStores(pool);
  const grant = { credits: NEVER_REACHED, reason: 'fuzz', period: NOW.slice(0, 8).concat('01'), at: NOW };
  for (const { accountId } of await keyRegister.list()) await credits.grant({ ...grant, accountId });
}

/** Sign-in, keys, billing and referrals as in production; every domain may receive mail, but no mail leaves. */
function ofOwners(stores: Stores, payments: Payments, now: () => number): Partial<GivenApi> {
  const baseUrl = BASE_URL;
  const accounts = createAccounts({
    ...stores,
    passwords: createPasswords(),
    receivesMail: async () => 'unsure',
    counts: UNCOUNTED,
    linksPerMinute: NEVER_REACHED,
    random: randomBytes,
    wallMs: now,
    baseUrl,
    versions: LEGAL_VERSIONS,
    mailWritten: () => {},
  });
  const log = { warn: (fields: object, message: string) => console.error('billing:', message, fields) };
  const billing = createBilling({ payments, ...billingStores(stores, now), log, baseUrl, wallMs: now });
  const referrals = createReferrals(stores.referralCodes, randomBytes);
  return { charger: createCharger(stores.credits), accounts, billing, referrals };
}

function followed({ url }: TestDatabase, listeners: Listener[]): KeyChanges {
  const changes = followKeyChanges(url);
  listeners.push(changes);
  return changes;
}

function pagesOver({ pool }: TestDatabase, now: () => number, { services }: Parts, document: Schema): Router {
  const reads = createReads(pool);
  const liveReads = createLiveReads(pool);
  const live = createLiveBoard({ source: createBoardSource({ reads, liveReads }), now });
  const meetings = createMeetingDays({ source: createMeetingSource({ reads, liveReads }), now });
  const past = createPastRaces({ source: createPastSource({ reads, liveReads }), now });
  const movers = createMoverPages({ source: createMoverSource(reads), now });
  const search = createNameSearch({ source: createSearchSource(reads, services.sports), now });
  const runners = createRunners({ source: createRunnerSource(reads), now });
  const people = createPeople({ source: createPersonSource(reads), now });
  const quality = createQualitySource(reads, 1);
  const priceQuality = createPriceQuality({ source: createPriceQualitySource(reads), now, speed: 1 });
  const racing = { live, meetings, search, movers, past, runners, people, quality, priceQuality };
  const home = createHomeSource({ endpoints: ENDPOINTS, services, baseUrl: BASE_URL });
  return createWeb({
    ...racing,
    sports: createSportPages({ source: createSportSource({ reads, sports: services.sports }), now }),
    cards: createCards({ live, paint: createCardPainter(), now, speed: 1 }),
    coverage: () => services.coverageReport(now()),
    about: createAboutSource({ reads, endpoints: ENDPOINTS, contact: null, speed: 1 }),
    home: createHome({ live, source: home, now, speed: 1 }),
    reference: () => referenceOf(document),
    baseUrl: BASE_URL,
    now,
    speed: 1,
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
