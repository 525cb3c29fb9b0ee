// A world as one book shows it, with its switches.
import { lensOf } from '../../../src/simulator/faults/lens';
import { createSwitches } from '../../../src/simulator/faults/switches';
import type { World } from '../../../src/simulator/world/world';

export function disturbed(world: World, nowMs: number, book = 'tab') {
  const switches = createSwitches();
  return {
    lens: lensOf(world, book, switches, () => nowMs),
    on: (scenario: string, where: { race?: string; venue?: string } = {}): void =>
      switches.on({ scenario, book, race: null, venue: null, fromMs: nowMs, untilMs: null, ...where }),
    off: (scenario: string): void => switches.off(scenario, null),
  };
}
