// Meetings outside Australia and New Zealand as the books show them: which books list one, which quote it, and when its
// country is named. Books that our feeds query only for Australia and New Zealand, or that were observed with nothing
// else, list none (Unibet, Betfair, BetDeluxe); BetRight and the push-fed books leave them out.

import type { Meeting, Race } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import type { Abroad, Country, Track } from '../world/tracks';
import type { World } from '../world/world';

interface Carriage {
  readonly listedBy: readonly string[];
  /** The other books list it without a price. */
  readonly quotedBy: readonly string[];
}

const HONG_KONG_BOOKS = [
  'ladbrokes_au',
  'neds',
  'tab',
  'tabtouch',
  'sportsbet',
  'pointsbetau',
  'betr_au',
  'palmerbet',
  'playup',
  'dabble_au',
];

/** Hong Kong is compared across books; about one book quotes each other country (A 1, A 2.4 rule 7). */
const CARRIAGE: Readonly<Record<Abroad, Carriage>> = {
  hongKong: { listedBy: HONG_KONG_BOOKS, quotedBy: HONG_KONG_BOOKS },
  international: {
    listedBy: ['ladbrokes_au', 'neds', 'tabtouch', 'sportsbet', 'pointsbetau', 'palmerbet'],
    quotedBy: ['ladbrokes_au'],
  },
  unlabelled: { listedBy: ['palmerbet'], quotedBy: ['palmerbet'] },
};

const lists = ({ abroad }: Track, book: string): boolean => abroad === null || CARRIAGE[abroad].listedBy.includes(book);

export const quotes = ({ abroad }: Track, book: string): boolean =>
  abroad === null || CARRIAGE[abroad].quotedBy.includes(book);

/** The world without the meetings that the book does not list. */
export function worldListedBy(world: World, book: string): World {
  const shown = (race: Race | null): Race | null => (race && lists(race.meeting.track, book) ? race : null);
  const meetingShown = (one: Meeting | null): Meeting | null => (one && lists(one.track, book) ? one : null);
  return {
    seed: world.seed,
    turnDays: world.turnDays,
    origin: world.origin,
    listedDays: world.listedDays,
    meetings: (day) => world.meetings(day).filter(({ track }) => lists(track, book)),
    raceById: (id, nowMs) => shown(world.raceById(id, nowMs)),
    raceBySerial: (serial, nowMs) => shown(world.raceBySerial(serial, nowMs)),
    meetingById: (id, nowMs) => meetingShown(world.meetingById(id, nowMs)),
  };
}

/** The country of an unlabelled meeting is missing until this long before its first race. */
const LABELLED_BEFORE_MS = 3_600_000;

/** Null while the book leaves the country out. */
export function countryNamed({ track, races }: Meeting, nowMs: number): Country | null {
  const labelledMs = Math.min(...races.map(firstStartMs)) - LABELLED_BEFORE_MS;
  return track.abroad === 'unlabelled' && nowMs < labelledMs ? null : track.country;
}

export const ALPHA3: Readonly<Record<Country, string>> = {
  AU: 'AUS',
  NZ: 'NZL',
  HK: 'HKG',
  TR: 'TUR',
  GB: 'GBR',
  US: 'USA',
};
