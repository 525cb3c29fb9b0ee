// The input with which a race's workflow starts.
import type { RaceInput } from '../../../src/workflows/contract';

/** In real time. */
export const raceInput = (raceId: string, startMs: number): RaceInput => ({
  raceId,
  meetingDate: '2026-11-21',
  category: 'harness',
  country: 'AU',
  venue: 'Menangle',
  raceNumber: 3,
  advertisedStart: new Date(startMs).toISOString(),
  startVersion: 1,
  clock: { anchorMs: 0, speed: 1 },
});
