// GET /v1/bulk/datasets (A 4.13; D47). Free; Business and above.

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { pageByOffset } from '../../kernel/http/response/next-page';
import { choice } from '../../wire/parameters';
import type { BulkShelf } from './bulk';
import { BulkDataset, BulkDatasets } from './datasets-schema';
import { presentDatasets } from './present-bulk';

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const bulkDatasets = endpoint<{ baseUrl: string; bulk: BulkShelf }>()({
  method: 'get',
  path: '/v1/bulk/datasets',
  operationId: 'bulk_datasets',
  tag: 'Bulk',
  summary: 'Catalogue of bulk files',
  description:
    'The datasets with their columns, and the periods that have files: whole Sydney days and calendar months, the newest first. The files of a ' +
    'day are built six hours after its end; they are built again, at most once a day, when rows of that day have changed. The files of a month ' +
    'follow when all its days have theirs.',
  auth: 'key',
  cost: flat(0),
  gate: planGate('bulk_days'),
  query: {
    dataset: Type.Optional(choice(BulkDataset, { description: 'Only this dataset. Default: all.' })),
    limit: Type.Integer({ minimum: 1, maximum: 5000, default: 500, description: 'Periods per page.' }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0, description: 'Periods to skip.' }),
  },
  paged: true,
  ok: {
    description: 'The datasets and their files.',
    schema: BulkDatasets,
    example: {
      datasets: [
        {
          dataset: 'exotic_dividends',
          description: 'One row per race and exotic dividend of its result.',
          available_from: '2026-08-15',
          sorted_by: ['start_time', 'race_id', 'code', 'product', 'selection'],
          columns: [{ name: 'race_id', type: 'text', nullable: false, description: 'Permanent id of the race.' }],
        },
      ],
      rows_returned: 1,
      total_rows: 1,
      limit: 500,
      offset: 0,
      rows: [
        {
          dataset: 'exotic_dividends',
          period: '2026-11-20',
          version: 1,
          rows: 812,
          generated_at: '2026-11-20T19:00:04.120Z',
          files: [
            {
              format: 'parquet',
              bytes: 18_204,
              sha256: SHA256,
              url: 'https://api.example.com/v1/bulk/exotic_dividends/2026-11-20?format=parquet',
            },
          ],
        },
      ],
    },
  },
  async handler({ query, services: { bulk, baseUrl } }) {
    const { dataset, limit, offset } = query;
    const { total, files } = await bulk.list({ dataset: dataset ?? null, limit, offset });
    const body = presentDatasets(total, files, { dataset, limit, offset }, baseUrl);
    return { next: pageByOffset(`${baseUrl}/v1/bulk/datasets`, query, body.rows, total).next, body };
  },
});
