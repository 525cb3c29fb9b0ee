// Who may manage the keys of an account (A 5.3): Business and above. After a downgrade team keys continue, and can
// still be seen, restricted and deleted: an owner must always be able to end a key.
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { planNamed } from '../../../plans/plans';
import { mayUse, RIGHTS } from '../../../plans/rights';
import type { Gate } from '../../kernel/endpoint/endpoint';
import { planRequired } from '../../kernel/endpoint/plan-gate';

export const TEAM_GATE: Gate<unknown, unknown, unknown, { ownedKeys: OwnedKeys }> = {
  text: 'Requires the Business plan or above, or an account that still has team keys.',
  errors: ['plan_required'],
  headers: {},
  async check({ caller: { accountId, plan, issuedAt }, baseUrl, services: { ownedKeys } }) {
    if (mayUse('team_keys', plan, issuedAt)) return;
    if ((await ownedKeys.list(accountId)).length > 1) return;
    const { title, least } = RIGHTS.team_keys;
    throw planRequired(title, planNamed(least)!, plan, baseUrl);
  },
};
