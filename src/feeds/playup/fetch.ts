// PlayUp over HTTP: the meetings of a day, page by page, and one race.
import type { BookListing } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { sumDropped } from '../reading/drops';
import { createHttp, type Http } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { type MeetingsPage, mapMeetings } from './list';
import { mapRace } from './map';

const PAGE = 100;
const MAX_PAGES = 20;

export function createPlayUpFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: 'playup',
    listRaces: (day, call) => listRaces(http, day, call),
    fetchRace: async (sourceRaceId, call) =>
      feedReply(
        await http.get({
          path: `/v1/races/${encodeURIComponent(sourceRaceId)}/?include=meeting,available_bet_types,selections.prices`,
          read: (body) => mapRace(body, sourceRaceId),
          conditional: true,
          readOnce: sourceRaceId,
          call,
        }),
      ),
  };
}

/** If one page fails, the list fails: half a list would look as if races were withdrawn. */
async function listRaces(http: Http, day: Day, call?: FeedCall): Promise<FeedReply<readonly BookListing[]>> {
  let whole: Mapped<readonly BookListing[]> = { value: [], bookAt: null, dropped: {} };
  for (let page = 1; ; page++) {
    const reply = await http.get({ path: pagePath(day, page), read: mapMeetings, call });
    if (reply.kind !== 'ok') return reply;
    whole = addPage(whole, reply.read);
    if (isLast(reply.read, page)) return feedReply({ ...reply, read: whole });
    if (page === MAX_PAGES) {
      const detail = `more than ${MAX_PAGES} pages`;
      return { kind: 'failed', reason: 'too_large', detail, retryAfterMs: null, observedAt: reply.observedAt };
    }
  }
}

/** Decided by the page count if the book sends one, otherwise by a short page. */
const isLast = ({ meetings, totalPages }: MeetingsPage, page: number): boolean =>
  totalPages === null ? meetings < PAGE : page >= totalPages;

function pagePath(day: Day, page: number): string {
  const query = new URLSearchParams({
    include: 'races',
    'filter[start_date][from]': day,
    'filter[start_date][to]': day,
    'filter[is_future]': '0',
    'page[size]': String(PAGE),
    'page[number]': String(page),
  });
  return `/v1/meetings/?${query}`;
}

/** A row that moved to the next page between two calls is listed once. */
function addPage(whole: Mapped<readonly BookListing[]>, page: MeetingsPage): Mapped<readonly BookListing[]> {
  const listed = new Set(whole.value.map((race) => race.sourceRaceId));
  const fresh = page.value.filter((race) => !listed.has(race.sourceRaceId));
  const repeated = page.value.length - fresh.length;
  const dropped = sumDropped(whole.dropped, page.dropped);
  return {
    value: [...whole.value, ...fresh],
    bookAt: null,
    dropped: repeated > 0 ? sumDropped(dropped, { race_repeated: repeated }) : dropped,
  };
}
