// Reads the registries now, for one race or a Sydney day, however late (A 3 "any fill"): fills fields also after the
// horizon, when no scheduled pass selects the race any more.
import { createResultsCollector } from '../../activities/full-field/collector';
import { isDay } from '../../domain/time/aet';
import { collectDeps } from '../../wiring/collecting';
import type { Wiring } from '../../wiring/service';
import { isUuid, Mistake, requireRace } from '../command';
import { withTemporal } from '../temporal';

/** Returns one line for the operator. Throws a `Mistake` if `what` is neither a race id nor a day. */
export async function collect(wiring: Wiring, what: string): Promise<string> {
  if (!isDay(what) && !isUuid(what)) throw new Mistake(`'${what}' is no race id and no day (YYYY-MM-DD).`);
  if (!isDay(what)) await requireRace(wiring, what);
  return withTemporal(wiring, async (client) => {
    const collector = createResultsCollector(collectDeps(wiring, client));
    const report = await (isDay(what) ? collector.day(what) : collector.race(what));
    const { documents, failed, filled, refused, abandoned } = report;
    const read = `${documents - failed} of ${documents} lists and documents read`;
    return `${what}: ${read}, fields filled: ${filled}, refused: ${refused}, races abandoned: ${abandoned}`;
  });
}
