// The scope of a team key that each operation requires (D68), by its tag and, where a tag is not enough, its path.
// Checked after the plan and before any work: a refusal is free. The primary key has no scopes, so it is never refused
// here.
import { AppError } from '../../../errors';
import type { Scope } from '../../../plans/scopes';
import { isKeyed } from './auth';
import type { Caller } from './caller';
import type { Endpoint, Tag } from './endpoint';

/** Paths that take precedence over their tag. */
const OF_PATHS: readonly (readonly [path: string, scope: Scope])[] = [
  ['/v1/racing/horses/backfill', 'backfill'],
  ['/v1/racing/replay', 'archive'],
];

/**
 * `none`: any key may call it, whatever its scopes, because it concerns the account or the key itself, or no team key
 * may call it at all, or no key is needed. A tag without a row does not compile.
 */
const OF_TAGS: Readonly<Record<Tag, Scope | 'none'>> = {
  Racing: 'read',
  Sports: 'read',
  Arbitrage: 'read',
  'Data Quality': 'read',
  Health: 'read',
  'Racing Archive': 'archive',
  Bulk: 'archive',
  Webhooks: 'webhooks',
  Account: 'none',
  Billing: 'none',
  Keys: 'none',
  Widgets: 'none',
  Ingest: 'none',
  Signup: 'none',
  Session: 'none',
  Sandbox: 'none',
  Site: 'none',
};

/** `none`: it requires none. */
function scopeOf({ auth, tag, path }: Pick<Endpoint, 'auth' | 'tag' | 'path'>): Scope | 'none' {
  if (!isKeyed(auth) && auth !== 'session_or_key') return 'none';
  const ofPath = OF_PATHS.find(([one]) => path === one || path.startsWith(`${one}/`));
  return ofPath?.[1] ?? OF_TAGS[tag];
}

/** Whether two callers have the same scopes. */
export const hasSameScopes = (now: Caller, before: Caller): boolean =>
  now.scopes === before.scopes || (now.scopes?.join() ?? null) === (before.scopes?.join() ?? null);

/** Throws `scope_required` for a key that lacks the scope of the operation. */
export function requireScope(endpoint: Endpoint, { scopes, last4 }: Caller): void {
  if (scopes === null) return;
  const scope = scopeOf(endpoint);
  if (scope === 'none' || scopes.includes(scope)) return;
  throw new AppError('scope_required', lacks(scope, `The key ending in ${last4}`), { required_scope: scope });
}

/** Its refusal as the reference shows it; null: the operation has none. */
export function scopeExample(endpoint: Endpoint): { detail: string; required_scope: Scope } | null {
  const scope = scopeOf(endpoint);
  if (scope === 'none') return null;
  return { detail: lacks(scope, 'The key ending in Lk2w'), required_scope: scope };
}

const lacks = (scope: Scope, key: string): string =>
  `${key} lacks the scope \`${scope}\`. The primary key of the account adds it: PATCH /v1/keys/team/{key_id}.`;
