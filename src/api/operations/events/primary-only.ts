// Events of an account are for its owner (D65): a session, or the primary key, names them in a webhook. From then on no
// key of the team manages that webhook or reads what was posted to it, even if they are no longer named: what waits for
// delivery would follow its URL.
import { isAccountEvent } from '../../../domain/events/account-event';
import { AppError } from '../../../errors';

/** Who manages webhooks: a key; or an owner by a session, which has no `isPrimary`. */
export interface WebhookManager {
  readonly accountId: string;
  readonly isPrimary?: boolean;
}

export const isOwner = ({ isPrimary = true }: WebhookManager): boolean => isPrimary;

/** Throws `plan_required`. */
export function requireMayName(by: WebhookManager, events: readonly string[]): void {
  const named = events.find(isAccountEvent);
  if (named === undefined || isOwner(by)) return;
  throw new AppError('plan_required', `Only the primary key of the account may name \`${named}\`.`);
}

/** Throws `plan_required`. */
export function requireMayManage(by: WebhookManager, { primaryOnly }: { readonly primaryOnly: boolean }): void {
  if (primaryOnly && !isOwner(by)) throw new AppError('plan_required', OF_PRIMARY_KEY);
}

export const OF_PRIMARY_KEY =
  'This webhook gets events of the account, or did: only the primary key of the account manages it.';
