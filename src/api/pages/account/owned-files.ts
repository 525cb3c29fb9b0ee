// The bulk files for the pages of an account: the list of the operation, and what the account has paid for.
import { DATASETS } from '../../../bulk/catalogue';
import { FILE_CHARGED_MS } from '../../../plans/cost';
import type { BulkFile, BulkFileStore } from '../../../store/bulk-files';
import type { OwnedFiles, ShownPeriod } from '../../../web/account/files/source';
import { type OwnerFileDeps, ownerFile } from '../../kernel/owner-file';
import { ENDPOINTS, type Services } from '../../operations';

interface OwnedFileDeps {
  readonly manifest: Pick<BulkFileStore, 'list' | 'downloads'>;
  readonly file: OwnerFileDeps<Services>;
  /** Epoch milliseconds: charges follow the wall clock (D37). */
  wallMs(): number;
}

const DOWNLOAD = ENDPOINTS.find(({ operationId }) => operationId === 'bulk_file')!;

export const createOwnedFiles = ({ manifest, file, wallMs }: OwnedFileDeps): OwnedFiles => ({
  datasets: DATASETS.map(({ name, description, from }) => ({ name, description, from })),
  async list(accountId, page) {
    const { total, files } = await manifest.list(page);
    const since = new Date(wallMs() - FILE_CHARGED_MS).toISOString();
    const names = files.map(({ name }) => name);
    return { total, periods: periodsOf(files, await manifest.downloads(accountId, names, since)) };
  },
  send: ownerFile(DOWNLOAD, file),
});

/** `files`: those of one period are adjacent. */
function periodsOf(files: readonly BulkFile[], paid: ReadonlyMap<string, string>): ShownPeriod[] {
  const periods: (ShownPeriod & { files: ShownPeriod['files'][number][] })[] = [];
  for (const { dataset, period, version, rows, built_at: builtAt, format, bytes, sha256, name } of files) {
    const last = periods.at(-1);
    const isNew = last?.dataset !== dataset || last.period !== period;
    const of = isNew ? { dataset, period, version, rows, builtAt, files: [] } : last;
    if (isNew) periods.push(of);
    const paidAt = paid.get(name);
    const freeUntilMs = paidAt === undefined ? null : Date.parse(paidAt) + FILE_CHARGED_MS;
    of.files.push({ format, bytes, sha256, freeUntilMs });
  }
  return periods;
}
