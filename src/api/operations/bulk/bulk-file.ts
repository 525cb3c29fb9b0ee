// GET /v1/bulk/{dataset}/{period} (A 4.13; D32, D47). 20 credits a day, 100 a month, once per version, account and 24
// hours.

import { Type } from '@sinclair/typebox';
import { periodOf } from '../../../bulk/periods';
import { BULK_CREDITS } from '../../../plans/cost';
import { endpoint, type Gate } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { choice } from '../../wire/parameters';
import type { BulkShelf } from './bulk';
import { BULK_TYPES } from './bulk';
import { BulkDataset, BulkFormat } from './datasets-schema';
import { bulkPeriod, bulkVersion } from './parameters';

const days = planGate('bulk_days');
const months = planGate('bulk_months');
const gate: Gate<unknown, { readonly period: string }> = {
  text: 'Days require the Business plan or above, months the Platform plan or above.',
  errors: days.errors,
  headers: {},
  check: (call) => (periodOf(call.params.period)!.kind === 'day' ? days : months).check(call),
};

export const bulkFile = endpoint<{ bulk: BulkShelf }>()({
  method: 'get',
  path: '/v1/bulk/{dataset}/{period}',
  operationId: 'bulk_file',
  tag: 'Bulk',
  summary: 'One day or month of a dataset as a file',
  description:
    'All rows of a Sydney day or of a calendar month, as Parquet or as CSV in gzip. Send the `ETag` back as `If-None-Match`: while the file has not ' +
    'changed, the response is an empty 304 and free. `Range` fetches a part (one range), `If-Range` only of the version you began with. A ' +
    'version is charged at its first 200 or 206; further requests of the account for that version are free for 24 hours. A version that was ' +
    'replaced stays for 48 hours under `version`. A key may have four downloads open at once.',
  auth: 'key',
  cost: {
    text: `${BULK_CREDITS.day} credits for a day, ${BULK_CREDITS.month} for a month, once per version and 24 hours`,
    credits: ({ params }) => BULK_CREDITS[periodOf(params.period)!.kind],
  },
  gate,
  params: {
    dataset: BulkDataset,
    period: bulkPeriod,
  },
  query: {
    format: choice(BulkFormat, { default: 'parquet', description: 'Format of the file.' }),
    version: bulkVersion,
  },
  servesFile: true,
  ok: {
    description: 'The file.',
    schema: Type.String({ format: 'binary' }),
    example: '',
    types: BULK_TYPES,
  },
  errors: ['not_found', 'range_not_satisfiable'],
  handler: ({ params: { dataset, period }, query: { format, version }, services: { bulk } }) =>
    bulk.find(dataset, periodOf(period)!, format, version ?? null),
});
