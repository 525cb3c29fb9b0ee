// Signed manifests: each is proven by a key that this mirror trusts before anything that it states is used.
import { createPublicKey, verify } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Schemas } from '../../../typescript/src/index.ts';
import { CommandError } from '../io/failure.ts';

export type SignedManifest = Schemas['BulkSignedManifest'];
type Key = Schemas['BulkKeys']['keys'][number];

/** Outside of the folders that a reader of rows looks into. */
const OWN = '.odds';

/** The trusted keys, by their ids. Null: this mirror has none yet. */
export async function trustedKeys(dest: string): Promise<readonly Key[] | null> {
  return (await jsonIn<{ keys: Key[] }>(join(dest, OWN, 'keys.json')))?.keys ?? null;
}

export const saveKeys = (dest: string, keys: readonly Key[]): Promise<void> =>
  saveJson(join(dest, OWN, 'keys.json'), { keys });

const manifestPath = (dest: string, dataset: string, period: string): string =>
  join(dest, OWN, 'manifests', dataset, `${period}.json`);

export const storedManifest = (dest: string, dataset: string, period: string): Promise<SignedManifest | null> =>
  jsonIn<SignedManifest>(manifestPath(dest, dataset, period));

export const saveManifest = (dest: string, signed: SignedManifest): Promise<void> =>
  saveJson(manifestPath(dest, signed.manifest.dataset, signed.manifest.period), signed);

/** Throws unless one of the keys has signed it, and it is about this version of this period. */
export function proveManifest(
  { manifest, signature }: SignedManifest,
  wanted: { readonly dataset: string; readonly period: string; readonly version: number },
  keys: readonly Key[],
): void {
  const name = `The manifest of ${wanted.dataset} ${wanted.period}`;
  const key = keys.find(({ kid }) => kid === signature.key_id);
  if (!key)
    throw new CommandError(
      `${name} is refused: this mirror does not trust the key ${signature.key_id}. If the service has announced it, add --trust-new-keys.`,
    );
  const { kty, crv, x } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  if (!verify(null, Buffer.from(canonicalText(manifest)), publicKey, Buffer.from(signature.value, 'base64')))
    throw new CommandError(`${name} is refused: its signature is not of the key ${signature.key_id}.`);
  for (const member of ['dataset', 'period', 'version'] as const)
    if (manifest[member] !== wanted[member])
      throw new CommandError(`${name} is refused: it is of ${member} ${manifest[member]}, not ${wanted[member]}.`);
}

/** RFC 8785 of texts, lists and whole numbers: members in the order of their names, no white space. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join()}}`;
}

/** Null: there is no such file, or it has no JSON, as after a power failure. */
async function jsonIn<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function saveJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
  await rename(`${path}.new`, path);
}
