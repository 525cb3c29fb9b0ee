// Builds the kustomizations of deploy/kubernetes as `kubectl apply -k` does, without contacting a cluster. Without
// kubectl nothing is built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { run } from '../process/run.mjs';

/** Each is applied as a unit. */
const KUSTOMIZATIONS = ['deploy/kubernetes', 'deploy/kubernetes/build'];

/** Resolves to a line about the kustomizations: `passed` is null if they were not built. */
export async function checkKustomizations(root, { signal, logs }) {
  const kubectl = onPath('kubectl');
  if (kubectl === null) return { passed: null, line: 'no kustomization was built: there is no kubectl here.' };
  const counts = [];
  for (const place of KUSTOMIZATIONS) {
    const log = join(logs, `kustomize-${counts.length}.log`);
    try {
      await run(kubectl, ['kustomize', join(root, place)], { signal, log, what: `kubectl kustomize ${place}` });
    } catch (error) {
      signal.throwIfAborted();
      return { passed: false, line: error.message };
    }
    counts.push(readFileSync(log, 'utf8').match(/^kind: /gm)?.length ?? 0);
  }
  const line = KUSTOMIZATIONS.map((place, n) => `${place}: ${counts[n]} objects`).join(', ');
  return { passed: counts.every((count) => count > 0), line: `${line}, by kubectl` };
}
