// Unibet in the conformance suite: a list per country, and replies that depend on the query.
import type { UnibetCompetitor, UnibetEventReply, UnibetMeetingsReply } from '../../../../src/feeds/unibet/payload';
import { always, type Book, type PlainRunner, routes, STARTS } from '../book';

const KEYS = ['202611210400.T.AUS.flemington.1', '202611210440.T.AUS.flemington.2'] as const;

const stub = (sequence: number) => ({
  eventKey: KEYS[sequence - 1]!,
  sequence,
  eventDateTimeUtc: STARTS[sequence - 1]!,
});

export function unibetList(more: readonly unknown[] = []): UnibetMeetingsReply {
  const events = [stub(1), stub(2), ...(more as ReturnType<typeof stub>[])];
  return { data: { viewer: { meetingsByDateRange: [{ name: 'Flemington', raceType: 'T', events }] } } };
}

export const NO_MEETINGS: UnibetMeetingsReply = { data: { viewer: { meetingsByDateRange: [] } } };

export const unibetCompetitor = ({ number, name, win, scratched = false }: PlainRunner): UnibetCompetitor => ({
  name,
  status: scratched ? 'Scratched' : 'Starter',
  sequence: number,
  startPos: number + 1,
  price: null,
  prices: [
    { betType: 'Other', price: 99 },
    ...(win === undefined ? [] : [{ betType: 'FixedWin', price: win as number, flucs: [] }]),
  ],
});

export const unibetRace = (runners: readonly PlainRunner[]): UnibetEventReply => ({
  data: { viewer: { event: { status: 'Open', competitors: runners.map(unibetCompetitor) } } },
});

/** Path and query of one call, as every client must write it. */
export function unibetPath(operationName: string, sha256Hash: string, variables: object): string {
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  const query = { operationName, variables: JSON.stringify(variables), extensions: JSON.stringify(extensions) };
  return `/api/v1/graphql?${new URLSearchParams(query)}`;
}

export const MEETINGS_HASH = '6126ca780c4d2e5092c50a8fb0dc15b3693eca18fa896372cf28829dd9a5e533';
export const EVENT_HASH = 'fd256aba334b359ae57e55a4eddf6d1ad8f4559a5d13b08dc924ccaa5bc51b38';

const meetingsPath = (countryCodes: string): string =>
  unibetPath('MeetingsByDateRange', MEETINGS_HASH, {
    startDateTime: '2026-11-20T00:00:00.000Z',
    endDateTime: '2026-11-22T00:00:00.000Z',
    countryCodes,
    clientCountryCode: 'AU',
    raceTypes: ['T', 'G', 'H'],
  });

export const unibet: Book = {
  key: 'unibet',
  sourceRaceId: `T:${KEYS[0]}`,
  listPaths: ['AUS', 'NZL'].map(meetingsPath),
  racePaths: [unibetPath('EventQuery', EVENT_HASH, { clientCountryCode: 'AU', eventKey: KEYS[0], fetchTRC: false })],
  stamped: false,
  lacks: new Set([
    'runnerNumber',
    'place',
    'barrier',
    'jockey',
    'trainer',
    'weight',
    'form',
    'tote',
    'start',
    'etag',
    'abroad',
  ]),
  list: (more) => routes({ '%22NZL%22': always(NO_MEETINGS), MeetingsByDateRange: always(unibetList(more)) }),
  race: (runners) => always(unibetRace(runners)),
};
