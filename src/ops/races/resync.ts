// After the database was restored from a backup: has every running race store its whole state again. Can be run again.
import { resyncRaces } from '../../activities/races/resync-races';
import type { Wiring } from '../../wiring/service';
import { Mistake } from '../command';
import { withTemporal } from '../temporal';

/** Returns one line for the operator. Throws a `Mistake` if a race could not be signalled. */
export async function resync(wiring: Wiring): Promise<string> {
  const { signalled, failed } = await withTemporal(wiring, (client) => resyncRaces({ client, log: wiring.log }));
  if (failed > 0) throw new Mistake(`${failed} races could not be signalled, ${signalled} were: run this again.`);
  return `running races that store their state again: ${signalled}; the next sweep starts what the database has as unfinished`;
}
