// Three past days of a simulated service: some races of each are polled, resulted and archived by the ordinary code, as
// of the instants at which that happens in a live one. Only the simulator can answer for the past, so nothing is read
// from any other source.
import { type Client, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Day } from '../../domain/race/race';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import { readArchiveDays } from '../../store/reads/archive/coverage';
import type { Wiring } from '../../wiring/service';
import { kept, Mistake } from '../command';
import { withTemporal } from '../temporal';
import type { SimulatedPastRace } from './past-race';
import { seedDay } from './seeded-day';

const MOST_DAYS = '3';

/**
 * Returns one line for the operator, `kept: …` if every day was there; `note: …` if a day is still not in the archive.
 * Rejects if a list could not be read, once the other days are done. Skips archived days, and races that the service
 * has followed. Each day is there whole or not at all.
 */
export async function pastDays(wiring: Wiring, count = MOST_DAYS): Promise<string> {
  if (!/^[1-3]$/.test(count)) throw new Mistake(`--days is '${count}': give 1, 2 or 3.`);
  const today = aetDay(wiring.now());
  const wanted = Array.from({ length: Number(count) }, (_, i) => ({ back: i + 1, day: addDays(today, -i - 1) }));
  const allDays = wanted.map(({ day }) => day);
  const before = await archivedDays(wiring, allDays);
  const seeded = await seedDays(
    wiring,
    wanted.filter(({ day }) => !before.has(day)),
  );
  const after = await archivedDays(wiring, allDays);
  const missing = allDays.filter((day) => !after.has(day));
  if (missing.length > 0) return `note: not all races of ${missing.join(', ')} are in the archive`;
  return seeded.length === 0 ? kept('the past days have their races') : report(seeded);
}

type SeededDay = readonly SimulatedPastRace[];

/** One after another, because a live service runs beside it. Resolves to the incomplete ones. */
async function seedDays(
  wiring: Wiring,
  days: readonly { readonly day: Day; readonly back: number }[],
): Promise<readonly SeededDay[]> {
  if (days.length === 0) return [];
  return withTemporal(wiring, async (client) => {
    const ends: PromiseSettledResult<SeededDay>[] = [];
    for (const { day, back } of days) ends.push(...(await Promise.allSettled([seedDay(wiring, client, day, back)])));
    const seeded = ends.flatMap((end) => (end.status === 'fulfilled' && end.value.length > 0 ? [end.value] : []));
    if (seeded.length > 0) await followUp(client);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return seeded;
  });
}

/**
 * Derives at once from archived races what a running service derives once an hour. Before its first worker there are no
 * schedules, which then run at once.
 */
async function followUp({ schedule }: Client): Promise<void> {
  for (const name of ['bulk-files', 'fill-runs'])
    await schedule
      .getHandle(name)
      .trigger(ScheduleOverlapPolicy.BUFFER_ONE)
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      });
}

function report(seeded: readonly SeededDay[]): string {
  const races = seeded.flat();
  const sum = (of: (race: SimulatedPastRace) => number): number => races.reduce((all, race) => all + of(race), 0);
  return `${races.length} races of ${seeded.length} days archived, ${sum(({ polls }) => polls)} polls, ${sum(({ ticks }) => ticks)} ticks`;
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
