// Which files: the parameters that the operations of a period share.
import { Type } from '@sinclair/typebox';

export const bulkPeriod = Type.String({
  format: 'bulk-period',
  'x-must-be': 'a day (2026-11-20) or a month (2026-11)',
  description: 'A Sydney day, `YYYY-MM-DD`, or a calendar month, `YYYY-MM`.',
});

export const bulkVersion = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'This version. Default: the newest.' }),
);
