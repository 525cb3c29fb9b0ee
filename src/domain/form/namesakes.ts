// How many animals are certainly among runs of one name: horses born in different countries, dogs with different ids of
// one registry (B 4.8). One may still be several.
import { birthplace } from './birthplace';
import type { StoredRun } from './stored-run';

export function animalsAmong(runs: readonly Pick<StoredRun, 'category' | 'name' | 'runner_ref'>[]): number {
  const born = new Set(runs.flatMap(({ category, name }) => (category === 'horse' ? (birthplace(name) ?? []) : [])));
  const idsOf = new Map<string, Set<string>>();
  for (const { category, runner_ref: ref } of runs) {
    if (category !== 'greyhound' || ref === null) continue;
    const registry = ref.slice(0, ref.indexOf(':'));
    idsOf.set(registry, (idsOf.get(registry) ?? new Set()).add(ref));
  }
  return Math.max(1, born.size, ...[...idsOf.values()].map((ids) => ids.size));
}
