// Signed manifests over HTTP: verified as a customer does, against the published key and the bytes of the files.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicKey, Signature } from '../../../../src/bulk/manifest/signer';
import { createFolderStore } from '../../../../src/file-store/folder';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { SIGNER } from '../../../support/manifests';
import { feedField } from '../../../support/races/builders';
import { addPastRace } from '../../../support/races/past-race';
import { buildFiles } from './build-files';

const folder = mkdtempSync(join(tmpdir(), 'bulk-manifest-'));
const files = createFolderStore(folder);
const FILE = '/v1/bulk/results/2026-11-20';

let served: Served;
beforeAll(async () => {
  served = await serve((db) => ({
    bulk: { manifest: createStores(db.pool).bulkFiles, files, keys: SIGNER.publicKeys },
  }));
  for (const startTime of ['2026-10-31T01:00:00.000Z', '2026-11-20T01:00:00.000Z'])
    await addPastRace(served.db.pool, { startTime, runners: feedField(2, 3, 4) });
  await buildFiles(served.db.pool, files, '2026-11-21T00:00:00Z');
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true });
});

const get = (path: string, key: string) => served.api.get(path, key);

/** As a customer checks it, with the tools of the platform alone. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted()
      .map(([name, inner]) => [name, ordered(inner)]),
  );
};
const verified = async ({ manifest, signature }: { manifest: object; signature: Signature }): Promise<boolean> => {
  const { keys } = (await (await fetch(`${served.api.url}/v1/bulk/keys`)).json()) as { keys: PublicKey[] };
  const key = createPublicKey({ key: { ...keys.find(({ kid }) => kid === signature.key_id)! }, format: 'jwk' });
  return verify(null, Buffer.from(JSON.stringify(ordered(manifest))), key, Buffer.from(signature.value, 'base64'));
};

test.each([
  ['2026-11-20', 3],
  ['2026-10', 3],
])('of %s verifies with the published key, and its files have the bytes that it states', async (period, rows) => {
  const key = await served.addKey({ plan: 'platform' });
  const { status, body } = await get(`/v1/bulk/results/${period}/manifest`, key);
  expect(status).toBe(200);
  expectConforms('bulk_manifest', body);
  expect(await verified(body)).toBe(true);
  expect(await verified({ ...body, manifest: { ...body.manifest, rows: rows + 1 } })).toBe(false);
  expect(body.manifest).toMatchObject({ dataset: 'results', period, rows });
  for (const [i, { format, bytes, sha256 }] of body.manifest.files.entries()) {
    const { pathname, search } = new URL(body.sources[i].url);
    expect(search).toBe(`?format=${format}&version=${body.manifest.version}`);
    const response = await fetch(served.api.url + pathname + search, { headers: { 'X-API-Key': key } });
    const content = Buffer.from(await response.arrayBuffer());
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
  }
});

test('is for Business and above, of months too, and says why there is none', async () => {
  const [plus, business] = [await served.addKey({ plan: 'plus' }), await served.addKey({ plan: 'business' })];
  expect((await get(`${FILE}/manifest`, plus)).body).toMatchObject({ required_plan: 'business' });
  expect((await get('/v1/bulk/results/2026-10/manifest', business)).status).toBe(200);
  for (const [path, reason] of [
    ['/v1/bulk/results/2026-11/manifest', 'not complete yet'],
    [`${FILE}/manifest?version=9`, 'a replaced version stays for 48 hours'],
  ]) {
    const { status, body } = await get(path!, business);
    expect([status, body.code, body.detail]).toEqual([404, 'not_found', expect.stringContaining(reason!)]);
  }
});

test('of a rebuilt file states its new bytes; the previous one stays under its number', async () => {
  const key = await served.addKey({ plan: 'business' });
  const hashesOf = async (search: string) => {
    const { manifest } = (await get(`${FILE}/manifest${search}`, key)).body;
    return [manifest.version, ...manifest.files.map(({ sha256 }: { sha256: string }) => sha256)];
  };
  const before = await hashesOf('');
  await served.db.pool.query(`UPDATE race_results SET status_note = 'amended'`);
  await buildFiles(served.db.pool, files, '2026-11-22T12:00:00Z');
  const [version, ...after] = await hashesOf('');
  expect(version).toBe(before[0] + 1);
  const stored = await createStores(served.db.pool).bulkFiles.served('results', ['2026-11-20']);
  expect(after).toEqual(stored.map(({ sha256 }) => sha256));
  expect(after).not.toEqual(before.slice(1));
  expect(await hashesOf(`?version=${before[0]}`)).toEqual(before);
});

test('of files that an earlier release built is not there yet', async () => {
  const key = await served.addKey({ plan: 'business' });
  await served.db.pool.query(`DELETE FROM bulk_manifests WHERE dataset = 'closing_lines' AND period = '2026-11-20'`);
  for (const search of ['', '?version=1']) {
    const { status, body } = await get(`/v1/bulk/closing_lines/2026-11-20/manifest${search}`, key);
    expect([status, body.detail]).toEqual([
      404,
      'Version 1 of closing_lines 2026-11-20 has no manifest yet: the next version of its files has one.',
    ]);
  }
});
