// What books have pushed, as the database keeps it, for pure tests of identity.
import { type Decision, decisionsOf } from '../../../src/domain/sports/identity/decision';
import type { ListedEvent, StoredEvent } from '../../../src/domain/sports/identity/listed-event';
import { placeEvents } from '../../../src/domain/sports/identity/place-events';
import { STALE_AFTER_SECONDS } from '../../../src/domain/sports/match';
import { atOnce } from '../../../src/in-parts';

interface Listing {
  readonly listed: ListedEvent;
  readonly swapped: boolean;
  readonly isOwn: boolean;
  readonly observedAt: string;
}

interface Match {
  readonly stored: Pick<StoredEvent, 'eventId' | 'canonicalId' | 'sportKey' | 'homeKey' | 'awayKey'>;
  readonly books: Map<string, Listing>;
  commenceTime: string;
}

/** The chance of the match's home side. */
const shareOf = ({ listed: { homeShare }, swapped }: Listing): number | null =>
  homeShare === null || !swapped ? homeShare : 1 - homeShare;

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
  return sorted.length > 0 ? middle : null;
}

const isFresh = (one: Listing, observedAt: string): boolean =>
  Date.parse(one.observedAt) >= Date.parse(observedAt) - STALE_AFTER_SECONDS * 1000;

function storedOf({ stored, books, commenceTime }: Match, book: string, observedAt: string): StoredEvent {
  const own = books.get(book);
  const listings = [...books].filter(([, { isOwn }]) => isOwn);
  const others = listings.flatMap(([key, one]) =>
    key === book || !isFresh(one, observedAt) ? [] : (shareOf(one) ?? []),
  );
  const isOwn = own?.isOwn ?? false;
  return {
    ...stored,
    commenceTime,
    listedStarts: listings.map(([, { listed }]) => listed.commenceTime),
    sourceId: own?.listed.sourceId ?? null,
    isOwn,
    ownShare: own && isOwn ? shareOf(own) : null,
    ownH2h: isOwn && !own!.swapped ? own!.listed.h2h : null,
    isRuledOwn: false,
    isRuled: false,
    partedIds: [],
    competitions: [...books.values()].flatMap(({ listed }) => listed.competition ?? []),
    homeShare: medianOf(others),
    pricedBy: others.length,
  };
}

/**
 * The start that most books list; the earliest if several are equal. A start that has passed stays, unless it moves by
 * half an hour.
 */
function startOf({ books, commenceTime }: Match, observedAt: string): string {
  const starts = [...books.values()].flatMap((one) =>
    one.isOwn && isFresh(one, observedAt) ? [one.listed.commenceTime] : [],
  );
  const count = (start: string): number => starts.filter((one) => one === start).length;
  const [most] = starts.toSorted((a, b) => count(b) - count(a) || (a < b ? -1 : 1));
  const isOpen = commenceTime > observedAt;
  if (most === undefined) return commenceTime;
  return isOpen || most < commenceTime || Date.parse(most) - Date.parse(observedAt) >= 30 * 60_000
    ? most
    : commenceTime;
}

export function openMatches() {
  const matches = new Map<string, Match>();
  const decisions: Decision[] = [];
  /**
   * The id of the match that each row joined, or why it was refused. A push contains everything that the book lists.
   */
  function push(book: string, rows: readonly ListedEvent[], observedAt: string): string[] {
    const stored = [...matches.values()].map((one) => storedOf(one, book, observedAt));
    const placed = atOnce(placeEvents(rows, stored, observedAt));
    decisions.push(...atOnce(decisionsOf(rows, placed, stored, observedAt)));
    for (const { books } of matches.values()) {
      const own = books.get(book);
      if (own) books.set(book, { ...own, isOwn: false });
    }
    const became = placed.map((one, i) => {
      if (one.kind === 'refused') return one.reason;
      const listed = rows[i]!;
      if (one.kind === 'new') {
        const { eventId, canonicalId, home, away } = one.event;
        const keys = { eventId, canonicalId, sportKey: listed.sport.key, homeKey: home.key, awayKey: away.key };
        if (matches.has(eventId)) throw new Error(`${canonicalId} is taken`);
        matches.set(eventId, { stored: keys, books: new Map(), commenceTime: listed.commenceTime });
      }
      const eventId = one.kind === 'new' ? one.event.eventId : one.eventId;
      const swapped = one.kind === 'known' && one.swapped;
      matches.get(eventId)!.books.set(book, { listed, swapped, isOwn: true, observedAt });
      return eventId;
    });
    for (const one of matches.values()) one.commenceTime = startOf(one, observedAt);
    return became;
  }
  return { push, matches, decisions };
}
