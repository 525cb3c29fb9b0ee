// GET /v1/bulk/keys. Beyond the contract (N-lake-1). Public.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { BulkShelf } from './bulk';
import { BulkKeys } from './manifest-schema';

export const bulkKeys = endpoint<{ bulk: BulkShelf }>()({
  method: 'get',
  path: '/v1/bulk/keys',
  operationId: 'bulk_keys',
  tag: 'Bulk',
  summary: 'Keys that verify manifests',
  description:
    'The public keys of manifests as a JSON Web Key Set (RFC 7517, RFC 8037). Keep the keys that you trust: a manifest whose key you do not know ' +
    'was signed after a change of keys, or by somebody else.',
  auth: 'none',
  cost: flat(0),
  ok: {
    description: 'The keys.',
    schema: BulkKeys,
    example: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          use: 'sig',
          alg: 'EdDSA',
          kid: '2026-11',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        },
      ],
    },
  },
  handler: async ({ services: { bulk } }) => ({ body: { keys: [...bulk.keys] } }),
});
