// Small queries of a race's story that several files need.
import type { Race } from '../race';
import type { Truth } from './truth';

/** The first advertised start, epoch ms; later ones are in the story. */
export function firstStartMs(race: Race): number {
  return race.story.advertised[0]!.startMs;
}

/** Later than any clock here: such an event never happens. */
export const NEVER_MS = Date.UTC(9999, 0, 1);

/** The numbers of the runners that jumped, wherever they finished. */
export function startersOf({ story }: Race): ReadonlySet<number> {
  return new Set([...story.settled, ...story.mishaps].map((row) => row.number));
}

/** Whether the runner at an index jumped. */
export function jumped(race: Race): (index: number) => boolean {
  const started = startersOf(race);
  return (index) => started.has(race.runners[index]!.number);
}

/** The input of the race's chances. */
export function truthOf(race: Race): Truth {
  return { seed: race.seed, runners: race.runners, firstStartMs: firstStartMs(race) };
}
