// Small readings of a race's story that several files need.
import type { Race } from '../race';
import type { Truth } from './truth';

/** The start first advertised, epoch ms; later ones are in the story. */
export function firstStartMs(race: Race): number {
  return race.story.advertised[0]!.startMs;
}

/** An instant that no clock here comes to: what happens then never happens. */
export const NEVER_MS = Date.UTC(9999, 0, 1);

/** Numbers of the runners that were in the race when it jumped, wherever they came. */
export function startersOf({ story }: Race): ReadonlySet<number> {
  return new Set([...story.settled, ...story.mishaps].map((row) => row.number));
}

/** Whether the runner at an index was in the race when it jumped. */
export function jumped(race: Race): (index: number) => boolean {
  const started = startersOf(race);
  return (index) => started.has(race.runners[index]!.number);
}

/** What the race's chances are worked out from. */
export function truthOf(race: Race): Truth {
  return { seed: race.seed, runners: race.runners, firstStartMs: firstStartMs(race) };
}
