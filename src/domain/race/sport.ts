// Sport keys of races (D31): the name of a race's category in lists of sports.
import type { Category } from './race';

export const RACING_SPORTS = [
  'racing_horse',
  'racing_harness',
  'racing_greyhound',
] as const satisfies readonly `racing_${Category}`[];
export type RacingSport = (typeof RACING_SPORTS)[number];

export const categoryOf = (sport: RacingSport): Category => sport.slice('racing_'.length) as Category;
