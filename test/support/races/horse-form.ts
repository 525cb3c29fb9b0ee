// A small valid form page; a test names only the values that it is about.
import type { FormRun, HorseForm } from '../../../src/domain/form/horse-form';

export const horseForm = (over: Partial<HorseForm> = {}): HorseForm => ({
  name: 'GOLD TRIP',
  runnerCode: '101',
  profile: {
    ...{ ageSex: '8yo Bay Horse', colours: null, dam: 'SEA TRIP', dob: '2018-09-01', lastGearChange: null },
    ...{ sire: 'GOLD SIRE', trainer: 'A. Trainer', trainerLocation: 'Flemington' },
  },
  career: { starts: 2, wins: 1, seconds: 0, thirds: 0, prizemoney: 1234.5, splits: {} },
  runs: [formRun()],
  ...over,
});

export const formRun = (over: Partial<FormRun> = {}): FormRun => ({
  ...{ date: '2026-11-01', track: 'FLEM', raceNumber: null, trial: false, position: 1, fieldSize: 9, distanceM: 1200 },
  ...{ going: 'Good', goingRating: 4, jockey: 'A. Rider', jockeyCode: '30417', meetCode: '77', weightKg: 57.5 },
  ...{ barrier: 3, sp: 4.5, prices: [5, 4.5], marginLengths: 1.25, inRunning: [{ atM: 800, position: 4 }] },
  placegetters: [{ name: 'Plain Sailing', position: 2, code: '102', weightKg: 56 }],
  ...{ prizeTotal: 100_000, prizeWon: 55_000, raceClass: 'BM78', resultRaw: '1st of 9', sectionalDistanceM: 600 },
  ...{ sectionalTimeS: 34.5, timeS: 70.5 },
  ...over,
});
