// Sports beside the racing of a Saturday: twenty keys, of which a feed replies about one each second, and of which a
// book pushes its whole offer through the API every ten seconds, as often as all books together may expect to. One
// price in seven moves.

import { CUSTOMERS } from '../../../src/api/kernel/endpoint/visibility';
import { SPORTS, type Sport } from '../../../src/domain/sports/sports';
import { createStores } from '../../../src/store/create-stores';
import { hashApiKey } from '../../../src/store/keys/keys';
import { keyRow, newKey } from '../../../test/support/api/api';
import type { TestDatabase } from '../../../test/support/servers/database';
import { priced } from '../../../test/support/sports/matches';
import { seeded } from '../figures';

export interface SportsBeside {
  /** Feed replies and pushes that are due. */
  readonly aSecond: number;
  /** Feed replies and pushes so far, and what failed. */
  counts(): { readonly fed: number; readonly pushed: number; readonly failed: number };
  stop(): Promise<void>;
}

const SOURCE = 'bench';
const MATCHES_A_KEY = 10;
const FED_EVERY_MS = 1000;
const PUSHED_EVERY_MS = 10_000;
const MOVED = 1 / 7;
const DAY_MS = 86_400_000;
const [PUSHING, FED] = [CUSTOMERS.compared.slice(0, 6), CUSTOMERS.compared.slice(6, 14)];

const random = seeded(20261130);
const newPrice = (): number => Math.round((1.8 + random() * 0.2) * 100) / 100;

interface Offer {
  readonly sport: Sport;
  readonly home: string;
  readonly away: string;
  readonly startTime: string;
  prices: readonly [home: number, away: number];
}

/** What a book has of a sport. */
const offersOf = (sport: Sport): Offer[] =>
  Array.from({ length: MATCHES_A_KEY }, (_, i) => ({
    sport,
    home: `${sport.title} Home ${i}`,
    away: `${sport.title} Away ${i}`,
    startTime: new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS + i * 3_600_000).toISOString(),
    prices: [newPrice(), newPrice()],
  }));

function move(offers: readonly Offer[]): readonly Offer[] {
  for (const offer of offers) if (random() < MOVED) offer.prices = [newPrice(), newPrice()];
  return offers;
}

export async function startSportsBeside(db: TestDatabase, url: string, keys: number): Promise<SportsBeside> {
  const sports = SPORTS.slice(0, keys);
  if (sports.length < keys) throw new Error(`there are ${SPORTS.length} keys of sports`);
  const stores = createStores(db.pool);
  const key = newKey();
  await stores.keys.insert(hashApiKey(key), keyRow(key, { role: 'internal', plan: 'enterprise' }));
  const listed = sports.map((sport) => ({ source: SOURCE, sourceKey: sport.key, sportKey: sport.key }));
  await stores.feedLevels.saveSports(SOURCE, listed, new Date().toISOString());
  const counts = { fed: 0, pushed: 0, failed: 0 };
  const note = (what: 'fed' | 'pushed', work: Promise<unknown>): Promise<void> =>
    work.then(
      () => void counts[what]++,
      () => void counts.failed++,
    );
  const feed = feeder(stores.sportFeed, sports);
  const push = pusher(url, key, sports);
  // What is new costs more than what moves.
  for (const _ of PUSHING) await push();
  for (const _ of sports) await feed();
  let turn: Promise<unknown> = Promise.resolve();
  let pushing: Promise<unknown> = Promise.resolve();
  const timers = [
    setInterval(() => {
      turn = turn.then(() => note('fed', feed()));
    }, FED_EVERY_MS),
    setInterval(() => {
      pushing = Promise.all([pushing, note('pushed', push())]);
    }, PUSHED_EVERY_MS),
  ];
  return {
    aSecond: 1000 / FED_EVERY_MS + 1000 / PUSHED_EVERY_MS,
    counts: () => ({ ...counts }),
    async stop() {
      timers.forEach(clearInterval);
      await Promise.all([turn, pushing]);
    },
  };
}

/** A feed's replies, about one sport after another, each with several books. */
function feeder(store: ReturnType<typeof createStores>['sportFeed'], sports: readonly Sport[]) {
  const books = sports.map((sport) => FED.map((book) => [book, offersOf(sport)] as const));
  let at = 0;
  return async (): Promise<void> => {
    const sport = sports[at % sports.length]!;
    const offered = books[at++ % sports.length]!;
    const events = (offers: readonly Offer[]) =>
      move(offers).map(({ home, away, startTime, prices }) => ({
        sport,
        sourceId: home,
        homeTeam: home,
        awayTeam: away,
        competition: null,
        commenceTime: startTime,
        markets: [
          {
            market: 'h2h' as const,
            prices: priced('h2h', { home: prices[0], draw: sport.draw ? 3.4 : null, away: prices[1] }),
          },
        ],
      }));
    const observedAt = new Date().toISOString();
    const { replayed } = await store.save(
      {
        source: SOURCE,
        sourceKey: sport.key,
        sportKey: sport.key,
        observedAt,
        books: new Map(offered.map(([book, offers]) => [book, events(offers)])),
      },
      observedAt,
    );
    if (replayed) throw new Error('the reply changed nothing');
  };
}

/** Pushes of one book after another, each of all its sports. */
function pusher(url: string, key: string, sports: readonly Sport[]) {
  const books = PUSHING.map((book) => [book, sports.flatMap(offersOf)] as const);
  let at = 0;
  return async (): Promise<void> => {
    const [book, offers] = books[at++ % books.length]!;
    const events = move(offers).map(({ sport, home, away, startTime, prices }) => ({
      source_id: home,
      sport_key: sport.key,
      home_team: home,
      away_team: away,
      commence_time: startTime,
      markets: [
        {
          selections: [
            { name: home, price: prices[0] },
            { name: away, price: prices[1] },
            ...(sport.draw ? [{ name: 'Draw', price: 3.4 }] : []),
          ],
        },
      ],
    }));
    const reply = await fetch(`${url}/v1/ingest/sports/${book}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ bookmaker_key: book, events }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    await reply.arrayBuffer();
  };
}
