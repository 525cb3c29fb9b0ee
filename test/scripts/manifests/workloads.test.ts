// The workloads in a cluster, compared with the code: roles, ports, and that a drain, a rollout or a scaling leaves
// every queue served.
import { parse } from 'yaml';
import { ENDPOINTS } from '../../../src/api/operations';
import { loadConfig, WORKER_ROLES } from '../../../src/config';
import { sourceCode, sourceFiles } from '../../support/source/imports';
import {
  componentOf,
  containerOf,
  deployed,
  deployments,
  files,
  kustomization,
  labelsOf,
  ofKind,
  podOf,
  selects,
  settingsText,
  variablesOf,
  workloads,
} from '../../support/source/manifests';

const config = loadConfig({});
const scalers = ofKind('HorizontalPodAutoscaler');
const budgets = ofKind('PodDisruptionBudget');
const [ingress] = ofKind('Ingress');

const scalerOf = (name: string) => scalers.find(({ spec }) => spec.scaleTargetRef.name === name);
const rolesOf = (workload: (typeof workloads)[number]) => {
  const { WORKER_ROLES: roles } = variablesOf(workload);
  return roles === undefined ? [] : loadConfig({ WORKER_ROLES: roles }).worker.roles;
};

test('every worker role is served', () => {
  expect([...new Set(deployments.flatMap(rolesOf))].toSorted()).toEqual(WORKER_ROLES.toSorted());
});

test.each(deployments.map((each) => [each.metadata.name, each] as const))(
  '%s has at least two pods, and a drain takes one at a time',
  (name, { spec }) => {
    const scaler = scalerOf(name);
    // Both would change the number in turn.
    expect([spec.replicas, scaler?.spec.minReplicas].filter((count) => count !== undefined)).toHaveLength(1);
    const pods = spec.replicas ?? scaler.spec.minReplicas;
    expect(pods).toBeGreaterThanOrEqual(2);
    const own = budgets.filter((budget) => selects(budget.spec.selector, spec.template.metadata.labels));
    expect(own.map((budget) => budget.spec)).toEqual([
      { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: spec.selector },
    ]);
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(selects(spec.selector, spec.template.metadata.labels)).toBe(true);
  },
);

test('every budget and every scaler has its Deployment', () => {
  const labels = workloads.map(labelsOf);
  const idle = budgets.filter(({ spec }) => !labels.some((each) => selects(spec.selector, each)));
  expect(idle).toEqual([]);
  const names = deployments.map(({ metadata }) => metadata.name);
  for (const { spec } of scalers) expect(names).toContain(spec.scaleTargetRef.name);
});

test('poll workers are scaled by metrics that the adapter derives from ours, and leave room for one pod’s races', () => {
  const { metrics, minReplicas, behavior } = scalerOf('racing-odds-worker-poll').spec;
  const rules = deployed('prometheus-adapter/values.yaml').rules.custom;
  const series = rules.map(({ seriesQuery }: { seriesQuery: string }) => /^\w+/.exec(seriesQuery)![0]);
  const served = rules.map(({ name }: { name?: { as: string } }, at: number) => name?.as ?? series[at]);
  const wanted = metrics.map(({ pods }: { pods: { metric: { name: string } } }) => pods.metric.name);
  expect(served.toSorted()).toEqual(wanted.toSorted());
  const names = series.filter((name: string) => !name.startsWith('temporal_'));
  const code = sourceFiles().map(sourceCode).join('\n');
  for (const name of names) expect(code).toContain(`'${name.replaceAll('_', '.')}'`);
  const most = (config.worker.slots.live * (minReplicas - 1)) / minReplicas;
  expect(Number(metrics[0].pods.target.averageValue)).toBeLessThanOrEqual(most);
  expect(behavior.scaleDown).toMatchObject({ stabilizationWindowSeconds: 3600, policies: [{ value: 1 }] });
});

