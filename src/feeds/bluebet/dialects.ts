// The two dialects of one platform: how each asks and how each writes. Each host has its own prices.
import type { Category, Day } from '../../domain/race/race';

export interface BlueBetDialect {
  readonly bookmakerKey: string;
  /** Of one Sydney day; `today` is the one we are in. */
  readonly listPath: (day: Day, today: Day) => string;
  readonly racePath: (eventId: string) => string;
  /** The list's keys that hold meetings; every other key is a summary. */
  readonly codes: Readonly<Record<string, Category>>;
  /** How a field of the platform is written here. */
  readonly field: (name: string) => string;
  readonly startField: string;
}

const DAY_MS = 86_400_000;

/**
 * Betr counts days from today: 0 is the one that was probed, the others are read by the parameter's name. Each row brings its own start, so
 * a list of another day than we meant is placed where it belongs. Notes differ on two keys (`Harness/Trots`, `Greyhound`): all are read.
 */
const BETR: BlueBetDialect = {
  bookmakerKey: 'betr_au',
  listPath: (day, today) => `/GroupedRaceCard?DaysToRace=${(Date.parse(day) - Date.parse(today)) / DAY_MS}`,
  racePath: (eventId) => `/Race?eventId=${encodeURIComponent(eventId)}`,
  codes: {
    Thoroughbred: 'horse',
    Trots: 'harness',
    Harness: 'harness',
    Greyhounds: 'greyhound',
    Greyhound: 'greyhound',
  },
  field: (name) => name.charAt(0).toUpperCase() + name.slice(1),
  startField: 'AdvertisedStartTime',
};

const BETRIGHT: BlueBetDialect = {
  bookmakerKey: 'betright',
  listPath: (day) => `/Racing/GroupedRaceCard?raceDate=${day}`,
  racePath: (eventId) => `/Racing/Event?eventId=${encodeURIComponent(eventId)}`,
  codes: { thoroughbred: 'horse', trots: 'harness', greyhounds: 'greyhound' },
  field: (name) => name,
  startField: 'advertisedStartTimeUtc',
};

export const BLUEBET_DIALECTS: readonly BlueBetDialect[] = [BETR, BETRIGHT];
