// Pushes of sports as the store places them, in memory: by names, by matches near a start, by identity.
import {
  likened,
  type NearMatch,
  namedRows,
  optionsOf,
  withoutMatch,
} from '../../../src/domain/sports/identity/like-stored';
import type { ListedEvent, StoredEvent } from '../../../src/domain/sports/identity/listed-event';
import { SEEDED_NAMES } from '../../../src/domain/sports/identity/names/seeded';
import { placeEvents } from '../../../src/domain/sports/identity/place-events';
import { MINUTES_APART_MS } from '../../../src/domain/sports/identity/same-match';
import type { Names } from '../../../src/domain/sports/identity/team-names';
import { atOnce } from '../../../src/in-parts';

interface Listing {
  readonly listed: ListedEvent;
  readonly swapped: boolean;
}

interface Match {
  readonly stored: StoredEvent;
  readonly books: Map<string, Listing>;
}

export function createNameStore(names: Names = SEEDED_NAMES) {
  const matches = new Map<string, Match>();
  const all = (book: string): StoredEvent[] => [...matches.values()].map((one) => storedOf(one, book));
  return {
    /** The id of the match that each row joined, or why it was refused. */
    push(book: string, listed: readonly ListedEvent[], observedAt: string): string[] {
      const stored = all(book);
      const rows = atOnce(namedRows(listed, names));
      const at = atOnce(withoutMatch(rows, stored));
      const options = atOnce(optionsOf(rows, at, nearTo(rows, [...matches.values()], book), names));
      const keyed = atOnce(likened(rows, options, stored, observedAt));
      return atOnce(placeEvents(keyed, stored, observedAt)).map((one, i) => {
        if (one.kind === 'refused') return one.reason;
        const row = keyed[i]!;
        if (one.kind === 'new') matches.set(one.event.eventId, { stored: newOf(one.event, row), books: new Map() });
        const eventId = one.kind === 'new' ? one.event.eventId : one.eventId;
        matches.get(eventId)!.books.set(book, { listed: row, swapped: one.kind === 'known' && one.swapped });
        return eventId;
      });
    },
    /** Before the next day of matches. */
    forget: () => matches.clear(),
  };
}

function nearTo(rows: readonly ListedEvent[], matches: readonly Match[], book: string): readonly NearMatch[] {
  const isNear = (a: string, b: string): boolean => Math.abs(Date.parse(a) - Date.parse(b)) <= MINUTES_APART_MS;
  return matches.flatMap(({ stored, books }): NearMatch[] => {
    const own = books.get(book)?.listed;
    const isOwn = rows.some(({ homeTeam, awayTeam }) => own?.homeTeam === homeTeam && own.awayTeam === awayTeam);
    if (!isOwn && !rows.some(({ commenceTime }) => isNear(commenceTime, stored.commenceTime))) return [];
    const listings = [...books.values()].map(({ listed: { homeTeam, awayTeam, competition }, swapped }) =>
      swapped ? { home: awayTeam, away: homeTeam, competition } : { home: homeTeam, away: awayTeam, competition },
    );
    const { eventId, sportKey, homeKey, awayKey, commenceTime } = stored;
    return [
      {
        eventId,
        sportKey,
        homeKey,
        awayKey,
        commenceTime,
        listings,
        own: own ? { home: own.homeTeam, away: own.awayTeam } : null,
      },
    ];
  });
}

function storedOf({ stored, books }: Match, book: string): StoredEvent {
  const own = books.get(book);
  const shares = [...books].flatMap(([key, { listed, swapped }]) =>
    key === book || listed.homeShare === null ? [] : [swapped ? 1 - listed.homeShare : listed.homeShare],
  );
  shares.sort((a, b) => a - b);
  return {
    ...stored,
    listedStarts: [...books.values()].map(({ listed }) => listed.commenceTime),
    sourceId: own?.listed.sourceId ?? null,
    isOwn: own !== undefined,
    ownShare: own?.listed.homeShare ?? null,
    competitions: [...books.values()].flatMap(({ listed }) => listed.competition ?? []),
    homeShare: shares[Math.floor(shares.length / 2)] ?? null,
    pricedBy: shares.length,
  };
}

const newOf = (
  {
    eventId,
    canonicalId,
    home,
    away,
  }: { eventId: string; canonicalId: string; home: { key: string }; away: { key: string } },
  { sport, commenceTime }: ListedEvent,
): StoredEvent => ({
  eventId,
  canonicalId,
  sportKey: sport.key,
  homeKey: home.key,
  awayKey: away.key,
  commenceTime,
  listedStarts: [],
  sourceId: null,
  isOwn: false,
  ownShare: null,
  competitions: [],
  homeShare: null,
  pricedBy: 0,
  ownH2h: null,
  isRuledOwn: false,
  isRuled: false,
  partedIds: [],
});
