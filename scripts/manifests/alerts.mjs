// Checks that deploy/prometheus/alerts.yaml is what the tables in scripts/alerts generate, and that each outage there
// fires the right alerts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outageTests } from '../alerts/outage-tests.mjs';
import { OUTAGES } from '../alerts/outages.mjs';
import { RULES, renderAlerts } from '../alerts/render.mjs';
import { createProgress } from '../command/progress.mjs';
import { ensurePrometheus } from '../install/prometheus.mjs';
import { run } from '../process/run.mjs';

const fileOf = (root) => join(root, 'deploy/prometheus/alerts.yaml');

export function writeAlerts(root) {
  writeFileSync(fileOf(root), renderAlerts());
  return `${RULES.length} alerts were written.`;
}

/** `passed` null: the rules were not tried, because there is no promtool here. */
export async function checkAlerts(root, { signal, logs }) {
  if (readFileSync(fileOf(root), 'utf8') !== renderAlerts())
    return { passed: false, line: 'alerts.yaml is not what scripts/alerts makes: npm run manifests -- --alerts' };
  const folder = await ensurePrometheus({ progress: createProgress(), signal, logs }).catch((error) => {
    signal.throwIfAborted();
    console.log(error.message);
    return null;
  });
  if (folder === null) return { passed: null, line: 'alerts: promtool is not here, and no outage was tried' };
  return tryOutages(join(folder, 'promtool'), logs, signal);
}

async function tryOutages(promtool, logs, signal) {
  const place = join(logs, 'alerts');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'alerts.yaml'), renderAlerts());
  writeFileSync(join(place, 'outages.json'), JSON.stringify(outageTests('alerts.yaml')));
  const log = join(logs, 'promtool.log');
  return run(promtool, ['test', 'rules', 'outages.json'], { cwd: place, signal, log }).then(
    () => ({
      passed: true,
      line: `${OUTAGES.length} outages, ${RULES.length} alerts: each outage fires its own and no other`,
    }),
    () => {
      signal.throwIfAborted();
      return { passed: false, line: readFileSync(log, 'utf8') };
    },
  );
}
