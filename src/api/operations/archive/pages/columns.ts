// The schema of a row, derived from the description of its columns, which also produces its CSV and Parquet.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { Column, ColumnType } from '../../../../row-files/columns';
import { day, instant, nullable, text, whole, yes } from '../../../wire/vocabulary';

const OF_TYPE: Readonly<Record<ColumnType, (description: string) => TSchema>> = {
  text,
  integer: whole,
  long: whole,
  number: (description) => Type.Number({ description }),
  boolean: yes,
  instant,
  day,
};

export const rowSchema = (columns: readonly Column[]): TObject =>
  Type.Object(
    Object.fromEntries(
      columns.map(({ name, type, nullable: mayBeNull, description }) => {
        const schema = OF_TYPE[type](description);
        return [name, mayBeNull ? nullable(schema) : schema];
      }),
    ),
  );
