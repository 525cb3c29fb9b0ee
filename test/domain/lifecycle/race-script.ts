// Races in a given phase, for the lifecycle's tests. Minutes count from the advertised start, 14:00 Sydney time on a
// Saturday.
import {
  initialRace,
  type RaceEffect,
  type RaceEvent,
  type RaceStart,
  type RaceState,
  step,
} from '../../../src/domain/lifecycle/lifecycle';

const START_MS = Date.parse('2026-11-21T03:00:00.000Z');

export const at = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();

export const newRace = (foundAtMinute: number, over: Partial<RaceStart> = {}): RaceState =>
  initialRace({
    raceId: '817e8f54-6fe2-5ff0-b92c-e3569edac855',
    category: 'horse',
    country: 'AU',
    advertisedStart: at(0),
    startVersion: 1,
    at: at(foundAtMinute),
    ...over,
  });

export const play = (race: RaceState, ...events: RaceEvent[]): RaceState =>
  events.reduce((state, event) => step(state, event).state, race);

export const effectsAt = (race: RaceState, event: RaceEvent): RaceEffect[] => step(race, event).effects;

export const effectNames = (race: RaceState, event: RaceEvent): string[] =>
  effectsAt(race, event).map((effect) => effect.do);

/** An interim result with these placings. */
export const PLACED = (key: string, minute: number, more: object = {}): RaceEvent => ({
  type: 'resultSeen',
  stage: 'interim',
  placingsKey: key,
  protest: false,
  at: at(minute),
  ...more,
});

export const liveRace = (): RaceState => play(newRace(-120), { type: 'tick', at: at(-120) });
export const jumpedRace = (): RaceState => play(liveRace(), { type: 'marketClosed', at: at(1) });
export const interimRace = (): RaceState =>
  play(jumpedRace(), {
    type: 'resultSeen',
    stage: 'interim',
    placingsKey: '1:4|2:2',
    protest: false,
    at: at(5),
  });
/** Final at minute 35, off the board. */
export const finalRace = (): RaceState => play(interimRace(), { type: 'tick', at: at(35) });
