// When each registry publishes what of a race, and what is in it. The thoroughbred registry has an interim result some minutes after the
// books have paid and the final one the same evening; the greyhound registry has Victoria at once and the others the next morning.
import type { Race } from '../world/race';
import type { OfficialRunner } from './official-field';

/** `none`: nothing of the outcome is out yet. */
export type PublishedStage = 'none' | 'interim' | 'final' | 'abandoned';

/** What a registry's document says of one race at an instant. */
export interface PublishedRaceResult {
  readonly stage: PublishedStage;
  /** By number. Empty unless the stage is `interim` or `final`; a document can lack runners for a while. */
  readonly field: readonly OfficialRunner[];
  /** Why the race did not run (`Meeting abandoned`); null: it did, or nothing is known. */
  readonly note: string | null;
  /** When the document last changed (epoch ms); null while the stage is `none`. */
  readonly publishedMs: number | null;
}

/** Always `none` for a race that neither registry keeps (harness, New Zealand). */
export function publishedResult(_race: Race, _nowMs: number): PublishedRaceResult {
  return { stage: 'none', field: [], note: null, publishedMs: null };
}

export const publicationOf = (race: Race, nowMs: number): PublishedStage => publishedResult(race, nowMs).stage;
