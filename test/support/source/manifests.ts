// The objects of deploy/kubernetes, for tests that compare them with the code. It only reads files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { parse, parseAllDocuments } from 'yaml';

const DEPLOY = join(__dirname, '../../../deploy');
const FOLDER = join(DEPLOY, 'kubernetes');

export const deployed = (file: string) => parse(readFileSync(join(DEPLOY, file), 'utf8'));
export const kustomization = deployed('kubernetes/kustomization.yaml');
const yamlIn = (folder: string) =>
  readdirSync(join(FOLDER, folder)).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
export const files = [...yamlIn(''), ...yamlIn('workers').map((file) => `workers/${file}`)];
export const settingsText = readFileSync(join(FOLDER, 'settings.yaml'), 'utf8');

type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values: string[] }[];
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own, which `npm run manifests` checks.
type Manifest = any;

const objects: readonly Manifest[] = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS()),
);

export const ofKind = (kind: string): readonly Manifest[] => objects.filter((object) => object.kind === kind);
export const deployments = ofKind('Deployment');
/** The kinds that start pods. */
export const workloads = [...deployments, ...ofKind('Job')];
export const labelsOf = (workload: Manifest): Labels => workload.spec.template.metadata.labels;
export const componentOf = (workload: Manifest): string => labelsOf(workload)['app.kubernetes.io/component']!;
export const podOf = (workload: Manifest) => workload.spec.template.spec;
export const containerOf = (workload: Manifest) => podOf(workload).containers[0];
export const variablesOf = (workload: Manifest): Record<string, string> =>
  Object.fromEntries((containerOf(workload).env ?? []).map(({ name, value }: Labels) => [name, value]));

/** Throws for an operator that no manifest uses. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const inAll = matchExpressions.every(({ key, operator, values }) => {
    if (operator !== 'In') throw new Error(`${operator} is not read here`);
    return values.includes(labels[key] ?? '');
  });
  return inAll && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

export interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}

const isIn = (address: string, cidr: string): boolean => {
  const [range, bits] = ipaddr.parseCIDR(cidr);
  const parsed = ipaddr.parse(address);
  return parsed.kind() === range.kind() && parsed.match(range, bits);
};

export const blockHas = ({ cidr, except = [] }: Block, address: string): boolean =>
  isIn(address, cidr) && !except.some((each) => isIn(address, each));
