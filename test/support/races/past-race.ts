// A race that has run, written by the real stores: its card, its result and, if a test provides one, the full field.
import type { Pool } from 'pg';
import type { FeedPlacing, FeedRunner, ListedRace } from '../../../src/domain/race/feed-race';
import type { ResultRunner } from '../../../src/domain/results/result';
import { aetDay } from '../../../src/domain/time/aet';
import { createStores } from '../../../src/store/create-stores';
import { addRace } from './board';
import { feedResult } from './builders';

export interface PastRace extends Partial<ListedRace> {
  readonly runners: readonly FeedRunner[];
  /** From first to last, by number; default: the first three unscratched runners of the card. */
  readonly placings?: readonly FeedPlacing[];
  readonly field?: readonly ResultRunner[];
  readonly interim?: true;
}

/** Returns its id. Every other instant follows from the advertised start. */
export async function addPastRace(
  pool: Pool,
  { runners, placings, field, interim, ...listed }: PastRace & { startTime: string },
): Promise<string> {
  const { results } = createStores(pool);
  const { startTime } = listed;
  const meetingDate = aetDay(Date.parse(startTime));
  const { raceId } = await addRace(pool, { meetingDate, ...listed }, { ladbrokes_au: { runners, at: startTime } });
  const placed = runners.filter(({ scratching, emergency }) => scratching === null && !emergency).slice(0, 3);
  const first = placed.map(({ number, name }, i) => ({ position: i + 1, number, name }));
  const at = new Date(Date.parse(startTime) + 240_000).toISOString();
  const result = feedResult({ placings: placings ?? first });
  await results.saveResult({ raceId, source: 'ladbrokes_au', result, at });
  if (!interim) await results.finalise(raceId, new Date(Date.parse(startTime) + 3_600_000).toISOString());
  if (field) await results.fillField(raceId, field, 'racing_australia', at);
  return raceId;
}
