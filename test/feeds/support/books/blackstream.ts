// BetDeluxe (BlackStream) in the conformance suite.
import type {
  BlackStreamEnvelope,
  BlackStreamRacecard,
  BlackStreamRaceStub,
  BlackStreamSchedule,
} from '../../../../src/feeds/blackstream/payload';
import { ABROAD_START, type Abroad, always, type Book, type PlainRunner, STARTS } from '../book';

const success = <T>(data: T): BlackStreamEnvelope<T> => ({ code: 'Success', message: '', data });
const COUNTRIES = { GB: 'GBR', US: 'USA', JP: 'JPN', XX: 'XXX' } as const;

export function blackStreamList(
  more: readonly unknown[] = [],
  abroad: readonly Abroad[] = [],
): BlackStreamEnvelope<BlackStreamSchedule> {
  const race = (raceNumber: number): BlackStreamRaceStub => ({
    eventId: 11_415_980 + raceNumber,
    raceNumber,
    raceName: `Race ${raceNumber} Hcp`,
    advertisedStartTime: STARTS[raceNumber - 1]!,
    isOpenForBetting: true,
  });
  const races = [race(1), race(2), ...(more as BlackStreamRaceStub[])];
  const others = abroad.map(({ venue, country }, i) => ({
    venue,
    meetId: 800_629 + i,
    countryCode: COUNTRIES[country],
    races: [{ ...race(1), eventId: 11_416_000 + i, advertisedStartTime: ABROAD_START }],
  }));
  const home = { venue: 'Flemington', meetId: 800_628, countryCode: 'AUS', races };
  return success({ thoroughbred: [home, ...others], greyhounds: [], trots: [] });
}

/** `outcomeId` differs widely from the saddlecloth, because they are not proven to be equal. */
export const blackStreamRace = (runners: readonly PlainRunner[]): BlackStreamEnvelope<BlackStreamRacecard> =>
  success({
    race: {
      status: 1,
      runners: runners.map(({ number, name, win, scratched = false }) => ({
        outcomeId: 100 - number,
        runnerName: name,
        isScratched: scratched,
        winPrices: win === undefined ? [] : [9, win as number],
      })),
    },
  });

export const betdeluxe: Book = {
  key: 'betdeluxe',
  sourceRaceId: '800628/11415981',
  listPaths: [
    '/api/racing/v1/schedule?startDateTime=2026-11-20T13:00:00.000Z&endDateTime=2026-11-21T12:59:59.999Z&topfouroutcomes=true',
  ],
  racePaths: ['/api/racing/v2/meetings/800628/races/11415981/racecard'],
  stamped: false,
  lacks: new Set(['runnerNumber', 'place', 'barrier', 'jockey', 'trainer', 'weight', 'form', 'tote', 'start', 'etag']),
  list: (more, abroad) => always(blackStreamList(more, abroad)),
  race: (runners) => always(blackStreamRace(runners)),
};
