// What the operations that serve rows of the archive share (B 4.1 to 4.3): cost, rules, CSV and Parquet, and the facts of a page (D46).

import type { Instant } from '../domain/race/race';
import { ARCHIVE_CREDITS } from '../plans/cost';
import type { Column, Row } from '../row-files/columns';
import type { LineBatches } from '../row-files/csv';
import { rowObjects } from '../row-files/json';
import type { ArchiveReads, PageBounds } from '../store/reads/archive/archive-reads';
import type { ArchivePage } from '../store/reads/archive/archived-page';
import type { ArchiveRows, ArchiveSelection } from '../store/reads/archive/selection';
import { type ArchiveQuery, archiveRules, archiveSelection, type RuleContext, type Span } from './archive-query';
import type { Call } from './endpoint';
import type { Reply } from './http/response/reply';
import { cellsOf, ROW_TYPES, type RowFormat, rowsReply } from './http/response/rows';
import type { ArchiveFormat } from './schemas/archive/parameters';

interface ServedRows<R> {
  readonly columns: readonly Column[];
  cells(row: R): Row;
  readonly what: ArchiveRows;
  /** Of a file, without an extension. */
  readonly name: string;
  readonly span: Span;
  /** Beside JSON. */
  readonly formats: readonly RowFormat[];
  read(archive: ArchiveReads, selection: ArchiveSelection, page: PageBounds): Promise<ArchivePage<R>>;
  stream(archive: ArchiveReads, selection: ArchiveSelection, page: PageBounds): AsyncIterable<readonly R[]>;
  /** The same as lines of CSV, where the database makes them. */
  lines?(archive: ArchiveReads, selection: ArchiveSelection, page: PageBounds): LineBatches;
}

type RowObject = ReturnType<ReturnType<typeof rowObjects>>;
type PageQuery = ArchiveQuery & PageBounds & { readonly format: ArchiveFormat };

/** What a body of JSON is made of. */
interface Page<R> extends PageBounds {
  readonly found: ArchivePage<R>;
  readonly rows: RowObject[];
  /** Start of the first race with rows of this kind, whatever the selection. */
  readonly begins: Instant | null;
  /** Number of days back that the key reads; null: all. */
  readonly windowDays: number | null;
}

const FORMAT_NAMES: Readonly<Record<RowFormat, string>> = { csv: 'CSV', parquet: 'Parquet' };

export function archiveRows<R>({ columns, cells, what, name, span, formats, read, stream, lines }: ServedRows<R>) {
  const objectOf = rowObjects(columns);
  const objects = (rows: readonly R[]): RowObject[] => rows.map((row) => objectOf(cells(row)));
  const otherFormats = formats.map((format) => FORMAT_NAMES[format]).join(' or ');
  return {
    objects,
    /** Members of the declaration. */
    declared: {
      cost: {
        text: `${ARCHIVE_CREDITS.json} credits as JSON, ${ARCHIVE_CREDITS.csv} as ${otherFormats}`,
        credits: ({ query }: { readonly query: Pick<PageQuery, 'format'> }) => ARCHIVE_CREDITS[query.format],
      },
      exclusive: [
        ['date', 'from'],
        ['date', 'to'],
      ],
      rules: (query: ArchiveQuery, context: RuleContext) => archiveRules(query, context, span),
      streamed: ({ format }: Pick<PageQuery, 'format'>) => format !== 'json',
    },
    ok: {
      description: 'The rows of the selection from `offset` on.',
      types: formats.map((format) => ROW_TYPES[format]),
    },
    handler:
      <B>(body: (page: Page<R>) => B) =>
      async ({ query, rights, nowMs, services }: Call<PageQuery>): Promise<Reply<B>> => {
        const { archive } = services.reads;
        const { format, limit, offset } = query;
        const selection = archiveSelection(query, rights, nowMs, span);
        if (format !== 'json') {
          const page = { limit, offset };
          const batches = () => cellsOf(stream(archive, selection, page), cells);
          return rowsReply(format, { columns, batches, lines: lines && (() => lines(archive, selection, page)), name });
        }
        const [found, begins] = await Promise.all([
          read(archive, selection, { limit, offset }),
          archive.beginsAt(what),
        ]);
        const page = { found, rows: objects(found.rows), begins, windowDays: rights.archiveDays };
        return { body: body({ ...page, limit, offset }) };
      },
  };
}
