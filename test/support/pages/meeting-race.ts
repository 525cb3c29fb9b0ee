// A race of a meeting as the pages receive it.
import type { MeetingRace } from '../../../src/web/board/meeting';

/** 2:00 pm in Sydney. */
export const NOON = Date.parse('2026-11-21T03:00:00Z');
const MINUTE_MS = 60_000;

export const meetingRace = (over: Partial<MeetingRace> = {}): MeetingRace => {
  const startMs = over.startMs ?? NOON + 10 * MINUTE_MS;
  return {
    raceId: 'a',
    category: 'horse',
    country: 'AU',
    venue: 'Flemington',
    day: '2026-11-21',
    venueId: 'flemington',
    state: 'VIC',
    card: 1,
    raceNumber: 4,
    startMs,
    facts: {
      start_time: new Date(startMs).toISOString(),
      status: 'open',
      market_status: null,
      market_closed_at: null,
      market_state_source: null,
      jumped_at: null,
      left_board_at: null,
    },
    trackCondition: null,
    trackChangedMs: null,
    weather: null,
    result: null,
    ...over,
  };
};
