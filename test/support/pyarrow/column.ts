import type { Column } from '../../../src/row-files/columns';

/** A column without a description. */
export const column = (name: string, type: Column['type'], nullable = false): Column => ({
  name,
  type,
  nullable,
  description: '',
});
