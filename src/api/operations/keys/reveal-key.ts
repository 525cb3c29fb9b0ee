// POST /v1/keys/reveal (A 5.3, D38). Free. No key is stored, so it shows a new one.
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { RevealedKey } from './key-replaced-schema';
import { presentReplacement } from './present-keys';

export const revealKey = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'post',
  path: '/v1/keys/reveal',
  operationId: 'reveal_key',
  tag: 'Keys',
  summary: 'Show a new primary key',
  description:
    'Makes a new primary key for the account that is signed in and shows it once: only a hash of a key is stored, so the present one cannot be ' +
    'shown. The present key works for 24 hours more. Repeated within ten minutes, the key of the request before ends, and the one before ' +
    'it keeps its 24 hours. A key that was made by rotation keeps them too.',
  auth: 'session',
  cost: flat(0),
  ofAccount: true,
  perMinutePerIp: 10,
  errors: ['conflict'],
  ok: {
    description: 'The new key, which is shown this once.',
    schema: RevealedKey,
    example: {
      key: 'pe_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE00',
      key_version: 2,
      rotated_at: '2026-11-21T03:00:00.000Z',
      previous_key_valid_until: '2026-11-22T03:00:00.000Z',
      message: 'Store the new key now: it is not shown again. The key before it works until 2026-11-22T03:00:00.000Z.',
    },
  },
  async handler({ session, browser, services: { ownedKeys } }) {
    const minted = await ownedKeys.reveal(session!.accountId, browser!);
    return { body: { key: minted.key, ...presentReplacement(minted) } };
  },
});
