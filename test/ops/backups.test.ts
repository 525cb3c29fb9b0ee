// `ops backup-done` and the gauges that it feeds: a report that does not prove a good backup of this database is
// refused, and the recorded age stays.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newestBackup } from '../../src/ops/backups/newest-backup';
import { runCommand } from '../../src/ops/run-command';
import { readBackupAges, readCluster } from '../../src/store/backups';
import { createTestDatabase } from '../support/servers/database';
import { poolAs } from '../support/servers/roles';

const SYSTEM = '7590123456789012345';
const STOP = 1_795_935_600;
const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

const backup = (label: string, stop: number, over: object = {}) => ({
  label,
  type: label.endsWith('F') ? 'full' : 'diff',
  error: false,
  database: { id: 1, 'repo-key': 1 },
  timestamp: { start: stop - 60, stop },
  ...over,
});
/** As printed by `pgbackrest --output=json info` of 2.55, without the members that are not read. */
const infoOf = (backups: readonly object[], over: object = {}, systemId = SYSTEM): unknown =>
  JSON.parse(
    JSON.stringify([
      {
        name: 'racing',
        status: { code: 0, message: 'ok' },
        db: [{ id: 1, 'repo-key': 1, 'system-id': 'SYSTEM', version: '17' }],
        backup: backups,
        ...over,
      },
    ]).replace('"SYSTEM"', systemId),
  );
const FULL = backup('20261129-010000F', STOP);
const found = (info: unknown) => newestBackup(info, SYSTEM, (STOP + 600) * 1000);

test('the newest backup counts, whatever its kind and its position in the listing', () => {
  const diff = backup('20261129-010000F_20261129-010500D', STOP + 300);
  expect(found(infoOf([diff, FULL]))).toEqual({ label: diff.label, kind: 'diff', endedAt: at(STOP + 300) });
});

test.each([
  ['with errors', backup('20261129-010900F', STOP + 540, { error: true })],
  ['of a cluster before this one', backup('20261129-010900F', STOP + 540, { database: { id: 2, 'repo-key': 1 } })],
  ['of another repository', backup('20261129-010900F', STOP + 540, { database: { id: 1, 'repo-key': 2 } })],
])('a newer backup %s does not count', (_, other) => {
  expect(found(infoOf([FULL, other])).label).toBe(FULL.label);
});

test.each([
  ['no backup', infoOf([]), /no good backup/],
  ['only one with errors', infoOf([{ ...FULL, error: true }]), /no good backup/],
  ['another cluster', infoOf([FULL], {}, '7590123456999012345'), /no stanza of this database/],
  ['no stanza', [], /no stanza of this database/],
  [
    'a stanza that is not in order',
    infoOf([FULL], { status: { code: 3, message: 'missing stanza data' } }),
    /missing stanza data/,
  ],
  ['a backup of tomorrow', infoOf([backup('20261130-010000F', STOP + 86_400)]), /future/],
  ['another document', { backup: [FULL] }, /not what pgbackrest/],
])('%s is refused', (_, info, sentence) => {
  expect(() => found(info)).toThrow(sentence);
});

test('the gauge is absent until a backup is recorded; a refused or repeated one does not change it', async () => {
  const db = await createTestDatabase();
  const worker = poolAs(db, 'racing_worker', 1);
  const folder = mkdtempSync(join(tmpdir(), 'backups-'));
  const done = (info: unknown) => {
    writeFileSync(join(folder, 'info.json'), JSON.stringify(info).replace(/"SYSTEM"/, systemId));
    const variables = { ...process.env, DATABASE_URL: db.url, LOG_LEVEL: 'silent' };
    return runCommand(['backup-done', '--info', join(folder, 'info.json')], variables);
  };
  const { systemId, now } = await readCluster(db.pool);
  const stop = Math.floor(Date.parse(now) / 1000) - 7200;
  const listing = (one: object) => infoOf([one], { db: [{ id: 1, 'repo-key': 1, 'system-id': 'SYSTEM' }] }, '"SYSTEM"');
  try {
    // The test server archives nothing.
    expect(await readBackupAges(worker)).toEqual({ backup: null, log: null });
    expect(await done(listing(backup('20261129-010000F', stop, { error: true })))).toMatchObject({ code: 2, out: '' });
    expect((await readBackupAges(worker)).backup).toBeNull();
    expect(await done(listing(backup('20261129-010000F', stop)))).toMatchObject({
      code: 0,
      out: `the last good backup is 20261129-010000F (full), ended at ${at(stop)}\n`,
    });
    expect((await done(listing(backup('20261129-010000F', stop)))).out).toMatch(/^kept: /);
    const { backup: age } = await readBackupAges(worker);
    expect(age).toBeGreaterThanOrEqual(7200);
    expect(age).toBeLessThan(7200 + 600);
  } finally {
    await worker.end();
    await db.drop();
    rmSync(folder, { recursive: true });
  }
});
