// Who may reach whom in a cluster, read from the NetworkPolicies as a network does: traffic that no policy allows is
// refused.
import ipaddr from 'ipaddr.js';
import { mayBePosted } from '../../../src/webhooks/address/public-address';
import {
  type Block,
  blockHas,
  componentOf,
  containerOf,
  labelsOf,
  ofKind,
  selects,
  settingsText,
  workloads,
} from '../../support/source/manifests';

const policies = ofKind('NetworkPolicy');
const COMPONENTS = workloads.map(componentOf);
const policiesOf = (component: string) => {
  const labels = labelsOf(workloads.find((each) => componentOf(each) === component)!);
  return policies.filter(({ spec }) => selects(spec.podSelector, labels));
};

interface Peer {
  readonly ipBlock?: Block;
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}
interface Rule {
  readonly to?: readonly Peer[];
  readonly from?: readonly Peer[];
  readonly ports: readonly { readonly port: number; readonly protocol: string }[];
}
const egressOf = (component: string): readonly Rule[] => policiesOf(component).flatMap(({ spec }) => spec.egress ?? []);
const ingressOf = (component: string): readonly Rule[] =>
  policiesOf(component).flatMap(({ spec }) => spec.ingress ?? []);

/** To an address outside the cluster. A rule without `to` applies to every address. */
const mayReach = (component: string, address: string, port: number): boolean =>
  egressOf(component).some(
    ({ to, ports }) =>
      ports.some((each) => each.port === port) &&
      (to === undefined || to.some(({ ipBlock }) => ipBlock !== undefined && blockHas(ipBlock, address))),
  );

/** `namespace:port`, in order. */
const namespaces = (rules: readonly Rule[]): string[] =>
  rules
    .flatMap(({ to, from, ports }) =>
      (to ?? from ?? []).flatMap(({ namespaceSelector }) =>
        namespaceSelector === undefined
          ? []
          : ports.map(({ port, protocol }) => {
              const name = namespaceSelector.matchLabels['kubernetes.io/metadata.name'];
              return `${name}:${port}${protocol === 'UDP' ? '/udp' : ''}`;
            }),
      ),
    )
    .toSorted();

const PUBLIC = ['1.1.1.1', '11.0.0.1', '172.32.0.1', '192.167.255.255', '223.255.255.255', '2606:4700::1111'];
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
];
const LOCAL = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '127.0.0.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  'fe80::1',
  'fc00::1',
];

test('one policy denies everything to every pod, and each other policy selects existing pods', () => {
  const [deny] = policies.filter(({ spec }) => !spec.ingress && !spec.egress);
  expect(deny.spec.policyTypes).toEqual(['Ingress', 'Egress']);
  for (const workload of workloads) expect(selects(deny.spec.podSelector, labelsOf(workload))).toBe(true);
  for (const { spec } of policies) {
    const { matchLabels, matchExpressions = [] } = spec.podSelector;
    expect(matchLabels['app.kubernetes.io/part-of']).toBe('racing-odds');
    const named = [
      ...[matchLabels['app.kubernetes.io/component']].filter(Boolean),
      ...matchExpressions.flatMap(({ values }: { values: string[] }) => values),
    ];
    expect(named.filter((component) => !COMPONENTS.includes(component))).toEqual([]);
    expect(spec.policyTypes).toEqual(
      spec === deny.spec ? ['Ingress', 'Egress'] : [spec.ingress ? 'Ingress' : 'Egress'],
    );
  }
});

test('customers reach the API through the ingress controller, Prometheus the ports for operators, and nothing else reaches a pod', () => {
  for (const workload of workloads) {
    const component = componentOf(workload);
    const ports: { name: string; containerPort: number }[] = containerOf(workload).ports ?? [];
    const of = ({ name, containerPort }: (typeof ports)[number]) =>
      `${name === 'http' ? 'ingress-nginx' : 'monitoring'}:${containerPort}`;
    expect(namespaces(ingressOf(component))).toEqual(ports.map(of).toSorted());
    for (const { from } of ingressOf(component)) for (const peer of from!) expect(peer.namespaceSelector).toBeDefined();
  }
});

