// What names a race on every page.
import type { Category } from '../../domain/race/race';

export interface RaceTitle {
  readonly raceId: string;
  readonly category: Category;
  readonly country: string | null;
  readonly venue: string;
  readonly raceNumber: number;
  /** Advertised start; it can move. */
  readonly startMs: number;
}
