// Three past days of a simulated service: some races of each are polled, resulted and archived by the ordinary code, as of the instants at which
// that happens in a live one. Only the simulator can answer for the past, so nothing is read from any other source.
import { archiveRace } from '../../activities/archive/archive-race';
import { createResultsCollector } from '../../activities/full-field/collector';
import type { Day } from '../../domain/race/race';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import { readArchiveDays } from '../../store/reads/archive/coverage';
import { collectDeps, pastRegistries, type Wiring } from '../../wiring';
import { Mistake } from '../command';
import { withTemporal } from '../temporal';
import type { PastRace } from './past-race';
import { seedDay } from './seeded-day';

const MOST_DAYS = '3';

/** Returns one line for the operator. Leaves alone days that are archived, and races that the service has followed. */
export async function pastDays(wiring: Wiring, count = MOST_DAYS): Promise<string> {
  if (!/^[1-3]$/.test(count)) throw new Mistake(`--days is '${count}': give 1, 2 or 3.`);
  const today = aetDay(wiring.now());
  const wanted = Array.from({ length: Number(count) }, (_, i) => ({ back: i + 1, day: addDays(today, -i - 1) }));
  const archived = await archivedDays(
    wiring,
    wanted.map(({ day }) => day),
  );
  const days = wanted.filter(({ day }) => !archived.has(day));
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

/** The days whose races are all archived. A simulator that has just started takes long to list a day. */
async function archivedDays({ pool }: Wiring, days: readonly Day[]): Promise<ReadonlySet<Day>> {
  const bounds = days.map((day) => {
    const { startMs, endMs } = aetDayBounds(day);
    return { day, since: new Date(startMs).toISOString(), until: new Date(endMs).toISOString() };
  });
  const found = await readArchiveDays(pool, bounds);
  return new Set(found.filter(({ run, archived }) => run > 0 && archived === run).map(({ day }) => day));
}

/** What the registries have published of these days since. */
const fillFields = (wiring: Wiring, days: readonly Day[]): Promise<void> =>
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
