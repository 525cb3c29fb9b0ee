// PointsBet in the conformance suite.
import type { PointsBetMeetingsReply, PointsBetRaceReply } from '../../../../src/feeds/pointsbet/payload';
import { ABROAD_START, type Abroad, always, type Book, type PlainRunner, STARTS } from '../book';

const COUNTRIES = { GB: 'GBR', US: 'USA', JP: 'JPN', XX: 'XXX' } as const;

export function pointsBetList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): PointsBetMeetingsReply {
  const race = (raceNumber: number) => ({
    raceId: 7000 + raceNumber,
    raceNumber,
    name: `Race ${raceNumber} Hcp`,
    advertisedStartDateTimeUtc: STARTS[raceNumber - 1]!,
    resultStatus: 0,
  });
  const races = [race(1), race(2), ...(more as ReturnType<typeof race>[])];
  const home = { meetingId: 5, venue: 'Flemington', countryCode: 'AUS', racingType: 1, races };
  const others = abroad.map(({ venue, country }, i) => ({
    ...home,
    meetingId: 6 + i,
    venue,
    countryCode: COUNTRIES[country],
    races: [{ ...race(1), raceId: 7100 + i, advertisedStartDateTimeUtc: ABROAD_START }],
  }));
  return [{ meetings: [home, ...others] }];
}

export function pointsBetRace(runners: readonly PlainRunner[]): PointsBetRaceReply {
  return {
    raceId: '7001',
    raceNumber: 1,
    name: 'Race 1 Hcp',
    advertisedStartDateTimeUtc: STARTS[0],
    resultStatus: 0,
    runners: runners.map(({ number, name, win, scratched = false }) => ({
      number,
      runnerName: name,
      isScratched: scratched,
      fluctuations: win === undefined ? {} : { open: 9, current: win as number },
    })),
  };
}

export const pointsbet: Book = {
  key: 'pointsbetau',
  sourceRaceId: '7001',
  listPaths: ['/api/racing/v4/meetings?startDate=2026-11-21&endDate=2026-11-21'],
  racePaths: ['/api/racing/v3/races/7001'],
  stamped: false,
  lacks: new Set(['place', 'barrier', 'jockey', 'trainer', 'weight', 'form', 'tote']),
  list: (more, abroad) => always(pointsBetList(more, abroad)),
  race: (runners) => always(pointsBetRace(runners)),
};
