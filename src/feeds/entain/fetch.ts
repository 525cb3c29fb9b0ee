// Entain affiliates over HTTP: paths, identification, paging. A client with missing or blank identification is blocked.
import type { ListedRace } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { sumDropped } from '../reading/drops';
import { rowOf } from '../reading/read';
import { createHttp, type Http } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { meetingRows, mergeRaces } from './list';
import { mapEvent, mapMeetings } from './map';

/** The brands of one affiliates API: same ids and shape, but each host has its own prices. */
export interface EntainBrand {
  readonly bookmakerKey: string;
  /** The site with its race pages: the documented deep link is `/racing/<meetingName>/<event_id>/…`. */
  readonly site: string;
}

export const ENTAIN_BRANDS: readonly EntainBrand[] = [
  { bookmakerKey: 'ladbrokes_au', site: 'https://www.ladbrokes.com.au' },
  { bookmakerKey: 'neds', site: 'https://www.neds.com.au' },
];

const ROOT = '/affiliates/v1/racing';
/** The documented maximum. */
const PAGE = 200;
const MAX_PAGES = 20;

export function createEntainFeed(brand: EntainBrand, endpoint: FeedEndpoint, now: () => number): Feed {
  const headers = { from: endpoint.contact, 'x-partner': endpoint.partner };
  const http = createHttp({ endpoint, headers, now });
  return {
    bookmakerKey: brand.bookmakerKey,
    listRaces: (day, call) => listRaces(http, day, call),
    fetchRace: async (sourceRaceId, call) =>
      feedReply(
        await http.get({
          path: `${ROOT}/events/${encodeURIComponent(sourceRaceId)}`,
          read: (body) => onlyRace(mapEvent(body, brand.site), sourceRaceId),
          conditional: true,
          call,
        }),
      ),
  };
}

/** Never accept another race's prices under this race's id. */
function onlyRace<T extends { sourceRaceId: string }>(
  mapped: Mapped<T> | null,
  sourceRaceId: string,
): Mapped<T> | null {
  return mapped?.value.sourceRaceId === sourceRaceId ? mapped : null;
}

interface Page extends Mapped<readonly ListedRace[]> {
  readonly meetings: number;
}

/**
 * All codes and countries of one day, page by page until a short one. If one page fails, the list fails: half a list
 * would look as if races were withdrawn.
 */
async function listRaces(http: Http, day: Day, call?: FeedCall): Promise<FeedReply<readonly ListedRace[]>> {
  let whole: Mapped<readonly ListedRace[]> = { value: [], bookAt: null, dropped: {} };
  for (let page = 0; ; page++) {
    const reply = await http.get<Page>({ path: meetingsPath(day, page), read: readPage, call });
    if (reply.kind !== 'ok') return reply;
    whole = addPage(whole, reply.read);
    if (reply.read.meetings < PAGE) return feedReply({ ...reply, read: whole });
    if (page + 1 === MAX_PAGES) {
      const detail = `more than ${MAX_PAGES} pages`;
      return { kind: 'failed', reason: 'too_large', detail, retryAfterMs: null, observedAt: reply.observedAt };
    }
  }
}

/** Always sends both dates: the default of `date_from` differs between deployments. */
function meetingsPath(day: Day, page: number): string {
  return `${ROOT}/meetings?date_from=${day}&date_to=${day}&limit=${PAGE}&offset=${page * PAGE}`;
}

function readPage(body: unknown): Page | null {
  const mapped = mapMeetings(body);
  const rows = meetingRows(rowOf(body));
  return mapped && rows && { ...mapped, meetings: rows.length };
}

/** A row that moved to the next page between two calls is listed once. */
function addPage(whole: Mapped<readonly ListedRace[]>, page: Page): Mapped<readonly ListedRace[]> {
  const { races, repeated } = mergeRaces(whole.value, page.value);
  const dropped = sumDropped(whole.dropped, page.dropped);
  return {
    value: races,
    bookAt: whole.bookAt ?? page.bookAt,
    dropped: repeated ? sumDropped(dropped, { race_repeated: repeated }) : dropped,
  };
}
