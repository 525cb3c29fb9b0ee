// Sport keys of races (D31): what a race's category is called where sports are named.
import type { Category } from './race';

export const RACING_SPORTS = [
  'racing_horse',
  'racing_harness',
  'racing_greyhound',
] as const satisfies readonly `racing_${Category}`[];
export type RacingSport = (typeof RACING_SPORTS)[number];

export const categoryOf = (sport: RacingSport): Category => sport.slice('racing_'.length) as Category;
