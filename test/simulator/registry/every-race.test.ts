// For every Australian horse or greyhound race that the books list, its registry eventually publishes a document:
// otherwise the service would wait for a field that never comes.

import { SIMULATED_TOPAZ_KEY } from '../../../src/config';
import { REGISTRY } from '../../../src/domain/registry/registry';
import { type FieldSource, fieldSource } from '../../../src/domain/results/field-coverage';
import { addDays } from '../../../src/domain/time/aet';
import { createRacingAustraliaResults } from '../../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import type { ResultsRegistry } from '../../../src/feeds/results-registry';
import { createTopaz } from '../../../src/feeds/topaz/fetch';
import { createSimulator } from '../../../src/simulator/http/server';
import { TOPAZ } from '../../../src/simulator/topaz/topaz';
import type { Race } from '../../../src/simulator/world/race';
import { firstStartMs } from '../../../src/simulator/world/story/race-times';
import { racesOf } from '../../../src/simulator/world/world';
import { valueIn } from '../../feeds/results-registry';
import { PATIENT_MS } from '../../support/patient';

const HOUR_MS = 3_600_000;

const registriesAt = (url: string, now: () => number): Record<FieldSource, ResultsRegistry> => {
  const settings = { api_key: SIMULATED_TOPAZ_KEY };
  const endpoint = (book: string) => {
    return { baseUrl: `${url}/${book}`, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS, settings };
  };
  const site = createRegistrySite({ endpoint: endpoint(REGISTRY), now, wait: async () => undefined });
  return {
    racing_australia: createRacingAustraliaResults(site),
    topaz: createTopaz({ endpoint: endpoint(TOPAZ), now, spacingMs: 0 }),
  };
};

/** Every race of these days as the registry publishes it: its number and start, final or abandoned. */
async function published(registry: ResultsRegistry, from: string, to: string): Promise<string[]> {
  const lists = [];
  for (const region of registry.regions) lists.push(...valueIn(await registry.listings(region, from, to)));
  const races: string[] = [];
  for (const { key } of lists) {
    for (const { raceNumber, startTime, stage } of valueIn(await registry.meeting(key)).races)
      races.push(`${startTime} ${raceNumber} ${stage}`);
  }
  return races.sort();
}

const happened = (race: Race): string =>
  `${new Date(firstStartMs(race)).toISOString()} ${race.number} ${race.story.abandoned ? 'abandoned' : 'final'}`;

// On the last day of the second clocks go forward, except in Queensland and the west, and meetings are as short as
// possible.
test.each([
  ['a', 1, '2026-11-19', 4.5],
  ['racing', 2, '2026-10-03', 3],
])('seed %s, %i days from %s', async (seed, days, first, intervalMinutes) => {
  const last = addDays(first, days - 1);
  const nowMs = Date.parse(last) + 48 * HOUR_MS;
  const simulator = createSimulator({ seed, now: () => nowMs, intervalMinutes });
  const registries = registriesAt(await simulator.listen(0), () => nowMs);
  const races = Array.from({ length: days }, (_, i) => racesOf(simulator.world, addDays(first, i))).flat();
  for (const source of ['racing_australia', 'topaz'] as const) {
    const kept = races.filter(({ meeting: { track } }) => fieldSource(track.category, track.country) === source);
    expect(kept.length).toBeGreaterThan(75 * days);
    expect(await published(registries[source], first, last)).toEqual(kept.map(happened).sort());
  }
  await simulator.close();
});
