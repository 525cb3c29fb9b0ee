// GET /v1/keys/info (A 5.3; shapes 3.7). Free.

import type { AccountReader } from '../../../accounts/billing/account-reader';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { KeyInfo } from './key-info-schema';
import { presentKey } from './present-account';

export const keyInfo = endpoint<{ account: AccountReader }>()({
  method: 'get',
  path: '/v1/keys/info',
  operationId: 'key_info',
  tag: 'Keys',
  summary: 'The key that is sent',
  description:
    'What is stored of the key in `X-API-Key`, and the credits of its account. The key itself is not stored.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  ok: {
    description: 'The key.',
    schema: KeyInfo,
    example: {
      key_hint: 'pe_live_…x9Qd',
      plan: 'free',
      org_id: '8f0e5c1a-3c57-4a7e-9f0e-6b1f0b9a2d11',
      org_name: null,
      credits_used: 1240,
      credits_limit: 3000,
      credits_remaining: 1760,
      key_version: 1,
      last_used_at: '2026-11-21T02:59:58.412Z',
      last_used_ip: null,
      ip_whitelist: [],
      scopes: null,
      created_at: '2026-10-01T00:00:00.000Z',
      rotated_at: null,
      key_id: 'tk_r4hfygr4k5fh5hyonmpqxgrnce',
      label: 'production',
      is_primary: true,
      valid_until: null,
    },
  },
  async handler({ caller, services: { account } }) {
    return { body: presentKey(caller!, await account.read(caller!)) };
  },
});
