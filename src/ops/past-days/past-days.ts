// Three past days of a simulated service: some races of each are polled, resulted and archived by the ordinary code, as of the instants at which
// that happens in a live one. Only the simulator can answer for the past, so nothing is read from any other source.
import { archiveRace } from '../../activities/archive/archive-race';
import { createResultsCollector } from '../../activities/full-field/collector';
import { addDays, aetDay } from '../../domain/time/aet';
import { collectDeps, pastRegistries, type Wiring } from '../../wiring';
import { Mistake } from '../command';
import { withTemporal } from '../temporal';
import type { PastRace } from './past-race';
import { seedDay } from './seeded-day';

const MOST_DAYS = '3';

/** Returns one line for the operator. Leaves alone what the service has followed, or an earlier run has written. */
export async function pastDays(wiring: Wiring, count = MOST_DAYS): Promise<string> {
  if (!/^[1-3]$/.test(count)) throw new Mistake(`--days is '${count}': give 1, 2 or 3.`);
  const today = aetDay(wiring.now());
  const days = Array.from({ length: Number(count) }, (_, i) => ({ back: i + 1, day: addDays(today, -i - 1) }));
  const seeded = await Promise.all(
    days.map(async ({ day, back }) => ({ day, races: await seedDay(wiring, day, back) })),
  );
  const races = seeded.flatMap((one) => one.races);
  if (races.length === 0) return 'the past days have their races';
  await fillFields(
    wiring,
    seeded.flatMap(({ day, races: own }) => (own.length > 0 ? [day] : [])),
  );
  await Promise.all(races.map((race) => end(wiring, race)));
  const sum = (of: (race: PastRace) => number): number => races.reduce((all, race) => all + of(race), 0);
  return `${races.length} races of ${days.length} days archived, ${sum(({ polls }) => polls)} polls, ${sum(({ ticks }) => ticks)} ticks`;
}

/** What the registries have published of these days since. */
const fillFields = (wiring: Wiring, days: readonly string[]): Promise<void> =>
  withTemporal(wiring, async (client) => {
    const { resultsRegistries } = pastRegistries(wiring, wiring.now());
    const collector = createResultsCollector({ ...collectDeps(wiring, client), resultsRegistries });
    for (const day of days) await collector.day(day);
  });

async function end(wiring: Wiring, race: PastRace): Promise<void> {
  const { stores, now, log } = wiring;
  const published = await stores.published.race(race.raceId);
  await race.close(published?.fieldStatus === 'complete', now());
  await archiveRace({ stores, now, log }, race.raceId);
}
