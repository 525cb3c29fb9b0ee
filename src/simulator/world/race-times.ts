// Small readings of a race's story that several files need.
import type { Race } from './race';
import type { Truth } from './truth';

/** The start first advertised, epoch ms; later ones are in the story. */
export function firstStartMs(race: Race): number {
  return race.story.advertised[0]!.startMs;
}

/** Whether the runner at an index was in the race when it jumped. */
export function jumped(race: Race): (index: number) => boolean {
  const placed = new Set(race.story.settled.map((placing) => placing.number));
  return (index) => placed.has(race.runners[index]!.number);
}

/** What the race's chances are worked out from. */
export function truthOf(race: Race): Truth {
  return { seed: race.seed, runners: race.runners, firstStartMs: firstStartMs(race) };
}