test('every rule is of a kind that this test reads: addresses or a namespace, one port at a time', () => {
  const rules = policies.flatMap(({ spec }): Rule[] => [...(spec.ingress ?? []), ...(spec.egress ?? [])]);
  for (const { to, from, ports } of rules) {
    for (const { ipBlock, namespaceSelector } of to ?? from ?? []) expect(ipBlock ?? namespaceSelector).toBeDefined();
    for (const port of ports) expect(Object.keys(port)).toEqual(['protocol', 'port']);
  }
  const toAll = policies.filter(({ spec }) => spec.egress?.some(({ to }: Rule) => to === undefined));
  expect(toAll.map(({ metadata }) => metadata.name)).toEqual(['racing-odds-api-to-mail']);
});

const SERVERS = ['kube-system:53', 'kube-system:53/udp', 'temporal:7233'];

test.each([
  // In the cluster; to the internet; Redis; mail.
  ['api', SERVERS, true, true, true],
  ['worker-workflows', SERVERS, false, true, false],
  ['worker-poll', SERVERS, true, true, false],
  ['worker-io', ['ingress-nginx:443', ...SERVERS], true, true, false],
  ['worker-forms', SERVERS, true, true, false],
  ['worker-webhooks', SERVERS, true, true, false],
  ['migrate', SERVERS.slice(0, 2), false, false, false],
])('%s reaches what its code needs', (component, inCluster, internet, redis, mail) => {
  expect(namespaces(egressOf(component))).toEqual(inCluster);
  expect(PUBLIC.map((address) => mayReach(component, address, 443))).toEqual(PUBLIC.map(() => internet));
  expect([5432, 6432].map((port) => mayReach(component, '10.0.0.1', port))).toEqual([true, true]);
  expect(mayReach(component, '10.0.0.1', 6379)).toBe(redis);
  expect([587, 465].map((port) => mayReach(component, '1.1.1.1', port))).toEqual([mail, mail]);
  for (const port of [22, 80, 8080, 8081, 8082]) expect(mayReach(component, '1.1.1.1', port)).toBe(false);
});

test('every component has its line above', () => {
  expect(COMPONENTS.toSorted()).toEqual(
    ['api', 'migrate', ...['forms', 'io', 'poll', 'webhooks', 'workflows'].map((role) => `worker-${role}`)].toSorted(),
  );
});

test('the servers that the settings name are allowed', () => {
  const [, namespace, port] = /TEMPORAL_ADDRESS: [\w-]+\.([\w-]+)\.svc:(\d+)/.exec(settingsText)!;
  expect(SERVERS).toContain(`${namespace}:${port}`);
  const redis = /REDIS_URL='rediss:\S+:(\d+)'/.exec(settingsText)![1];
  expect(mayReach('api', '10.0.0.1', Number(redis))).toBe(true);
});

test.each(COMPONENTS)('%s reaches no metadata server and no private address over http or https', (component) => {
  for (const address of [...METADATA, ...LOCAL])
    for (const port of [80, 443])
      expect([address, port, mayReach(component, address, port)]).toEqual([address, port, false]);
});

type Ranges = Record<string, [ipaddr.IPv4 | ipaddr.IPv6, number] | [ipaddr.IPv4 | ipaddr.IPv6, number][]>;

/** First and last addresses of every range that is not public, and their neighbours. */
function edges(): string[] {
  const [v4, v6] = [ipaddr.parse('0.0.0.0'), ipaddr.parse('::')] as unknown as { SpecialRanges: Ranges }[];
  const ranges = [v4!, v6!].flatMap(({ SpecialRanges }) =>
    Object.values(SpecialRanges).flatMap((each) => (Array.isArray(each[0]) ? each : [each])),
  ) as [ipaddr.IPv4 | ipaddr.IPv6, number][];
  return ranges.flatMap(([start, bits]) => {
    const bytes = start.toByteArray();
    const width = BigInt(bytes.length * 8);
    const first = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    const last = first + (1n << (width - BigInt(bits))) - 1n;
    const inside = [first - 1n, first, last, last + 1n].filter((at) => at >= 0n && at < 1n << width);
    return inside.map((at) => {
      const digits = at.toString(16).padStart(bytes.length * 2, '0');
      return ipaddr.fromByteArray(digits.match(/../g)!.map((byte) => Number.parseInt(byte, 16))).toString();
    });
  });
}

test('webhooks reach no address that their own guard would refuse', () => {
  const all = edges();
  expect(all.length).toBeGreaterThan(80);
  const leaks = all.filter(
    (address) => mayReach('worker-webhooks', address, 443) && !mayBePosted(address, { allowLoopback: false }),
  );
  expect(leaks).toEqual([]);
});
