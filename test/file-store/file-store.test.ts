// Both stores pass the same tests: a folder, and an S3-compatible server in this process.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FileStore } from '../../src/file-store/file-store';
import { createFolderStore } from '../../src/file-store/folder';
import { createS3Store } from '../../src/file-store/s3';
import { startS3 } from '../support/servers/s3';

const root = mkdtempSync(join(tmpdir(), 'file-store-'));
const folder = join(root, 'files');
const stores: Record<string, FileStore> = { folder: createFolderStore(folder) };
let close = async (): Promise<void> => {};

beforeAll(async () => {
  const server = await startS3(join(root, 's3'), 'archive');
  const s3 = createS3Store({ ...server.settings, prefix: 'bulk/' });
  stores.s3 = s3;
  close = async () => {
    s3.close();
    await server.close();
  };
});
afterAll(async () => {
  await close();
  rmSync(root, { recursive: true });
});

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const one of texts) yield Buffer.from(one);
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('half');
  throw new Error('the source broke');
}

const read = async (found: Readable | null) => found && text(found);

describe.each(['folder', 's3'])('%s', (kind) => {
  const store = () => stores[kind]!;

  test('reads back what was put, whole and in parts, and replaces it', async () => {
    expect(await store().put('days/a.csv', chunks('abc', 'defg'))).toEqual({ name: 'days/a.csv', bytes: 7 });
    expect(await store().stat('days/a.csv')).toEqual({ name: 'days/a.csv', bytes: 7 });
    expect(await read(await store().open('days/a.csv'))).toBe('abcdefg');
    expect(await read(await store().open('days/a.csv', { start: 2, end: 5 }))).toBe('cde');
    expect(await read(await store().open('days/a.csv', { start: 6, end: 7 }))).toBe('g');
    await store().put('days/a.csv', chunks('new'));
    expect(await read(await store().open('days/a.csv'))).toBe('new');
  });

  test('lists by name, and deletes', async () => {
    for (const name of ['list/b', 'list/a', 'lists/c']) await store().put(name, chunks(name));
    expect(await store().list('list/')).toEqual([
      { name: 'list/a', bytes: 6 },
      { name: 'list/b', bytes: 6 },
    ]);
    await store().delete('list/b');
    await store().delete('list/b');
    expect((await store().list('list/')).map(({ name }) => name)).toEqual(['list/a']);
    expect((await store().list('')).map(({ name }) => name)).toEqual(expect.arrayContaining(['list/a', 'lists/c']));
    expect(await store().list('none/')).toEqual([]);
  });

  test('a file that breaks while it is put does not appear, and its older version stays', async () => {
    await expect(store().put('broken/new', broken())).rejects.toThrow('the source broke');
    await store().put('broken/old', chunks('old'));
    await expect(store().put('broken/old', broken())).rejects.toThrow('the source broke');
    expect(await store().list('broken/')).toEqual([{ name: 'broken/old', bytes: 3 }]);
  });

  test('a missing file is null', async () => {
    expect(await store().stat('none')).toBeNull();
    expect(await store().open('none')).toBeNull();
    expect(await store().open('none/at-all', { start: 0, end: 1 })).toBeNull();
  });

  test.each(['../a', 'a/../b', '/a', '.a', 'a//b', ''])('refuses the name %p', async (name) => {
    await expect(Promise.resolve().then(() => store().open(name))).rejects.toThrow('not a name');
  });
});

test('the folder is cleared of a dead writer’s leftovers, but not of files being written', async () => {
  const store = stores.folder!;
  await store.put('left/a', chunks('a'));
  const [old, young] = ['.old.partial', '.young.partial'].map((name) => join(folder, 'left', name));
  for (const path of [old!, young!]) writeFileSync(path, 'half');
  utimesSync(old!, new Date(0), new Date(0));
  expect((await store.list('left/')).map(({ name }) => name)).toEqual(['left/a']);
  await store.put('left/b', chunks('b'));
  expect(readdirSync(join(folder, 'left')).sort()).toEqual(['.young.partial', 'a', 'b']);
});

test('a bucket has more simultaneous readers than its client has connections by default', async () => {
  const store = stores.s3!;
  const long = 'a'.repeat(300_000);
  await store.put('many/a', chunks(long));
  // A connection is busy until its body is read, and this body is larger than what is read ahead.
  const bodies = await Promise.all(Array.from({ length: 51 }, () => store.open('many/a')));
  expect(await Promise.all(bodies.map(read))).toEqual(bodies.map(() => long));
});

test('a bucket that does not answer is an error, not a wait', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const settings = {
    bucket: 'b',
    prefix: '',
    region: 'r',
    endpoint,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  };
  const store = createS3Store(settings, { connectMs: 5000, answerMs: 50 });
  try {
    await expect(store.open('a')).rejects.toThrow('requestTimeout');
  } finally {
    store.close();
    silent.closeAllConnections();
    silent.close();
  }
});
