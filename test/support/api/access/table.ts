// The table of who may call what (test/fixtures/access.tsv), copied by hand from the contract: the service computes
// none of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `anyone`: no key is checked. `account`: a session or any key of the account; `owner`: a session or the primary key.
 */
const CALLERS = ['anyone', 'key', 'primary', 'session', 'account', 'owner', 'operator', 'pusher of boostbet'] as const;
const SCOPES = ['read', 'archive', 'webhooks', 'backfill'] as const;

type CallerKind = (typeof CALLERS)[number];
type ScopeName = (typeof SCOPES)[number];

/**
 * One request of an operation, with placeholders: `{period:2026-10}` has its value, `{widget_id}` is filled in. Several
 * requests of one operation differ in what they require.
 */
export interface AccessRow {
  readonly request: string;
  /** `GET /v1/bulk/{dataset}/{period}`, as in the document. */
  readonly operation: string;
  readonly method: string;
  readonly caller: CallerKind;
  /**
   * `plus, standard_old`: the cheapest plan, and lower principals that may call too. `only business, platform`: only
   * these plans. Empty: the plan does not matter.
   */
  readonly plan: string;
  /** The code of the 403 for a plan without the right. */
  readonly refused: string;
  readonly scope: ScopeName | null;
  readonly credits: number;
  /** For a principal with the right: the status, and the code of a problem. */
  readonly outcome: string;
  /** The request itself is faulty: the refusal of its parameters comes before plan, scope and balance (D7). */
  readonly isFaulty: boolean;
  /** It changes the account or its keys, so a replaced key may not call it (D38). */
  readonly changes: boolean;
  /** Outcomes by principal that follow from no rule. */
  readonly but: ReadonlyMap<string, string>;
}

const FILE = join(__dirname, '../../../fixtures/access.tsv');

export function accessTable(): readonly AccessRow[] {
  const [, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return lines.map(rowOf);
}

function rowOf(line: string): AccessRow {
  const [request = '', caller = '', plan = '', refused = '', scope = '', credits = '', outcome = '', ...more] =
    line.split('\t');
  const [changes = '', but = ''] = more;
  const [method = '', address = ''] = request.split(' ');
  return {
    request,
    method,
    operation: `${method} ${address.split('?')[0]!.replace(/:[^}]*\}/g, '}')}`,
    caller: oneOf(CALLERS, caller, line),
    plan,
    refused,
    scope: scope === '' ? null : oneOf(SCOPES, scope, line),
    credits: Number(credits),
    outcome,
    isFaulty: !outcome.startsWith('2'),
    changes: changes !== '' && oneOf(['changes'], changes, line) === 'changes',
    but: new Map(but === '' ? [] : but.split('; ').map((one) => one.split('=') as [string, string])),
  };
}

function oneOf<T extends string>(values: readonly T[], value: string, line: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new Error(`access.tsv: '${value}' is none of ${values.join(', ')} in: ${line}`);
  return found;
}

/** The scope that each operation requires, by method and path; null: none. */
export const scopesByOperation = (): ReadonlyMap<string, ScopeName | null> =>
  new Map(ofGoodRequests().map(({ operation, scope }) => [operation, scope]));

/** The requirements of each operation. */
export const ofGoodRequests = (): readonly AccessRow[] => accessTable().filter(({ isFaulty }) => !isFaulty);
