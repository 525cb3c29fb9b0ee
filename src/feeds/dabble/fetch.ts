// Dabble over HTTP: the list, one race by its details, a whole meeting in one call. What one reading of the list says of the next day too is
// not asked for again: a list costs a call for each meeting.
import type { BookListing, BookSnapshot } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import { bulkReplies } from '../bulk';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { createHttp, type Http } from '../transport/http';
import { feedReply, notOurs } from '../transport/reply';
import { readList, type WholeList } from './list';
import { mapDetails, mapFixtures } from './map';
import { fixturesPath, parseDabbleRaceId } from './race-id';

/** Of how many meetings is left to who asks; a meeting's call took 0.31 s (August 2026). */
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
      return feedReply(await http.get({ path, read, conditional: true, call }));
    },
    bulk: { maxRaces: MAX_RACES, fetchRaces: (ids, call) => fetchRaces(http, ids, now, call) },
  };
}

/** A list that was read answers once for each day, as long as it stands. */
function createListing(http: Http, now: () => number): Feed['listRaces'] {
  let cached: { readonly atMs: number; readonly list: WholeList; readonly servedDays: Set<Day> } | null = null;
  const ofDay = (list: WholeList, day: Day): readonly BookListing[] =>
    list.races.filter((race) => race.meetingDate === day);
  return async (day, call) => {
    if (cached && now() - cached.atMs < LIST_FRESH_MS && !cached.servedDays.has(day)) {
      cached.servedDays.add(day);
      // What was dropped is counted already.
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

/** One call for each meeting, all at once. Never conditional: of an unchanged meeting somebody may hold one race and not another. */
async function fetchRaces(
  http: Http,
  sourceRaceIds: readonly string[],
  now: () => number,
  call?: FeedCall,
): Promise<ReadonlyMap<string, FeedReply<BookSnapshot>>> {
  const competitions = new Set(sourceRaceIds.flatMap((id) => parseDabbleRaceId(id)?.competition ?? []));
  const meetings = await Promise.all(
    [...competitions].map(async (competition) => {
      const read = (body: unknown) => mapFixtures(body, competition);
      const ids = sourceRaceIds.filter((id) => parseDabbleRaceId(id)?.competition === competition);
      return bulkReplies(ids, await http.get({ path: fixturesPath(competition), read, call }));
    }),
  );
  const replies = new Map(meetings.flatMap((meeting) => [...meeting]));
  return new Map(sourceRaceIds.map((id) => [id, replies.get(id) ?? notOurs('Dabble', now())]));
}
