// What the operations serving archive rows share (B 4.1 to 4.3): cost, rules, CSV and Parquet, and the facts of a page
// (D46).

import type { Instant } from '../../../../domain/race/race';
import { ARCHIVE_CREDITS } from '../../../../plans/cost';
import type { Column, Row } from '../../../../row-files/columns';
import type { LineBatches } from '../../../../row-files/csv';
import { rowObjects } from '../../../../row-files/json';
import type { ArchiveReads } from '../../../../store/reads/archive/archive-reads';
import type { ArchivePage } from '../../../../store/reads/archive/pages/archived-page';
import type { PageBounds, PageMark, PagePlan } from '../../../../store/reads/archive/pages/page-plan';
import type { ArchiveRows, ArchiveSelection } from '../../../../store/reads/archive/selection';
import type { Call } from '../../../kernel/endpoint/endpoint';
import { pageAddress } from '../../../kernel/http/response/next-page';
import type { Reply } from '../../../kernel/http/response/reply';
import { cellsOf, ROW_TYPES, type RowFormat, rowsReply } from '../../../kernel/http/response/rows';
import type { ArchiveServices } from './archive-gate';
import {
  type ArchiveQuery,
  archiveRules,
  archiveSelection,
  type RuleContext,
  type Span,
  standingBounds,
} from './archive-query';
import { pageMarkText, readPageMark } from './page-mark';
import { type ArchiveFormat, archivePage, type PageLimits } from './parameters';

interface ServedRows<R> {
  readonly columns: readonly Column[];
  cells(row: R): Row;
  readonly what: ArchiveRows;
  /** The last segment of the address, and the name of a file without its extension. */
  readonly name: string;
  readonly span: Span;
  /** In addition to JSON. */
  readonly formats: readonly RowFormat[];
  readonly limits: PageLimits;
  read(archive: ArchiveReads, selection: ArchiveSelection, page: PageBounds): Promise<ArchivePage<R>>;
  stream(archive: ArchiveReads, selection: ArchiveSelection, plan: PagePlan): AsyncIterable<readonly R[]>;
  /** The same as lines of CSV, if the database produces them. */
  lines?(archive: ArchiveReads, selection: ArchiveSelection, plan: PagePlan): LineBatches;
}

type RowObject = ReturnType<ReturnType<typeof rowObjects>>;
type PageQuery = ArchiveQuery & { readonly format: ArchiveFormat; readonly offset: number; readonly after?: string };

/** The parts of a JSON body. */
interface Page<R> extends Pick<PageBounds, 'limit' | 'offset'> {
  readonly found: ArchivePage<R>;
  readonly rows: RowObject[];
  /** Start of the first race with rows of this kind, whatever the selection. */
  readonly begins: Instant | null;
  /** Number of days back that the key may read; null: all. */
  readonly windowDays: number | null;
}

const FORMAT_NAMES: Readonly<Record<RowFormat, string>> = { csv: 'CSV', parquet: 'Parquet' };

export function archiveRows<R>(served: ServedRows<R>) {
  const { columns, cells, what, name, span, formats, limits, read } = served;
  const objectOf = rowObjects(columns);
  const objects = (rows: readonly R[]): RowObject[] => rows.map((row) => objectOf(cells(row)));
  const otherFormats = formats.map((format) => FORMAT_NAMES[format]).join(' or ');
  return {
    objects,
    parameters: archivePage(limits),
    /** Members of the declaration. */
    declared: {
      cost: {
        text: `${ARCHIVE_CREDITS.json} credits as JSON, ${ARCHIVE_CREDITS.csv} as ${otherFormats}`,
        credits: ({ query }: { readonly query: Pick<PageQuery, 'format'> }) => ARCHIVE_CREDITS[query.format],
      },
      exclusive: [
        ['date', 'from'],
        ['date', 'to'],
        ['offset', 'after'],
      ],
      rules: (query: ArchiveQuery, context: RuleContext) => archiveRules(query, context, span),
      streamed: ({ format }: Pick<PageQuery, 'format'>) => format !== 'json',
      rowFormats: formats,
      paged: true as const,
    },
    ok: {
      description: 'The rows of the selection, from `offset` or `after` on.',
      types: formats.map((format) => ROW_TYPES[format]),
      columns,
    },
    handler:
      <B>(body: (page: Page<R>) => B) =>
      async ({
        query,
        rights,
        nowMs,
        services,
      }: Call<PageQuery, unknown, unknown, Pick<ArchiveServices, 'reads' | 'baseUrl'>>): Promise<Reply<B>> => {
        const { archive } = services.reads;
        const { format } = query;
        const selection = archiveSelection(query, rights, nowMs, span);
        const page = pageOf(query, limits);
        const address = `${services.baseUrl}/v1/racing/${name}`;
        const fixed = standingBounds(query, nowMs, span);
        const nextOf = (mark: PageMark | null): string | null =>
          mark && pageAddress(address, query, { ...fixed, offset: undefined, after: pageMarkText(mark) });
        if (format !== 'json')
          return rowsReply(format, name, async () => {
            const plan = await archive.planPage(what, selection, page);
            return { columns, ...batchesOf(served, archive, selection, plan), ...plan, next: nextOf(plan.next) };
          });
        const [found, begins] = await Promise.all([read(archive, selection, page), archive.beginsAt(what)]);
        const facts = { found, rows: objects(found.rows), begins, windowDays: rights.archiveDays };
        return { next: nextOf(found.next), body: body({ ...facts, limit: page.limit, offset: page.offset }) };
      },
  };
}

/** Without `limit` a file has all rows, up to the maximum (D64). */
function pageOf({ format, limit, offset, after }: PageQuery, { usual, most }: PageLimits): PageBounds {
  const mark = after === undefined ? undefined : readPageMark(after);
  return { limit: limit ?? (format === 'json' ? usual : most), offset: mark?.before ?? offset, after: mark };
}

const batchesOf = <R>(
  { cells, stream, lines }: ServedRows<R>,
  archive: ArchiveReads,
  selection: ArchiveSelection,
  plan: PagePlan,
) => ({
  batches: () => cellsOf(stream(archive, selection, plan), cells),
  lines: lines && (() => lines(archive, selection, plan)),
});
