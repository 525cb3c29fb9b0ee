import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Build = (folder: string) => Promise<void>;
interface Cache {
  installed(folder: string, build: Build, options: { signal: AbortSignal; onWait(): void }): Promise<string>;
  cacheRoot(env: Record<string, string>): string;
  noteOf(unfinished: string): string;
}
const { installed, cacheRoot, noteOf } = require('../../../scripts/install/cache-folder.mjs') as Cache;
const { startMark } = require('../../../scripts/process/identity.mjs') as { startMark(pid: number): string | null };

let cache: string;
let place: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'cache-'));
  place = join(cache, 'thing-1.2.3');
});
afterEach(() => rmSync(cache, { recursive: true }));

const options = { signal: new AbortController().signal, onWait: () => {} };
const writeThing: Build = async (folder) => writeFileSync(join(folder, 'thing'), 'whole');

test('two simultaneous callers cause one build, and both get the finished folder', async () => {
  let builds = 0;
  const build: Build = async (folder) => {
    builds += 1;
    await writeThing(folder);
  };
  const folders = await Promise.all([installed(place, build, options), installed(place, build, options)]);
  expect(folders).toEqual([place, place]);
  expect(builds).toBe(1);
  expect(readFileSync(join(place, 'thing'), 'utf8')).toBe('whole');
});

test('a build that fails leaves nothing behind', async () => {
  const fail: Build = async (folder) => {
    writeFileSync(join(folder, 'half'), '');
    throw new Error('no network');
  };
  await expect(installed(place, fail, options)).rejects.toThrow('no network');
  expect(readdirSync(cache)).toEqual([]);
});

test('the remains of a killed build are ended and removed before the next', async () => {
  const orphan = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  const left = `${place}.building-1`;
  mkdirSync(left);
  writeFileSync(noteOf(left), JSON.stringify({ pid: orphan.pid, mark: startMark(orphan.pid!) }));
  await installed(place, writeThing, options);
  expect(startMark(orphan.pid!)).toBeNull();
  expect(readdirSync(cache)).toEqual(['thing-1.2.3']);
});

test('the cache is where the environment puts it', () => {
  expect(cacheRoot({ XDG_CACHE_HOME: '/somewhere' })).toBe('/somewhere/racing-odds');
  expect(cacheRoot({})).toMatch(/\/\.cache\/racing-odds$/);
});
