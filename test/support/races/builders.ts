// Small valid values as the basis of a test; a test states only the values that it is about.
import { randomUUID } from 'node:crypto';
import type { FeedResult, FeedRunner, ListedRace, RaceSnapshot } from '../../../src/domain/race/feed-race';
import { NO_DETAILS, NO_FACTS } from '../../../src/domain/race/not-reported';
import type { ResultRunner } from '../../../src/domain/results/result';
import type { PlacedRace } from '../../../src/store/card/card';

export const listedRace = (over: Partial<ListedRace> = {}): ListedRace => ({
  sourceRaceId: randomUUID(),
  category: 'horse',
  venue: 'Flemington',
  country: 'AU',
  meetingDate: '2026-11-21',
  raceNumber: 1,
  startTime: '2026-11-21T03:00:00.000Z',
  raceName: null,
  distanceM: null,
  trackCondition: null,
  weather: null,
  ...over,
});

/** The listed race with the identity that it would get: a slug of the venue, card 1. */
export const placedRace = (over: Partial<ListedRace> = {}, raceId: string = randomUUID()): PlacedRace => {
  const listed = listedRace(over);
  const venueId = listed.venue.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const { meetingDate, category, raceNumber } = listed;
  return {
    raceId,
    identity: { meetingDate, category, venueId, raceNumber, card: 1 },
    venueCanonical: listed.venue,
    venueSite: venueId,
    listed,
  };
};

export const feedRunner = (number: number, over: Partial<FeedRunner> = {}): FeedRunner => ({
  ...NO_DETAILS,
  number,
  name: `Runner ${number}`,
  scratching: null,
  win: null,
  place: null,
  top2: null,
  top3: null,
  top4: null,
  ...over,
});

/** Runners numbered from 1, with these win prices. */
export const feedField = (...wins: (number | null)[]): FeedRunner[] => wins.map((win, i) => feedRunner(i + 1, { win }));

export const raceSnapshot = (over: Partial<RaceSnapshot> = {}): RaceSnapshot => ({
  sourceRaceId: 'source-race',
  startTime: null,
  facts: NO_FACTS,
  marketStatus: null,
  inPlay: null,
  runners: feedField(2.5, 4.2, 8),
  result: null,
  sourceUrl: null,
  ...over,
});

export const feedResult = (over: Partial<FeedResult> = {}): FeedResult => ({
  stage: 'interim',
  note: null,
  protest: false,
  placings: [1, 2, 3].map((number) => ({ position: number, number, name: `Runner ${number}` })),
  straight: [],
  exotics: [],
  multiRace: [],
  ...over,
});

/** One runner of a full field, which finished in the position of its number. */
export const resultRunner = (number: number, over: Partial<ResultRunner> = {}): ResultRunner => ({
  number,
  name: `Runner ${number}`,
  box: null,
  position: number,
  status: 'ran',
  dead_heat: false,
  jockey: null,
  trainer: null,
  sp: null,
  sp_note: null,
  margin: null,
  time_s: null,
  abnormal: null,
  runner_ref: null,
  origin: 'operator',
  ...over,
});
