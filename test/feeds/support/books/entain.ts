// Entain affiliates (Ladbrokes, Neds) in the conformance suite.
import type { EntainEventReply, EntainMeetingsReply, EntainRunner } from '../../../../src/feeds/entain/payload';
import { ABROAD_START, type Abroad, always, type Book, barrierOf, DAY, FACTS, type PlainRunner, STARTS } from '../book';

const header = { title: 't', generated_time: '2026-11-21T03:59:30.123456789Z', url: '/affiliates/v1/racing' };

const COUNTRIES = { GB: 'UK', US: 'USA', JP: 'JPN', XX: 'XX' } as const;

export function entainList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): EntainMeetingsReply {
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
  const others = abroad.map(({ venue, country }, i) => ({
    ...meeting,
    meeting: `m-${i + 2}`,
    name: venue,
    country: COUNTRIES[country],
    races: [{ ...race(1), id: `abroad-${i}`, start_time: ABROAD_START, country: COUNTRIES[country] }],
  }));
  return { header, params: {}, data: { meetings: [meeting, ...others] } };
}

function entainRunner(runner: PlainRunner): EntainRunner {
  const { number, name, win, scratched = false } = runner;
  return {
    entrant_id: `e-${number}`,
    market_name: 'Final Field',
    primary_market: true,
    name,
    runner_number: number,
    barrier: barrierOf(runner),
    is_scratched: scratched,
    scratch_time: scratched ? 1795230000 : 0,
    odds: win === undefined ? {} : { fixed_win: win as number, fixed_place: FACTS.place },
    weight: { allocated: '58.5', total: String(FACTS.weightKg) },
    jockey: FACTS.jockey,
    trainer_name: FACTS.trainer,
    last_twenty_starts: FACTS.form,
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

const entain = (key: string): Book => ({
  key,
  sourceRaceId: 'event-1',
  listPaths: ['/affiliates/v1/racing/meetings?date_from=2026-11-21&date_to=2026-11-21&limit=200&offset=0'],
  racePaths: ['/affiliates/v1/racing/events/event-1'],
  stamped: true,
  // Only its New Zealand sister sends pool prices.
  lacks: new Set(['tote']),
  list: (more, abroad) => always(entainList(more, abroad)),
  race: (runners) => always(entainRace(runners)),
});

export const ladbrokes = entain('ladbrokes_au');
export const neds = entain('neds');
