// Races of meetings in every state that stored facts can have, at instants around their start.
import fc from 'fast-check';
import { CATEGORIES } from '../../../src/domain/race/race';
import type { MeetingRace } from '../../../src/web/board/meeting';
import { meetingRace, NOON } from '../../support/pages/meeting-race';

const MINUTE_MS = 60_000;

const at = fc.option(
  fc.integer({ min: -90, max: 90 }).map((minutes) => new Date(NOON + minutes * MINUTE_MS).toISOString()),
);

const facts = fc.record({
  status: fc.constantFrom('open', 'open', 'abandoned'),
  market_status: fc.constantFrom(null, 'OPEN', 'SUSPENDED', 'CLOSED'),
  market_closed_at: at,
  market_state_source: fc.constantFrom(null, 'pointsbetau', 'betfair_ex_au'),
  jumped_at: at,
  left_board_at: at,
});

const result = fc.option(
  fc.record({
    status: fc.constantFrom('interim' as const, 'final' as const, 'abandoned' as const),
    winners: fc.array(fc.record({ number: fc.integer({ min: 1, max: 24 }), name: fc.constantFrom('Jade', null) }), {
      maxLength: 2,
    }),
  }),
);

const race = fc.record({
  category: fc.constantFrom(...CATEGORIES),
  country: fc.constantFrom('AU', 'NZ', 'HK', null),
  venueId: fc.constantFrom('flemington', 'ascot', 'sha-tin'),
  state: fc.constantFrom('VIC', 'WA', null),
  raceNumber: fc.integer({ min: 1, max: 12 }),
  startMs: fc.integer({ min: -120, max: 120 }).map((minutes) => NOON + minutes * MINUTE_MS),
  facts,
  result,
});

export const anyRaces: fc.Arbitrary<MeetingRace[]> = fc.array(race, { maxLength: 12 }).map((races) =>
  races.map((one, i) => {
    const made = meetingRace({ ...one, facts: meetingRace().facts, raceId: `race${i}`, venue: one.venueId });
    return { ...made, facts: { ...made.facts, ...one.facts, start_time: new Date(one.startMs).toISOString() } };
  }),
);
