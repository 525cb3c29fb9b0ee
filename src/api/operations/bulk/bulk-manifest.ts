// GET /v1/bulk/{dataset}/{period}/manifest. Beyond the contract (N-lake-1). Free; Business and above, as the catalogue.

import { periodOf } from '../../../bulk/periods';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import type { BulkShelf } from './bulk';
import { BulkDataset } from './datasets-schema';
import { BulkSignedManifest } from './manifest-schema';
import { bulkPeriod, bulkVersion } from './parameters';
import { presentManifest } from './present-bulk';

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const FILE = 'https://api.example.com/v1/bulk/exotic_dividends/2026-11-20';

export const bulkManifest = endpoint<{ baseUrl: string; bulk: BulkShelf }>()({
  method: 'get',
  path: '/v1/bulk/{dataset}/{period}/manifest',
  operationId: 'bulk_manifest',
  tag: 'Bulk',
  summary: 'Signed manifest of a day or month of a dataset',
  description:
    'Size, SHA-256 and rows of each file of a version, the bounds of its rows, and an Ed25519 signature. The signature covers the UTF-8 bytes of ' +
    '`manifest` in canonical form (RFC 8785): members in the order of their names, no white space. A manifest is published together with its files, ' +
    'so that the files under `sources` are those that it names.',
  auth: 'key',
  cost: flat(0),
  gate: planGate('bulk_days'),
  params: { dataset: BulkDataset, period: bulkPeriod },
  query: { version: bulkVersion },
  ok: {
    description: 'The manifest and its signature.',
    schema: BulkSignedManifest,
    example: {
      manifest: {
        dataset: 'exotic_dividends',
        period: '2026-11-20',
        version: 1,
        schema_version: '5c1f0b8de2f34a97',
        rows: 812,
        generated_at: '2026-11-20T19:00:04.120Z',
        sort_key: {
          columns: ['start_time', 'race_id', 'code', 'product', 'selection'],
          first: ['2026-11-20T00:45:00.000Z', '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10', 'EX', 'tab', '1-4'],
          last: ['2026-11-20T11:52:00.000Z', 'c0b1a7de-2f6c-5c11-8d0a-71e2b9c4f8a3', 'TF', 'tab', '2-5-7'],
        },
        times: [{ column: 'start_time', min: '2026-11-20T00:45:00.000Z', max: '2026-11-20T11:52:00.000Z' }],
        files: [{ format: 'parquet', bytes: 18_204, sha256: SHA256 }],
      },
      signature: {
        algorithm: 'ed25519',
        key_id: '2026-11',
        value: 'qQ3x4UoGx6vVf1cJm8J1yV7w0dQmWkz6o2mX9b0XbNc0h1mE5p5kq1v9m7gWwR3uQ2c8tL6yZpYl0rS4aVfCDg==',
      },
      sources: [{ format: 'parquet', url: `${FILE}?format=parquet&version=1` }],
    },
  },
  errors: ['not_found'],
  async handler({ params: { dataset, period }, query: { version }, services: { bulk, baseUrl } }) {
    return { body: presentManifest(await bulk.manifest(dataset, periodOf(period)!, version ?? null), baseUrl) };
  },
});
