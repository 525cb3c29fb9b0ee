// TAB's info-service in the conformance suite.
import type { TabMeetingsReply, TabRacecardReply } from '../../../../src/feeds/tab/payload';
import { ABROAD_START, type Abroad, always, type Book, barrierOf, DAY, FACTS, type PlainRunner, STARTS } from '../book';

const tabMeeting = {
  meetingName: 'FLEMINGTON',
  location: 'VIC',
  venueMnemonic: 'FLE',
  raceType: 'R' as const,
  meetingDate: DAY,
  weatherCondition: 'FINE',
  trackCondition: 'GOOD4',
};

const COUNTRIES = { GB: 'GBR', US: 'USA', JP: 'JPN', XX: 'XXX' } as const;

export function tabList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): TabMeetingsReply {
  const race = (raceNumber: number) => ({
    raceNumber,
    raceName: `RACE ${raceNumber} HCP`,
    raceStartTime: STARTS[raceNumber - 1]!,
    raceStatus: 'Open',
    raceDistance: 1400,
  });
  const home = { ...tabMeeting, races: [race(1), race(2), ...(more as ReturnType<typeof race>[])] };
  const others = abroad.map(({ venue, country }) => ({
    ...tabMeeting,
    meetingName: venue.toUpperCase(),
    location: COUNTRIES[country],
    venueMnemonic: venue.slice(0, 3).toUpperCase(),
    races: [{ ...race(1), raceStartTime: ABROAD_START }],
  }));
  return { meetings: [home, ...others] };
}

export function tabRace(runners: readonly PlainRunner[]): TabRacecardReply {
  return {
    raceNumber: 1,
    raceName: 'RACE 1 HCP',
    raceStartTime: STARTS[0],
    raceStatus: 'Open',
    raceDistance: 1400,
    numberOfFixedOddsPlaces: 3,
    allowFixedOddsPlace: true,
    results: [],
    meeting: tabMeeting,
    runners: runners.map((runner) => {
      const { number, name, win, scratched = false } = runner;
      const bettingStatus = scratched ? 'Scratched' : 'Open';
      const returns = { returnWin: win as number, returnPlace: win === undefined ? 0 : FACTS.place };
      return {
        runnerName: name,
        runnerNumber: number,
        barrierNumber: barrierOf(runner),
        riderDriverName: FACTS.jockey,
        trainerName: FACTS.trainer,
        handicapWeight: FACTS.weightKg,
        last5Starts: FACTS.form,
        fixedOdds: { ...returns, bettingStatus, allowPlace: true },
        parimutuel: { returnWin: 4.2, returnPlace: 1.6, bettingStatus },
      };
    }),
  };
}

export const tab: Book = {
  key: 'tab',
  sourceRaceId: '2026-11-21/R/FLE/1',
  listPaths: ['/v1/tab-info-service/racing/dates/2026-11-21/meetings?jurisdiction=NSW'],
  racePaths: ['/v1/tab-info-service/racing/dates/2026-11-21/meetings/R/FLE/races/1?jurisdiction=NSW'],
  stamped: false,
  lacks: new Set(),
  list: (more, abroad) => always(tabList(more, abroad)),
  race: (runners) => always(tabRace(runners)),
};
