// Palmerbet in the conformance suite: three lists, two replies for a race.
import type {
  PalmerbetMarketReply,
  PalmerbetMeeting,
  PalmerbetMeetingsReply,
  PalmerbetRaceReply,
  PalmerbetRaceStub,
} from '../../../../src/feeds/palmerbet/payload';
import { ABROAD_START, type Abroad, always, type Book, DAY, type PlainRunner, routes, STARTS } from '../book';

const stub = (number: number, venue: string, start: string): PalmerbetRaceStub => ({
  number,
  title: `Race ${number} Hcp`,
  startTime: start.replace('.000', ''),
  status: 'Open',
  eventId: `event-${venue}-${number}`,
  _links: [{ href: `//fixtures/racing//${DAY}/HorseRacing/${encodeURIComponent(venue)}/${number}/` }],
});

export function palmerbetList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): PalmerbetMeetingsReply {
  const races = [
    stub(1, 'Flemington', STARTS[0]),
    stub(2, 'Flemington', STARTS[1]),
    ...(more as readonly PalmerbetRaceStub[]),
  ];
  const others = abroad.map(
    ({ venue, country }): PalmerbetMeeting => ({
      ...(country !== 'XX' && { country }),
      venue: { title: venue },
      races: [stub(1, venue, ABROAD_START)],
    }),
  );
  return { meetings: [{ country: 'AU', venue: { title: 'Flemington' }, races }, ...others] };
}

export const palmerbetRace = (runners: readonly PlainRunner[]): PalmerbetRaceReply => ({
  race: {
    status: 'Open',
    runners: runners.map(({ number, name, scratched = false }) => ({ number, name, isScratched: scratched })),
    markets: [
      { id: 'm0', title: 'Each way', type: 'RacingEachWay' },
      { id: 'm 1', title: 'Win', type: 'RacingWin' },
    ],
  },
});

/** One outcome for each number; the book omits the snapshot if there is no price. */
export const palmerbetMarket = (runners: readonly PlainRunner[]): PalmerbetMarketReply => ({
  market: {
    outcomes: runners
      .filter(({ number }, i) => number > 0 && runners.findIndex((one) => one.number === number) === i)
      .map(({ number, name, win }) => ({
        title: name,
        runnerNumber: number,
        status: 'Active',
        prices: [
          { name: 'Other', priceSnapshot: { current: 99 } },
          { name: 'Fixed', ...(win !== undefined && { priceSnapshot: { current: win as number } }) },
        ],
      })),
  },
});

export const palmerbet: Book = {
  key: 'palmerbet',
  sourceRaceId: `${DAY}/HorseRacing/Flemington/1`,
  listPaths: ['HorseRacing', 'GreyhoundRacing', 'HarnessRacing'].map(
    (type) => `/fixtures/racing/${DAY}/${type}?channel=website`,
  ),
  racePaths: [
    `/fixtures/racing/${DAY}/HorseRacing/Flemington/1?channel=website`,
    '/fixtures/racing/HorseRacing/markets/m%201?channel=website',
  ],
  stamped: false,
  lacks: new Set(['place', 'barrier', 'jockey', 'trainer', 'weight', 'form', 'tote', 'start', 'etag']),
  list: (more, abroad) =>
    routes({ '/HorseRacing?': always(palmerbetList(more, abroad)), 'Racing?': always({ meetings: [] }) }),
  race: (runners) =>
    routes({ '/markets/': always(palmerbetMarket(runners)), '/HorseRacing/': always(palmerbetRace(runners)) }),
};
