// PATCH /v1/keys/team/{key_id} (A 5.3). Free.
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { keyIdOf } from '../../../plans/key-id';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { readWhitelist } from '../keys/whitelist';
import { presentTeamKey } from './present-team-key';
import { TEAM_GATE } from './team-gate';
import { exampleTeamKey } from './team-key-example';
import { TeamKey, TeamKeyChange, teamKeyId } from './team-key-schema';

export const updateTeamKey = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'patch',
  path: '/v1/keys/team/{key_id}',
  operationId: 'update_team_key',
  tag: 'Keys',
  summary: 'Change a key of the account',
  description:
    'Changes the label, the allow-list or the scopes of one key of the account; what is not sent stays. A change counts at once. The list follows the ' +
    'rules of `POST /v1/keys/ip-whitelist`. The primary key has no scopes: giving it some is a 409.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: TEAM_GATE,
  params: { key_id: teamKeyId },
  body: TeamKeyChange,
  errors: ['not_found', 'conflict'],
  ok: { description: 'The key as it is now.', schema: TeamKey, example: exampleTeamKey },
  async handler({ caller, params, body: { label, ip_whitelist: texts, scopes }, browser, services: { ownedKeys } }) {
    const own = keyIdOf(params.key_id) === caller!.keyId ? browser!.address : null;
    const change = {
      ...(label !== undefined && { label }),
      ...(texts && { allowedAddresses: readWhitelist(texts, '/ip_whitelist', own) }),
      ...(scopes !== undefined && { scopes }),
    };
    const row = await ownedKeys.change(caller!, params.key_id, change, browser!);
    return { body: presentTeamKey(row, caller!.plan) };
  },
});
