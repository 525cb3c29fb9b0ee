// DELETE /v1/keys/team/{key_id} (A 5.3). Free.

import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { TEAM_GATE } from './team-gate';
import { DeletedTeamKey, teamKeyId } from './team-key-schema';

export const deleteTeamKey = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'delete',
  path: '/v1/keys/team/{key_id}',
  operationId: 'delete_team_key',
  tag: 'Keys',
  summary: 'End a key of the account',
  description:
    'Ends a key of the account at once, and the key that it replaced. What it used stays in the figures of the account. The primary key cannot be ' +
    'deleted (409): rotate it with `immediate=true`.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: TEAM_GATE,
  params: { key_id: teamKeyId },
  errors: ['not_found', 'conflict'],
  ok: {
    description: 'The key has ended.',
    schema: DeletedTeamKey,
    example: { key_id: 'tk_r4hfygr4k5fh5hyonmpqxgrnce', deleted: true },
  },
  async handler({ caller, browser, params, services: { ownedKeys } }) {
    await ownedKeys.end(caller!, params.key_id, browser!);
    return { body: { key_id: params.key_id, deleted: true } };
  },
});
