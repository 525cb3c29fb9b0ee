// POST /v1/keys/rotate (A 5.3, D38; shapes 3.7). Free.

import { Type } from '@sinclair/typebox';
import { hintOf } from '../../../accounts/keys/new-key';
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { AppError } from '../../../errors';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { KeyRotation } from './key-replaced-schema';
import { presentReplacement } from './present-keys';

export const rotateKey = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'post',
  path: '/v1/keys/rotate',
  operationId: 'rotate_key',
  tag: 'Keys',
  summary: 'Replace the key that is sent',
  description:
    'Makes a new key in place of the one in `X-API-Key`, which works for 24 hours more: it goes on reading data, and may change nothing of the ' +
    'account or its keys (409). With `immediate=true` it ends at once. At most one replaced key works beside the new one: a key that was replaced ' +
    'before ends now. The new key keeps the id, label, allow-list, rate limit and rights of the old one. A replaced key cannot be rotated again ' +
    '(409), so a request that is repeated makes no second key: if the response was lost, sign in to the console and have a new key shown.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  query: {
    immediate: Type.Boolean({
      default: false,
      description: 'Ends the key that is sent at once, and the one before it.',
    }),
  },
  errors: ['conflict'],
  ok: {
    description: 'The new key, which is shown this once.',
    schema: KeyRotation,
    example: {
      new_key: 'pe_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE00',
      api_key: 'pe_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE00',
      old_key_hint: 'pe_live_…x9Qd',
      key_version: 2,
      rotated_at: '2026-11-21T03:00:00.000Z',
      previous_key_valid_until: '2026-11-22T03:00:00.000Z',
      message: 'Store the new key now: it is not shown again. The key before it works until 2026-11-22T03:00:00.000Z.',
    },
  },
  async handler({ caller, browser, query: { immediate }, services: { ownedKeys } }) {
    if (caller!.role !== 'customer')
      throw new AppError('conflict', 'An operator’s key is replaced with the command line, never over the API.');
    const minted = await ownedKeys.rotate(caller!.keyHash, immediate, browser!);
    return {
      body: {
        new_key: minted.key,
        api_key: minted.key,
        old_key_hint: hintOf(caller!.last4),
        ...presentReplacement(minted),
      },
    };
  },
});
