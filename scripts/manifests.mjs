// `npm run manifests`: checks the files that an operator uses: docker-compose.yml with compose's own parser, and in
// deploy/ Kubernetes manifests by schema, by policy and with kubectl's kustomize, PromQL with a parser, and alerts
// against their runbook and outages. `-- --pin` instead writes the digest of every image of docker-compose.yml and the
// Dockerfile, and `-- --alerts` writes the file of the alerts.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { checkAlerts, writeAlerts } from './manifests/alerts.mjs';
import { checkManifests, NOT_RUN } from './manifests/check.mjs';
import { checkCompose } from './manifests/compose.mjs';
import { checkKustomizations } from './manifests/kustomize.mjs';
import { pinImages } from './manifests/pin.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const hub = {
  registry: 'https://registry-1.docker.io',
  auth: 'https://auth.docker.io/token?service=registry.docker.io',
};
const help = `npm run manifests -- [options]

  --pin     write the digest of every image, as its registry reports it now
  --alerts  write deploy/prometheus/alerts.yaml from the tables in scripts/alerts
  --help    this text

Exit codes: 0 in order · 1 a fault was found · 3 a tool or a registry is missing here, nothing was checked or written.`;

await runSession(async ({ signal }) => {
  const { pin, alerts, help: asksHelp } = optionsOf(process.argv.slice(2));
  if (asksHelp) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  if (pin) return pinned();
  if (alerts) return console.log(writeAlerts(root));
  const logs = join(root, '.local/manifests');
  mkdirSync(logs, { recursive: true });
  for (const check of [checkCompose, checkKustomizations, checkAlerts]) {
    const { passed, line } = await check(root, { signal, logs });
    console.log(line);
    if (passed === false) return 1;
  }
  return (await checkManifests(root, { signal, logs })) ? 0 : 1;
});

async function pinned() {
  const digests = await pinImages(root, hub).catch((error) => {
    throw new Problem(`No digest was written: ${error.cause?.message ?? error.message}`, NOT_RUN);
  });
  for (const [image, digest] of digests) console.log(`  ${image}@${digest}`);
}

function optionsOf(args) {
  try {
    return parseArgs({
      args,
      options: { pin: { type: 'boolean' }, alerts: { type: 'boolean' }, help: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}: see npm run manifests -- --help.`);
  }
}
