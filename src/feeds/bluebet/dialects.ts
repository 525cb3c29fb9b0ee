// The two dialects of one platform: request paths and field names. Each host has its own prices.
import type { Category, Day } from '../../domain/race/race';

export interface BlueBetDialect {
  readonly bookmakerKey: string;
  /** The path of the list of one Sydney day. */
  readonly listPath: (day: Day, today: Day) => string;
  readonly racePath: (eventId: string) => string;
  /** The keys that hold meetings; every other key is a summary. */
  readonly codes: Readonly<Record<string, Category>>;
  /** The spelling of a platform field in this dialect. */
  readonly field: (name: string) => string;
  readonly startField: string;
}

const DAY_MS = 86_400_000;

/**
 * Betr counts days from today. Only 0 was probed; other values follow from the parameter's name. Each row has its own
 * start, so even a list of the wrong day places its races correctly. The sources differ on two keys (`Harness/Trots`,
 * `Greyhound`): all are read.
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
