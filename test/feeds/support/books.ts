// The four books as the conformance suite sees them: replies composed in each book's documented format from one plain description.
import type { EntainEventReply, EntainMeetingsReply, EntainRunner } from '../../../src/feeds/entain/payload';
import type { PointsBetMeetingsReply, PointsBetRaceReply } from '../../../src/feeds/pointsbet/payload';
import type { TabMeetingsReply, TabRacecardReply } from '../../../src/feeds/tab/payload';

/** `win`: 0 = the book's "none", undefined = the field is missing, anything else as sent. */
export interface PlainRunner {
  readonly number: number;
  readonly name: string;
  readonly win?: unknown;
  readonly scratched?: boolean;
}

export interface Book {
  readonly key: string;
  readonly sourceRaceId: string;
  readonly listPath: string;
  readonly racePath: string;
  /** Whether the reply itself says when it was made. */
  readonly stamped: boolean;
  /** Races 1 and 2 at 04:00Z and 04:40Z of 21 November 2026, Flemington, Australia, horses; `more` is appended to the races as it stands. */
  list(more?: readonly unknown[]): unknown;
  /** Race 1, open. */
  race(runners: readonly PlainRunner[]): unknown;
}

const DAY = '2026-11-21';
export const STARTS = ['2026-11-21T04:00:00.000Z', '2026-11-21T04:40:00.000Z'] as const;
const header = { title: 't', generated_time: '2026-11-21T03:59:30.123456789Z', url: '/affiliates/v1/racing' };

function entainList(more: readonly unknown[] = []): EntainMeetingsReply {
  const race = (race_number: number) => ({
    id: `event-${race_number}`,
    race_number,
    name: `Race ${race_number} Hcp`,
    start_time: STARTS[race_number - 1]!.replace('.000', ''),
    track_condition: 'Good4',
    distance: 1400,
    weather: 'FINE',
    country: 'AUS',
    state: 'VIC',
  });
  const races = [race(1), race(2), ...(more as ReturnType<typeof race>[])];
  const meeting = {
    meeting: 'm-1',
    name: 'Flemington',
    date: `${DAY}T00:00:00Z`,
    category: 'T' as const,
    category_name: 'Thoroughbred Horse Racing',
    country: 'AUS',
    state: 'VIC',
    track_condition: 'Good4',
    races,
  };
  return { header, params: {}, data: { meetings: [meeting] } };
}

export function entainRunner({ number, name, win, scratched = false }: PlainRunner): EntainRunner {
  return {
    entrant_id: `e-${number}`,
    market_name: 'Final Field',
    primary_market: true,
    name,
    runner_number: number,
    barrier: number + 1,
    is_scratched: scratched,
    scratch_time: scratched ? 1795230000 : 0,
    odds: win === undefined ? {} : { fixed_win: win as number, fixed_place: 1.5 },
    weight: { allocated: '58.5', total: '57' },
    jockey: 'J Rider',
    trainer_name: 'T Trainer',
    last_twenty_starts: '6x12',
  };
}

export function entainRace(runners: readonly PlainRunner[]): EntainEventReply {
  const race = {
    event_id: 'event-1',
    meeting_id: 'm-1',
    meeting_name: 'Flemington',
    display_meeting_name: 'Sponsor Park Flemington',
    status: 'Open' as const,
    description: 'Race 1 Hcp',
    advertised_start: Date.parse(STARTS[0]) / 1000,
    actual_start: Date.parse(STARTS[0]) / 1000,
    advertised_start_string: '',
    actual_start_string: '',
    race_number: 1,
    type: 'T' as const,
    country: 'AUS',
    state: 'NSW',
    distance: 1400,
    weather: 'FINE',
    track_condition: 'Good4',
    entrant_count: runners.length,
  };
  const data = { race, runners: runners.map(entainRunner), favourite: null, mover: null, derivatives: null, error: '' };
  return { header, params: {}, data };
}

function pointsBetList(more: readonly unknown[] = []): PointsBetMeetingsReply {
  const race = (raceNumber: number) => ({
    raceId: 7000 + raceNumber,
    raceNumber,
    name: `Race ${raceNumber} Hcp`,
    advertisedStartDateTimeUtc: STARTS[raceNumber - 1]!,
    resultStatus: 0,
  });
  const races = [race(1), race(2), ...(more as ReturnType<typeof race>[])];
  return [{ meetings: [{ meetingId: 5, venue: 'Flemington', countryCode: 'AUS', racingType: 1, races }] }];
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

const tabMeeting = {
  meetingName: 'FLEMINGTON',
  location: 'VIC',
  venueMnemonic: 'FLE',
  raceType: 'R' as const,
  meetingDate: DAY,
  weatherCondition: 'FINE',
  trackCondition: 'GOOD4',
};

function tabList(more: readonly unknown[] = []): TabMeetingsReply {
  const race = (raceNumber: number) => ({
    raceNumber,
    raceName: `RACE ${raceNumber} HCP`,
    raceStartTime: STARTS[raceNumber - 1]!,
    raceStatus: 'Open',
    raceDistance: 1400,
  });
  return { meetings: [{ ...tabMeeting, races: [race(1), race(2), ...(more as ReturnType<typeof race>[])] }] };
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
    runners: runners.map(({ number, name, win, scratched = false }) => {
      const bettingStatus = scratched ? 'Scratched' : 'Open';
      const returns = { returnWin: win as number, returnPlace: win === undefined ? 0 : 1.5 };
      return {
        runnerName: name,
        runnerNumber: number,
        barrierNumber: number + 1,
        fixedOdds: { ...returns, bettingStatus, allowPlace: true },
        parimutuel: { returnWin: 4.2, returnPlace: 1.6, bettingStatus },
      };
    }),
  };
}

const entain = (key: string): Book => ({
  key,
  sourceRaceId: 'event-1',
  listPath: '/affiliates/v1/racing/meetings?date_from=2026-11-21&date_to=2026-11-21&limit=200&offset=0',
  racePath: '/affiliates/v1/racing/events/event-1',
  stamped: true,
  list: entainList,
  race: entainRace,
});

export const BOOKS: readonly Book[] = [
  entain('ladbrokes_au'),
  entain('neds'),
  {
    key: 'pointsbetau',
    sourceRaceId: '7001',
    listPath: '/api/racing/v4/meetings?startDate=2026-11-21&endDate=2026-11-21',
    racePath: '/api/racing/v3/races/7001',
    stamped: false,
    list: pointsBetList,
    race: pointsBetRace,
  },
  {
    key: 'tab',
    sourceRaceId: '2026-11-21/R/FLE/1',
    listPath: '/v1/tab-info-service/racing/dates/2026-11-21/meetings?jurisdiction=NSW',
    racePath: '/v1/tab-info-service/racing/dates/2026-11-21/meetings/R/FLE/races/1?jurisdiction=NSW',
    stamped: false,
    list: tabList,
    race: tabRace,
  },
];
