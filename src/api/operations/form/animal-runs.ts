// Finds the stored runs of the animal that a customer names; an animal without one is a free 404 (B 4.6, B 4.7).
import { animalQuery } from '../../../domain/form/animal';
import type { RunCategory } from '../../../domain/form/stored-run';
import { AppError } from '../../../errors';
import type { Reads } from '../../../store/reads/reads';
import type { RunSpan } from '../../../store/reads/runs/animal-runs';
import type { FoundRuns } from './present-runs';

const NONE: Readonly<Record<RunCategory, string>> = {
  horse: 'No run of this horse is stored. Runs are stored within the hour after the full field of a race is published.',
  greyhound:
    'No run of this dog is stored. Runs are stored within the hour after the full field of a race is published.',
};

export async function findRuns(
  reads: Reads,
  category: RunCategory,
  name: string,
): Promise<{ readonly found: FoundRuns; readonly span: RunSpan }> {
  const query = animalQuery(name, category);
  const runs = query === null ? [] : await reads.animalRuns(category, query);
  if (runs.length === 0) throw new AppError('not_found', NONE[category]);
  return { found: runs as unknown as FoundRuns, span: await reads.runSpan(category) };
}
