// Packs the price paths of past races once their ticks are gone, because their prices are fixed then: the oldest first,
// some thousand a pass.
import type { Instant } from '../../domain/race/race';
import { type ActivityDeps, instantNow } from '../deps';

export interface PackingDeps extends Pick<ActivityDeps, 'log' | 'now'> {
  readonly stores: Pick<ActivityDeps['stores'], 'retention'>;
}

const AT_ONCE = 500;
/** A pass of some minutes; a day has 320. */
const MOST = 4000;

/** Of races that started before this. Resolves to the number of packed ones; `alive` is called after each. */
export async function packPricePaths(
  { stores, log, ...deps }: PackingDeps,
  before: Instant,
  alive: () => void,
): Promise<number> {
  const { retention } = stores;
  let packed = 0;
  let races = await retention.toPack(before, null, AT_ONCE);
  while (races.length > 0 && packed < MOST) {
    for (const { raceId } of races) {
      const done = await retention.pack(raceId, instantNow(deps));
      if (done === 'packed') packed += 1;
      if (done === 'differs') log.error({ raceId }, 'the price paths of a race cannot be packed: its rows stay');
      alive();
    }
    races = await retention.toPack(before, races.at(-1)!, AT_ONCE);
  }
  return packed;
}
