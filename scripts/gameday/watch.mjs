// Prometheus with the shipped rules, watching the service of a game day, and what it reports.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAlerts } from '../alerts/render.mjs';
import { Problem } from '../command/problem.mjs';
import { ensurePrometheus } from '../install/prometheus.mjs';
import { launch } from '../process/launch.mjs';
import { freePorts } from '../process/ports.mjs';
import { answersHttp, waitUntil } from '../process/wait-until.mjs';

/** Every duration of a rule is divided by this; the values that figures are compared with are not. */
export const FACTOR = 4;
const NOT_RUN = 3;

export async function startWatch({ ctx, targets, disk }) {
  const folder = await ensurePrometheus(ctx);
  if (folder === null) throw new Problem('There is no Prometheus here: nothing was run.', NOT_RUN);
  const place = join(ctx.instance.folder, 'prometheus');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'alerts.yaml'), renderAlerts(FACTOR));
  writeFileSync(join(place, 'prometheus.yaml'), JSON.stringify(configuration(targets, disk)));
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  await ctx.progress.step('Prometheus watches', async () => {
    const args = [
      `--config.file=${join(place, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(place, `data-${process.pid}`)}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const running = launch(ctx, { name: 'prometheus', command: join(folder, 'prometheus'), args, cwd: place });
    await waitUntil(() => answersHttp(`${url}/-/ready`), { process: running, signal: ctx.signal });
  });
  return { alerts: () => alerts(url) };
}

const configuration = (targets, disk) => ({
  global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
  rule_files: ['alerts.yaml'],
  scrape_configs: [
    ...targets.files.map(([job, file]) => ({
      job_name: job,
      file_sd_configs: [{ files: [file], refresh_interval: '5s' }],
    })),
    ...(disk?.exporter ? [ofDisk(disk)] : []),
  ],
});

/** Only the game day's own disk: how full this machine's disks are is not an outage of the game day. */
const ofDisk = ({ place, exporter }) => ({
  job_name: 'node',
  static_configs: [{ targets: [exporter] }],
  metric_relabel_configs: [{ source_labels: ['mountpoint'], regex: place, action: 'keep' }],
});

/** The labels of the firing alerts, and the names of the pages that fire or are about to. */
async function alerts(url) {
  const response = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(10_000) });
  const { data } = /** @type {any} */ (await response.json());
  const labelled = (state, severities) =>
    data.alerts
      .map((one) => ({ ...one.labels, state: one.state }))
      .filter((labels) => labels.state === state && severities.includes(labels.severity));
  const named = (state) => labelled(state, ['page']).map(({ alertname }) => alertname);
  return { firing: labelled('firing', ['page', 'ticket']), pages: named('firing'), pending: named('pending') };
}
