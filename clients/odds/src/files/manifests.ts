// Signed manifests: each is proven by a key that this mirror trusts before anything that it states is used.
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Schemas } from '../../../typescript/src/index.ts';
import { CommandError } from '../io/failure.ts';

export type SignedManifest = Schemas['BulkSignedManifest'];
type Key = Schemas['BulkKeys']['keys'][number];

/** Outside of the folders that a reader of rows looks into. */
const OWN = '.odds';

/** The trusted keys. Null: this mirror has none yet. Throws if what it trusted cannot be read. */
export async function trustedKeys(dest: string): Promise<readonly Key[] | null> {
  const path = join(dest, OWN, 'keys.json');
  const text = await textIn(path);
  if (text === null) return null;
  const keys = jsonOf<{ keys?: unknown }>(text)?.keys;
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isKey))
    throw new CommandError(
      `${path} has no keys that can be read: restore it, or remove it to trust the keys of the service again.`,
    );
  return keys;
}

const isKey = (one: Partial<Key> | null): boolean => typeof one?.kid === 'string' && typeof one.x === 'string';

export const saveKeys = (dest: string, keys: readonly Key[]): Promise<void> =>
  saveJson(join(dest, OWN, 'keys.json'), { keys });

const manifestPath = (dest: string, dataset: string, period: string): string =>
  join(dest, OWN, 'manifests', dataset, `${period}.json`);

/** Null: there is none, or of another form. It is not proven. */
export async function storedManifest(dest: string, dataset: string, period: string): Promise<SignedManifest | null> {
  const signed = jsonOf<SignedManifest>((await textIn(manifestPath(dest, dataset, period))) ?? '');
  return isWhole(signed) ? signed : null;
}

function isWhole(signed: Partial<SignedManifest> | null): boolean {
  const { manifest, signature } = signed ?? {};
  const isSigned = typeof signature?.key_id === 'string' && typeof signature.value === 'string';
  return isSigned && Number.isInteger(manifest?.version) && Array.isArray(manifest?.files);
}

export const saveManifest = (dest: string, signed: SignedManifest): Promise<void> =>
  saveJson(manifestPath(dest, signed.manifest.dataset, signed.manifest.period), signed);

/** Throws unless one of the keys has signed it, and it is about this version of this period. */
export function proveManifest(
  signed: SignedManifest,
  wanted: { readonly dataset: string; readonly period: string; readonly version: number },
  keys: readonly Key[],
): void {
  const name = `The manifest of ${wanted.dataset} ${wanted.period}`;
  if (!isWhole(signed)) throw new CommandError(`${name} is refused: it has another form.`);
  const { manifest, signature } = signed;
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

/** Null: there is no such file. */
async function textIn(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Null: it is no JSON, as after a power failure. */
function jsonOf<T>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The file is whole, or as it was before: also after a power failure, and if two commands write it. */
async function saveJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(part, 'wx');
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
