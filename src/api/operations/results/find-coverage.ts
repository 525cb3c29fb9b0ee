// How complete the results of the last Sydney days are: for the operation and for the public report.
import type { Static } from '@sinclair/typebox';
import { resultedByMs } from '../../../domain/results/expected-result';
import { addDays, aetDay } from '../../../domain/time/aet';
import type { Reads } from '../../../store/reads/reads';
import type { ResultsCoverage } from './coverage-schema';
import { presentResultsCoverage } from './present-coverage';

export async function resultsCoverageOf(
  reads: Pick<Reads, 'resultsCoverage'>,
  days: number,
  nowMs: number,
): Promise<Static<typeof ResultsCoverage>> {
  const to = aetDay(nowMs);
  const resultedBy = new Date(resultedByMs(nowMs)).toISOString();
  const window = { from: addDays(to, 1 - days), to, resultedBy };
  return presentResultsCoverage(await reads.resultsCoverage(window), window, days, new Date(nowMs).toISOString());
}
