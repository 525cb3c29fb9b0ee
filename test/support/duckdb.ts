// Reads files as a customer's DuckDB does. It may not download anything.
import { type DuckDBConnection, DuckDBDateValue, DuckDBInstance, DuckDBTimestampTZValue } from '@duckdb/node-api';

export interface DuckDb {
  /** Rows in order, with instants and days as the API writes them. */
  rows(sql: string): Promise<unknown[][]>;
  /** Column names and DuckDB's types. */
  describe(path: string): Promise<[string, string][]>;
  close(): void;
}

export async function openDuckDb(): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: '1',
    // It keeps parts of a file by name and time: of two files that follow each other within a second it mixes both.
    enable_external_file_cache: 'false',
  });
  const connection: DuckDBConnection = await instance.connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(written));
  return {
    rows,
    describe: async (path) =>
      (await rows(`DESCRIBE SELECT * FROM read_parquet('${path}')`)).map(([name, type]) => [
        String(name),
        String(type),
      ]),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function written(value: unknown): unknown {
  if (value instanceof DuckDBTimestampTZValue) return new Date(Number(value.micros / 1000n)).toISOString();
  if (value instanceof DuckDBDateValue) return new Date(value.days * 86_400_000).toISOString().slice(0, 10);
  return value;
}
