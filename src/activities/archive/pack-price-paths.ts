// Packs the price paths of past races once their ticks are gone, because their prices are fixed then: the oldest first,
// some thousand a pass.
import type { Instant } from '../../domain/race/race';
import { type ActivityDeps, instantNow } from '../deps';

export interface PackingDeps extends Pick<ActivityDeps, 'log' | 'now'> {
  readonly stores: Pick<ActivityDeps['stores'], 'retention'>;
}

const AT_ONCE = 500;
/** Tried in a pass of some minutes; a day has 320. */
const MOST = 4000;
/** What cannot be packed is tried again after it. Its passes try 672,000 races, so none waits behind such for ever. */
const AGAIN_MS = 7 * 24 * 3_600_000;
/** Failures in succession that end a pass: then it is not the races. */
const FAILURES = 20;
/** Races that a line of the log names. */
const NAMED = 20;

/** Of races that started before this. Resolves to the number of packed ones; `alive` is called after each. */
export async function packPricePaths(
  { stores: { retention }, log, ...deps }: PackingDeps,
  before: Instant,
  alive: () => void,
): Promise<number> {
  const differing: string[] = [];
  let [tried, packed, failures] = [0, 0, 0];
  const since = new Date(deps.now() - AGAIN_MS).toISOString();
  const pack = async (raceId: string): Promise<void> => {
    tried += 1;
    try {
      const done = await retention.pack(raceId, instantNow(deps));
      failures = 0;
      if (done === 'packed') packed += 1;
      if (done === 'differs') differing.push(raceId);
    } catch (err) {
      failures += 1;
      log.warn({ err, raceId }, 'the price paths of a race were not packed');
    }
  };
  let races = await retention.toPack(before, since, null, AT_ONCE);
  while (races.length > 0 && tried < MOST && failures < FAILURES) {
    for (const { raceId } of races) {
      await pack(raceId);
      alive();
      if (failures >= FAILURES) break;
    }
    races = await retention.toPack(before, since, races.at(-1)!, AT_ONCE);
  }
  if (differing.length > 0)
    log.error(
      { races: differing.length, raceIds: differing.slice(0, NAMED) },
      'the price paths of races cannot be packed: their rows stay',
    );
  return packed;
}
