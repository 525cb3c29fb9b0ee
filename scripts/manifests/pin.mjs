// Adds to every image its digest, as the image's registry reports it now. A digest that no registry reported is never
// written: if one image cannot be read, no file changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that name third-party images. */
export const FILES = ['docker-compose.yml', 'Dockerfile'];
const IMAGE = /^(\s*image: |FROM )([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;
const OWN = 'racing-odds-service';
const TIMEOUT_MS = 20_000;
const ACCEPT = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json'];

/** Images by file. Throws a sentence if a registry cannot be read. Returns name → digest. */
export async function pinImages(root, { registry, auth }) {
  const texts = FILES.map((file) => [file, readFileSync(join(root, file), 'utf8')]);
  const names = new Set(texts.flatMap(([, text]) => [...text.matchAll(IMAGE)].map((match) => match[2])));
  names.delete(OWN);
  const digests = new Map();
  for (const name of names) digests.set(name, await digestOf(name, { registry, auth }));
  const pinned = (all, head, name) => (digests.has(name) ? `${head}${name}@${digests.get(name)}` : all);
  for (const [file, text] of texts) writeFileSync(join(root, file), text.replace(IMAGE, pinned));
  return digests;
}

async function digestOf(image, { registry, auth }) {
  const [name, tag] = image.split(':');
  const repository = name.includes('/') ? name : `library/${name}`;
  const granted = await read(`${auth}&scope=repository:${repository}:pull`, {});
  const { token } = /** @type {{ token: string }} */ (await granted.json());
  const headers = { authorization: `Bearer ${token}`, accept: ACCEPT.join(', ') };
  const response = await read(`${registry}/v2/${repository}/manifests/${tag}`, { method: 'HEAD', headers });
  const digest = response.headers.get('docker-content-digest');
  if (!/^sha256:[0-9a-f]{64}$/.test(digest ?? '')) throw new Error(`${image}: the registry reports no digest`);
  return digest;
}

async function read(url, options) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${new URL(url).host} answers ${response.status} for ${new URL(url).pathname}`);
  return response;
}
