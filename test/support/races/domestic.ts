// The races of a simulated day in Australia and New Zealand. Every book quotes these; few quote the meetings abroad.
import type { Race } from '../../../src/simulator/world/race';
import { racesOf, type World } from '../../../src/simulator/world/world';

export const domesticRaces = (world: World, day: string): Race[] =>
  racesOf(world, day).filter(({ meeting }) => meeting.track.abroad === null);
