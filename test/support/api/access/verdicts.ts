// The contract's verdict for each principal and request: the order of checks of D7, from the table alone. Nothing here
// comes from the service.
import type { Principal } from './principals';
import type { AccessRow } from './table';

const ORDER = ['free', 'hobby', 'standard', 'plus', 'business', 'platform', 'scale', 'enterprise'];
/** Legacy plans count as a plan that is sold (D10). */
const READS_AS: Readonly<Record<string, string>> = { starter: 'standard', pro: 'business', growth: 'plus' };
const UNUSABLE: readonly Principal['key'][] = ['none', 'mistyped', 'never issued', 'revoked', 'ended'];
/** Things of an account: another account's id is treated as unknown. */
const OWN = /\{(job_id|webhook_id|widget_id|key_id)\}/;

const FORBIDDEN = '403 plan_required';
const UNKNOWN = '401 unauthorized';

/** `200`, `200 for 3` for a charged response, `403 scope_required`. */
export function verdictOf(row: AccessRow, who: Principal): string {
  const refusal = row.but.get(who.name) ?? refusalOf(row, who);
  if (refusal !== null) return refusal;
  const isCharged = row.credits > 0 && who.role === 'customer';
  return isCharged ? `${row.outcome} for ${row.credits}` : row.outcome;
}

/**
 * HEAD is judged like GET, except for the balance, because it is free (D7). Only the status: it has no body with more.
 */
export function verdictOfHead(row: AccessRow, who: Principal): string {
  const verdict = verdictOf(row, who);
  return verdict.startsWith('402') ? row.outcome.slice(0, 3) : verdict.slice(0, 3);
}

function refusalOf(row: AccessRow, who: Principal): string | null {
  switch (row.caller) {
    case 'anyone':
      return who.isForeignPage && row.method !== 'GET' ? FORBIDDEN : null;
    case 'session':
      return bySession(row, who);
    case 'account':
    case 'owner':
      return who.key === 'none' ? bySession(row, who) : byKey(row, who);
    default:
      return byKey(row, who);
  }
}

function bySession(row: AccessRow, who: Principal): string | null {
  if (who.session === 'none') return UNKNOWN;
  if (who.isForeignPage && row.method !== 'GET') return FORBIDDEN;
  if (who.session === 'ended') return UNKNOWN;
  return isInPlan(row, who) ? null : `403 ${row.refused}`;
}

function byKey(row: AccessRow, who: Principal): string | null {
  const { caller, changes, scope, credits, refused, request } = row;
  if (UNUSABLE.includes(who.key)) return UNKNOWN;
  if (who.isElsewhere) return '403 ip_not_allowed';
  if (who.isOverLimit) return '429 rate_limit';
  if (who.role === 'pusher') return caller === `pusher of ${who.book}` ? null : FORBIDDEN;
  if ((caller === 'operator' || caller.startsWith('pusher')) && who.role !== 'internal') return FORBIDDEN;
  if (caller === 'primary' && !who.isPrimary) return FORBIDDEN;
  if (changes && who.key === 'replaced') return '409 conflict';
  if (!isInPlan(row, who)) return `403 ${refused}`;
  if (scope !== null && who.scopes !== null && !who.scopes.includes(scope)) return '403 scope_required';
  if (credits > 0 && who.isSpent) return '402 payment_required';
  if (caller === 'owner' && !who.isPrimary) return FORBIDDEN;
  return who.isStranger && OWN.test(request) ? '404 not_found' : null;
}

function isInPlan({ plan }: AccessRow, who: Principal): boolean {
  if (plan === '') return true;
  const has = READS_AS[who.plan] ?? who.plan;
  if (plan.startsWith('only ')) return plan.slice('only '.length).split(', ').includes(has);
  const [least = '', ...also] = plan.split(', ');
  return ORDER.indexOf(has) >= rankOf(least) || also.some((one) => ALSO[one]!(who));
}

/** Principals below the plan that may call. */
const ALSO: Readonly<Record<string, (who: Principal) => boolean>> = {
  standard_old: ({ plan, isOld }) => plan === 'standard' && isOld,
  with_team: ({ hasTeam }) => hasTeam,
};

function rankOf(plan: string): number {
  const rank = ORDER.indexOf(plan);
  if (rank < 0) throw new Error(`access.tsv has the unknown plan '${plan}'`);
  return rank;
}
