// GET /v1/keys/team (A 5.3). Free.
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { LIMITS } from '../../../plans/limits';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { presentTeamKey } from './present-team-key';
import { TEAM_GATE } from './team-gate';
import { exampleTeamKey } from './team-key-example';
import { TeamKeys } from './team-key-schema';

export const listTeamKeys = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'get',
  path: '/v1/keys/team',
  operationId: 'list_team_keys',
  tag: 'Keys',
  summary: 'The keys of the account',
  description:
    'Every key of the account that works, the primary one included, with what it used this month. The keys share the credits of the account; each ' +
    'has its own label, rate limit, allow-list and scopes. After a downgrade the keys of a team go on with the limits of the new plan; none can ' +
    'be added.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  gate: TEAM_GATE,
  ok: {
    description: 'The keys.',
    schema: TeamKeys,
    example: { limit: 3, keys: [exampleTeamKey] },
  },
  async handler({ caller, services: { ownedKeys } }) {
    const { accountId, plan } = caller!;
    const keys = await ownedKeys.list(accountId);
    return { body: { limit: LIMITS[plan.id].keys, keys: keys.map((key) => presentTeamKey(key, plan)) } };
  },
});
