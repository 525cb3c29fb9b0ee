import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { removeAbandonedData, instanceKey } = require('../../../scripts/servers/data-folder.mjs') as {
  removeAbandonedData(folder: string): void;
  instanceKey(instance: { root: string; name: string }): string;
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function data(name: string, checkout: string | null, pid?: number): void {
  mkdirSync(join(folder, name, 'postgres'), { recursive: true });
  if (checkout !== null) writeFileSync(join(folder, name, 'checkout'), checkout);
  if (pid) writeFileSync(join(folder, name, 'postgres/postmaster.pid'), `${pid}\n/data\n`);
}

test('data is removed when its checkout is gone and no server uses it', () => {
  data('abandoned', join(folder, 'no-such-checkout'));
  data('of-a-checkout', folder);
  data('still-in-use', join(folder, 'no-such-checkout'), process.pid);
  data('of-unknown-owner', null);
  removeAbandonedData(folder);
  expect(readdirSync(folder)).toEqual(['of-a-checkout', 'of-unknown-owner', 'still-in-use']);
});

test('every instance of every checkout has its own data', () => {
  const keys = [
    { root: '/a', name: 'start' },
    { root: '/a', name: 'test' },
    { root: '/b', name: 'start' },
  ].map(instanceKey);
  expect(new Set(keys).size).toBe(3);
});
