// How the rows of a Parquet file are arranged.

export interface ParquetLayout {
  /** Rows of a row group. Larger ones take more memory. */
  readonly groupRows: number;
  /** Rows of a page; null: a row group is one page, and the file has no page index. */
  readonly pageRows: number | null;
  /** The columns that the rows are meant to be sorted by. A row group declares as many as its rows are sorted by. */
  readonly sortedBy: readonly string[];
}

/** Streamed to a client: memory counts. */
export const STREAM_LAYOUT: ParquetLayout = { groupRows: 8192, pageRows: null, sortedBy: [] };

/** Stored once and read often: readers skip row groups and pages. */
export const fileLayout = (sortedBy: readonly string[]): ParquetLayout => ({
  groupRows: 65_536,
  pageRows: 8192,
  sortedBy,
});