test('every pod is equally restricted, and has limits', () => {
  for (const workload of workloads) {
    expect(podOf(workload)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(podOf(workload).containers).toHaveLength(1);
    expect(containerOf(workload)).toMatchObject({
      image: containerOf(workloads[0]).image,
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: {
        requests: { cpu: expect.anything(), memory: expect.anything() },
        limits: { memory: expect.anything() },
      },
    });
  }
});

test('the needs of live races come first where nodes are full', () => {
  const [priority] = ofKind('PriorityClass');
  const isFirst = (workload: (typeof workloads)[number]) =>
    componentOf(workload) === 'api' || rolesOf(workload).some((role) => role === 'poll' || role === 'workflows');
  for (const workload of workloads)
    expect(podOf(workload).priorityClassName).toBe(isFirst(workload) ? priority.metadata.name : undefined);
});

test('a pod has time to end, and its operators’ port is the one that is probed and scraped', () => {
  for (const workload of deployments) {
    const { API_STOP_DELAY_SECONDS: delay = '0' } = variablesOf(workload);
    expect(podOf(workload).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(40 + Number(delay));
    const ours = componentOf(workload) === 'api' ? config.telemetry.apiMetricsPort : config.worker.healthPort;
    const { ports, readinessProbe, livenessProbe } = containerOf(workload);
    expect(ports).toContainEqual({ name: 'metrics', containerPort: ours });
    for (const probe of [readinessProbe, livenessProbe]) expect(probe.httpGet.port).toBe('metrics');
    expect(workload.spec.template.metadata.annotations['prometheus.io/port']).toBe(String(ours));
  }
});

test('the Ingress leads to the API under the name of BASE_URL, and allows everything that the API accepts', () => {
  const [host] = ingress.spec.tls[0].hosts;
  expect(settingsText).toContain(`BASE_URL: https://${host}\n`);
  expect(ingress.spec.rules.map((rule: { host: string }) => rule.host)).toEqual([host]);
  const [{ backend }] = ingress.spec.rules[0].http.paths;
  const [service] = ofKind('Service');
  expect(backend.service).toEqual({ name: service.metadata.name, port: { name: service.spec.ports[0].name } });
  const annotation = (name: string): string => ingress.metadata.annotations[`nginx.ingress.kubernetes.io/${name}`];
  const most = Math.max(...ENDPOINTS.map(({ bodyBytes = 0 }) => bodyBytes));
  expect(Number.parseInt(annotation('proxy-body-size'), 10) * 2 ** 20).toBeGreaterThan(most);
  expect(annotation('proxy-buffering')).toBe('off');
});

test('the kustomizations include every file, and set the image of all pods', () => {
  const { resources: ofWorkers } = deployed('kubernetes/workers/kustomization.yaml');
  const taken = kustomization.resources.flatMap((each: string) =>
    each === 'workers' ? ofWorkers.map((file: string) => `workers/${file}`) : each,
  );
  expect(taken.toSorted()).toEqual(files.toSorted());
  const [image] = kustomization.images;
  expect(containerOf(workloads[0]).image).toBe(`${image.name}:${image.newTag}`);
});

test('the name of a build is the same in its four places, and every worker of it has it', () => {
  const { nameSuffix, images, labels, patches, resources } = deployed('kubernetes/build/kustomization.yaml');
  const [{ value, path }] = parse(patches[0].patch);
  const names = [nameSuffix.slice(1), images[0].newTag, labels[0].pairs['app.kubernetes.io/version'], value.value];
  expect(new Set(names).size).toBe(1);
  expect([value.name, path]).toEqual(['WORKER_BUILD_ID', '/spec/template/spec/containers/0/env/-']);
  expect(labels[0].includeSelectors).toBe(true);
  expect(patches[0].target).toEqual({ kind: 'Deployment' });
  expect(resources).toEqual(['../workers']);
});

test('Argo CD applies the settings, then migrates, then replaces the pods', () => {
  const wave = ({ metadata }: (typeof workloads)[number]) =>
    Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  const [[settings], [job]] = [ofKind('ConfigMap'), ofKind('Job')];
  expect([wave(settings), wave(job), ...deployments.map(wave)]).toEqual([-2, -1, ...deployments.map(() => 0)]);
  expect(job.metadata.annotations['argocd.argoproj.io/hook']).toBe('Sync');
  expect(job.spec.ttlSecondsAfterFinished).toBe(3600);
});

test('the configuration of a Temporal server in production is the laptop’s without debugging', () => {
  const { 'system.forceSearchAttributesCacheRefreshOnRead': _debugs, ...rest } = deployed('temporal/laptop.yaml');
  expect(deployed('temporal/server.yaml')).toEqual(rest);
  expect(Object.keys(rest).filter((name) => !name.startsWith('matching.'))).toEqual([]);
});
