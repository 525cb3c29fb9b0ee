// Builds deploy/kubernetes as `kubectl apply -k` does; it asks no cluster. Without kubectl nothing is built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { run } from '../process/run.mjs';

/** Resolves to a line about the kustomization: `passed` is null where it was not built. */
export async function checkKustomization(root, { signal, logs }) {
  const kubectl = onPath('kubectl');
  if (kubectl === null) return { passed: null, line: 'kustomization.yaml was not built: there is no kubectl here.' };
  const log = join(logs, 'kustomize.log');
  const args = ['kustomize', join(root, 'deploy/kubernetes')];
  try {
    await run(kubectl, args, { signal, log, what: 'kubectl kustomize' });
  } catch (error) {
    signal.throwIfAborted();
    return { passed: false, line: error.message };
  }
  const objects = readFileSync(log, 'utf8').match(/^kind: /gm)?.length ?? 0;
  return { passed: objects > 0, line: `kustomization.yaml: ${objects} objects, by kubectl` };
}
