// Dabble over HTTP: the list, one race by its details, and a whole meeting in one call.
// A list costs one call per meeting, so one read list also serves the other days that it covers.
import type { BookListing, BookSnapshot } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import { bulkReplies } from '../bulk';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { createHttp, type Http } from '../transport/http';
import { feedReply, notOurs } from '../transport/reply';
import { readList, type WholeList } from './list';
import { mapDetails, mapFixtures } from './map';
import { fixturesPath, parseDabbleRaceId } from './race-id';

/** Races, not meetings: the caller bounds the meetings. One meeting's call took 0.31 s (August 2026). */
const MAX_RACES = 60;
/** Race time. */
const LIST_FRESH_MS = 5 * 60_000;

export function createDabbleFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: 'dabble_au',
    listRaces: createListing(http, now),
    fetchRace: async (sourceRaceId, call) => {
      const id = parseDabbleRaceId(sourceRaceId);
      if (!id) return notOurs('Dabble', now());
      const path = `/frontend-api/sport-fixtures/details/${encodeURIComponent(id.fixture)}`;
      const read = (body: unknown) => mapDetails(body, id.competition, sourceRaceId);
      return feedReply(await http.get({ path, read, conditional: true, readOnce: sourceRaceId, call }));
    },
    bulk: { maxRaces: MAX_RACES, fetchRaces: (ids, call) => fetchRaces(http, ids, now, call) },
  };
}

/** Serves each day once from a list, as long as that list is fresh. */
function createListing(http: Http, now: () => number): Feed['listRaces'] {
  let cached: { readonly atMs: number; readonly list: WholeList; readonly servedDays: Set<Day> } | null = null;
  const ofDay = (list: WholeList, day: Day): readonly BookListing[] =>
    list.races.filter((race) => race.meetingDate === day);
  return async (day, call) => {
    if (cached && now() - cached.atMs < LIST_FRESH_MS && !cached.servedDays.has(day)) {
      cached.servedDays.add(day);
      // The drops were counted when the list was read.
      return {
        kind: 'ok',
        value: ofDay(cached.list, day),
        observedAt: cached.list.observedAt,
        bookAt: null,
        dropped: {},
      };
    }
    const list = await readList(http, call);
    if (list.kind !== 'ok') return list;
    cached = { atMs: now(), list, servedDays: new Set([day]) };
    const { observedAt, dropped } = list;
    return { kind: 'ok', value: ofDay(list, day), observedAt, bookAt: null, dropped };
  };
}

/** One call per meeting, all in parallel. Never conditional: the caller may lack some races of an unchanged meeting. */
async function fetchRaces(
  http: Http,
  sourceRaceIds: readonly string[],
  now: () => number,
  call?: FeedCall,
): Promise<ReadonlyMap<string, FeedReply<BookSnapshot>>> {
  const competitions = new Set(sourceRaceIds.flatMap((id) => parseDabbleRaceId(id)?.competition ?? []));
  const meetings = await Promise.all(
    [...competitions].map(async (competition) => {
      const ids = sourceRaceIds.filter((id) => parseDabbleRaceId(id)?.competition === competition);
      const wanted = new Set(ids);
      const read = (body: unknown) => mapFixtures(body, competition, wanted);
      return bulkReplies(ids, await http.get({ path: fixturesPath(competition), read, call }));
    }),
  );
  const replies = new Map(meetings.flatMap((meeting) => [...meeting]));
  return new Map(sourceRaceIds.map((id) => [id, replies.get(id) ?? notOurs('Dabble', now())]));
}
