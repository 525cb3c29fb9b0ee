// Replies of Topaz, composed by hand from the documented names; none is a recording.
import type { TopazMeeting, TopazRace, TopazResults, TopazRun } from '../../../src/feeds/topaz/payload';

export const KEY = '900012680';

export const meetingRow = (change: Partial<TopazMeeting> = {}): TopazMeeting => ({
  meetingId: 900012680,
  meetingDate: '2026-11-21T00:00:00.000Z',
  trackName: 'Meadows (MEP)',
  trackCode: 'MEP',
  owningAuthorityCode: 'VIC',
  meetingType: 'R',
  meetingCategory: 'Metro',
  isQuali: false,
  statusCode: null,
  ...change,
});

export const results = (races: readonly TopazRace[], change: Partial<TopazMeeting> = {}): TopazResults => ({
  ...meetingRow(change),
  races: [...races],
});

export const race = (runs: readonly TopazRun[], change: Partial<TopazRace> = {}): TopazRace => ({
  raceId: 972428497,
  raceNumber: 3,
  name: 'SHORTY DOGS STAKE',
  raceStart: '2026-11-21T09:12:00.000Z',
  distance: 525,
  isRaceResultEntered: true,
  runs: [...runs],
  ...change,
});

/** The dog with this rug, which finished in `place`, half a length behind the previous one. */
export const ran = (rug: number, place: number, change: Partial<TopazRun> = {}): TopazRun => ({
  runId: 500_000_000 + rug,
  dogId: 695144530 + rug,
  dogName: `DOG ${rug}`,
  rugNumber: rug,
  boxNumber: rug,
  startPrice: 2.4 + rug,
  place,
  unplaced: null,
  unplacedCode: null,
  abnormalResult: null,
  scratched: false,
  isLateScratching: false,
  resultTime: 30.1 + place / 100,
  resultMargin: place === 1 ? 0.035 : (place - 1) * 0.035,
  resultMarginLengths: place === 1 ? '0.50L' : `${((place - 1) / 2).toFixed(2)}L`,
  trainerName: `Trainer ${rug}`,
  weightInKg: 30 + rug / 10,
  firstSplitTime: 5 + place / 100,
  secondSplitTime: null,
  pir: `${place}${place}`,
  raceType: 'Grade 5',
  incomingGrade: '5',
  ...change,
});

const NO_RUN = {
  weightInKg: null,
  firstSplitTime: null,
  pir: null,
  raceType: null,
  incomingGrade: null,
  place: null,
  startPrice: 0,
  resultTime: null,
  resultMargin: null,
  resultMarginLengths: null,
} as const;

export const out = (rug: number, change: Partial<TopazRun> = {}): TopazRun =>
  ran(rug, 0, { ...NO_RUN, scratched: true, ...change });

export const reserve = (rug: number, change: Partial<TopazRun> = {}): TopazRun =>
  ran(rug, 0, { ...NO_RUN, boxNumber: null, ...change });

export const unplaced = (rug: number, reason: string, change: Partial<TopazRun> = {}): TopazRun =>
  ran(rug, 0, { ...NO_RUN, startPrice: 5, abnormalResult: reason, ...change });
