// Builds what is due, as the Schedule does.
import type { Pool } from 'pg';
import { buildBulkPeriod, dueBulkPeriods } from '../../../../src/activities/bulk-files';
import type { FileStore } from '../../../../src/file-store/file-store';
import { createStores } from '../../../../src/store/create-stores';
import { createReads } from '../../../../src/store/reads/reads';
import { SIGNER } from '../../../support/manifests';

export async function buildFiles(pool: Pool, files: FileStore, nowIso: string): Promise<void> {
  const deps = {
    stores: createStores(pool),
    files,
    signer: SIGNER,
    bulkReads: createReads(pool),
    now: () => Date.parse(nowIso),
    wallMs: () => Date.parse(nowIso),
  };
  for (let due = await dueBulkPeriods(deps); due.length > 0; due = await dueBulkPeriods(deps))
    for (const one of due) await buildBulkPeriod(deps, one, () => {});
}
