// The end of a seeded day: the registries' publications, changes by time alone, and its archive.
import type { Client } from '@temporalio/client';
import { archiveRace } from '../../activities/archive/archive-race';
import { createResultsCollector } from '../../activities/full-field/collector';
import type { Day } from '../../domain/race/race';
import { holdCounts } from '../../store/archive/hold-counts';
import { collectDeps } from '../../wiring/collecting';
import { pastRegistries } from '../../wiring/past';
import type { Wiring } from '../../wiring/service';
import type { SimulatedPastRace } from './past-race';

/** `wiring`: in the day's transaction. */
export async function archiveDay(
  wiring: Wiring,
  client: Client,
  day: Day,
  races: readonly SimulatedPastRace[],
): Promise<void> {
  await fillFields(wiring, client, day, races);
  for (const race of races) await close(wiring, race);
  const { stores, now, log, pool } = wiring;
  await holdCounts(pool);
  for (const { raceId } of races) await archiveRace({ stores, now, log }, raceId);
}

/** For these races only: other races of the day belong to a workflow. */
async function fillFields(
  wiring: Wiring,
  client: Client,
  day: Day,
  races: readonly SimulatedPastRace[],
): Promise<void> {
  const { resultsRegistries } = pastRegistries(wiring, wiring.now());
  const { published } = wiring.stores;
  const isOwn = ({ raceId }: { readonly raceId: string }): boolean => races.some((race) => race.raceId === raceId);
  const racesOn: typeof published.racesOn = async (...of) => (await published.racesOn(...of)).filter(isOwn);
  const own = { ...wiring, stores: { ...wiring.stores, published: { ...published, racesOn } } };
  await createResultsCollector({ ...collectDeps(own, client), resultsRegistries }).day(day);
}

async function close({ stores, now }: Wiring, race: SimulatedPastRace): Promise<void> {
  const published = await stores.published.race(race.raceId);
  await race.close(published?.fieldStatus === 'complete', now());
}
