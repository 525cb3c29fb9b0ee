// POST /v1/keys/team (A 5.3). Free.
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { AppError } from '../../../errors';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { readWhitelist } from '../keys/whitelist';
import { presentTeamKey } from './present-team-key';
import { exampleTeamKey } from './team-key-example';
import { NewTeamKey, TeamKeyRequest } from './team-key-schema';

export const createTeamKey = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'post',
  path: '/v1/keys/team',
  operationId: 'create_team_key',
  tag: 'Keys',
  summary: 'Add a key to the account',
  description:
    'Makes one more key for the account and shows it once: 3 keys on Business, 5 on Platform, 10 on Scale and Enterprise, the primary one ' +
    'included. Beyond that it is a 409. The key has the rights of one that is issued today, and may be used for `scopes` alone; without them for everything. If the response was lost, delete the ' +
    'key that `GET /v1/keys/team` lists and make another.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: planGate('team_keys'),
  body: TeamKeyRequest,
  errors: ['conflict'],
  ok: {
    description: 'The new key, which is shown this once.',
    schema: NewTeamKey,
    example: {
      key: 'pe_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE00',
      ...exampleTeamKey,
      calls_used: 0,
      credits_used: 0,
      last_used_at: null,
    },
  },
  async handler({
    caller,
    browser,
    body: { label, ip_whitelist: texts = [], scopes = null },
    services: { ownedKeys },
  }) {
    if (caller!.role !== 'customer') throw new AppError('conflict', 'An operator’s account has no team keys.');
    const allowedAddresses = readWhitelist(texts, '/ip_whitelist', null);
    const { key, row } = await ownedKeys.issue(caller!, { label, allowedAddresses, scopes }, browser!);
    return { body: { key, ...presentTeamKey(row, caller!.plan) } };
  },
});
