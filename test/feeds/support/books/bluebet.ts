// Betr and BetRight in the conformance suite: one platform, two notations.
import type {
  BetRightEvent,
  BetRightGroupedRaceCard,
  BetRightRaceStub,
  BetrGroupedRaceCard,
  BetrRace,
  BetrRaceStub,
} from '../../../../src/feeds/bluebet/payload';
import { ABROAD_START, type Abroad, always, type Book, FACTS, type Lack, type PlainRunner, STARTS } from '../book';

const COUNTRIES = { GB: 'GBR', US: 'USA', JP: 'JPN', XX: 'XXX' } as const;
const LACKS: readonly Lack[] = ['barrier', 'jockey', 'trainer', 'weight', 'form', 'tote', 'start'];

export function betrList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): BetrGroupedRaceCard {
  const race = (RaceNumber: number): BetrRaceStub => ({
    EventId: 92_000_000 + RaceNumber,
    Venue: 'Flemington',
    CountryCode: 'AUS',
    RaceNumber,
    EventName: `Race ${RaceNumber} Hcp`,
    AdvertisedStartTime: STARTS[RaceNumber - 1]!.replace('.000Z', '.0000000Z'),
    IsOpenForBetting: true,
  });
  const home = [race(1), race(2), ...(more as BetrRaceStub[])];
  const others = abroad.map(({ venue, country }, i) => [
    {
      ...race(1),
      EventId: 92_000_100 + i,
      Venue: venue,
      CountryCode: COUNTRIES[country],
      AdvertisedStartTime: ABROAD_START,
    },
  ]);
  return { Thoroughbred: [home, ...others], Greyhounds: [], Trots: [] };
}

export const betrRace = (runners: readonly PlainRunner[]): BetrRace => ({
  Outcomes: runners.map(({ number, name, win, scratched = false }) => ({
    OutcomeId: number,
    OutcomeName: name,
    Scratched: scratched,
    FixedPrices: pricesOf(win).map(([MarketTypeCode, Price]) => ({ MarketTypeCode, Price })),
  })),
});

const pricesOf = (win: unknown): [code: string, price: number][] =>
  win === undefined
    ? []
    : [
        ['WIN', win as number],
        ['PLC', FACTS.place],
      ];

export function betRightList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): BetRightGroupedRaceCard {
  const race = (raceNumber: number): BetRightRaceStub => ({
    eventId: 62_000_000 + raceNumber,
    raceNumber,
    advertisedStartTimeUtc: STARTS[raceNumber - 1]!,
    isOpenForBetting: true,
  });
  const races = [race(1), race(2), ...(more as BetRightRaceStub[])];
  const others = abroad.map(({ venue, country }, i) => ({
    venue,
    countryCode: COUNTRIES[country],
    races: [{ ...race(1), eventId: 62_000_100 + i, advertisedStartTimeUtc: ABROAD_START }],
  }));
  return { thoroughbred: [{ venue: 'Flemington', countryCode: 'AUS', races }, ...others], greyhounds: [], trots: [] };
}

export const betRightRace = (runners: readonly PlainRunner[]): BetRightEvent => ({
  isOpenForBetting: true,
  outcomes: runners.map(({ number, name, win, scratched = false }) => ({
    outcomeId: number,
    outcomeName: name,
    scratched,
    fixedPrices: pricesOf(win).map(([marketTypeCode, price]) => ({ marketTypeCode, price })),
  })),
});

export const betr: Book = {
  key: 'betr_au',
  sourceRaceId: '92000001',
  listPaths: ['/GroupedRaceCard?DaysToRace=0'],
  racePaths: ['/Race?eventId=92000001'],
  stamped: false,
  // It is undocumented whether its race reply repeats the list's market state.
  lacks: new Set<Lack>([...LACKS, 'marketStatus']),
  list: (more, abroad) => always(betrList(more, abroad)),
  race: (runners) => always(betrRace(runners)),
};

export const betright: Book = {
  key: 'betright',
  sourceRaceId: '62000001',
  listPaths: ['/Racing/GroupedRaceCard?raceDate=2026-11-21'],
  racePaths: ['/Racing/Event?eventId=62000001'],
  stamped: false,
  lacks: new Set(LACKS),
  list: (more, abroad) => always(betRightList(more, abroad)),
  race: (runners) => always(betRightRace(runners)),
};
