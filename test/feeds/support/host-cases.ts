// The hosts and calls of the suite of hostile replies: every book's list and races, also several at once, and every
// document of the registries.
import { SIMULATED_TOPAZ_KEY } from '../../../src/config';
import type { Dropped, Feed, FeedEndpoint, FeedReply } from '../../../src/feeds/feed';
import { createRegistryFeed } from '../../../src/feeds/racing-australia/fetch';
import { createRacingAustraliaResults } from '../../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { CONNECTED_BOOKS, createFeeds } from '../../../src/feeds/registry';
import { createTopaz } from '../../../src/feeds/topaz/fetch';
import { value } from './book-under-test';

const DAY = '2026-11-21';
export const NOW = Date.parse('2026-11-21T07:10:00Z');
const BEFORE = '2026-11-20';

export type Call = () => Promise<FeedReply<unknown>>;

export interface HostCase {
  /** Its name in the simulator. */
  readonly key: string;
  /** It caches replies for some minutes, so each call needs a fresh connector. */
  readonly caches?: boolean;
  /** The calls to make. Until it returns, `endpoint` replies as the simulator does. */
  calls(endpoint: FeedEndpoint, now: () => number): Promise<Readonly<Record<string, Call>>>;
}

const CACHING = new Set(['betfair_ex_au', 'dabble_au']);

/** Neds is Ladbrokes on another host. */
const BOOKS: readonly HostCase[] = CONNECTED_BOOKS.filter((key) => key !== 'neds').map((key) => ({
  key,
  caches: CACHING.has(key),
  calls: async (endpoint, now) => {
    const create = (): Feed => createFeeds({ [key]: endpoint }, now).get(key)!;
    const first = create();
    return callsOf(first, CACHING.has(key) ? create : () => first);
  },
}));

async function callsOf(feed: Feed, again: () => Feed): Promise<Record<string, Call>> {
  const listed = value(await feed.listRaces(DAY));
  const ahead = listed.filter(({ startTime }) => startTime === null || Date.parse(startTime) > NOW);
  const past = listed.filter(({ startTime }) => startTime !== null && Date.parse(startTime) < NOW - 900_000);
  const horses = ahead.filter(({ category }) => category === 'horse');
  const chosen = new Set([horses[0], past.at(-1)].flatMap((race) => race?.sourceRaceId ?? []));
  const ids = horses.slice(0, 2).map((race) => race.sourceRaceId);
  return {
    list: () => again().listRaces(DAY),
    ...Object.fromEntries([...chosen].map((id) => [`race ${id}`, () => again().fetchRace(id)])),
    ...(feed.bulk && { 'races at once': () => atOnce(again(), ids) }),
  };
}

/** Several replies as one; it fails like the first one that failed in the network. */
async function atOnce(feed: Feed, ids: readonly string[]): Promise<FeedReply<unknown>> {
  const replies = [...(await feed.bulk!.fetchRaces(ids)).values()];
  const good = replies.filter((reply) => reply.kind === 'ok');
  const first = replies.find((reply) => reply.kind === 'failed' && reply.reason === 'network') ?? good[0];
  if (first?.kind !== 'ok') return first ?? replies[0]!;
  const dropped: Record<string, number> = { all: good.reduce((sum, reply) => sum + totalOf(reply.dropped), 0) };
  return { ...first, value: good.map((reply) => reply.value), dropped };
}

const site = (endpoint: FeedEndpoint, now: () => number) =>
  createRegistrySite({ endpoint, now, wait: async () => undefined });

const REGISTRIES: readonly HostCase[] = [
  {
    key: 'racing_australia',
    calls: async (endpoint, now) => {
      const fields = createRegistryFeed(site(endpoint, now));
      const results = createRacingAustraliaResults(site(endpoint, now));
      const { key } = value(await fields.calendar('NSW')).find((meeting) => meeting.acceptances)!;
      const [ran] = value(await results.listings('NSW', BEFORE, BEFORE));
      return {
        calendar: () => fields.calendar('NSW'),
        acceptances: () => fields.acceptances(key),
        scratchings: () => fields.scratchings(key),
        'track conditions': () => fields.trackConditions('NSW'),
        'results calendar': () => results.listings('NSW', BEFORE, DAY),
        results: () => results.meeting(ran!.key),
      };
    },
  },
  {
    key: 'topaz',
    calls: async (endpoint, now) => {
      const settings = { api_key: SIMULATED_TOPAZ_KEY };
      const topaz = createTopaz({ endpoint: { ...endpoint, settings }, now, wait: async () => undefined });
      const [ran] = value(await topaz.listings('VIC', BEFORE, BEFORE));
      return {
        listings: () => topaz.listings('VIC', BEFORE, DAY),
        meeting: () => topaz.meeting(ran!.key),
      };
    },
  },
];

export const HOST_CASES: readonly HostCase[] = [...BOOKS, ...REGISTRIES];

export const totalOf = (dropped: Dropped): number => Object.values(dropped).reduce((sum, count) => sum + count, 0);

/** The pieces that a reply publishes: rows of a list, runners of a race, every runner of every race of a meeting. */
export function piecesOf(published: unknown): string[] {
  if (Array.isArray(published))
    return published.flatMap((row) => (hasRunners(row) ? piecesOf(row) : [JSON.stringify(row)]));
  const { runners, races, scratched } = published as Record<string, unknown>;
  const rows = runners ?? races ?? scratched;
  return Array.isArray(rows) ? piecesOf(rows) : [];
}

const hasRunners = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && ('runners' in row || 'scratched' in row) && !('number' in row);
