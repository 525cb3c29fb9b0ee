// What `npm run year` does before it needs a server.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const year = (...args: string[]) =>
  spawnSync(process.execPath, [join(__dirname, '../../../scripts/year.mjs'), ...args], { encoding: 'utf8' });

test('help is printed, and a wrong number of days is refused', () => {
  expect(year('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--days N') });
  for (const days of ['0', '367', 'all'])
    expect(year('--days', days)).toMatchObject({ status: 1, stderr: expect.stringContaining(`--days is '${days}'`) });
});
