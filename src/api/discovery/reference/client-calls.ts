// What the clients in `clients` call an operation: groups are the tags of the document, names its operationIds without
// the name of their group. `scripts/clients` generates their tables by the same rule, and a test compares both.
import type { ClientCalls } from '../../../web/reference/model';

interface Called {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** Streams have methods of the client itself. */
const FOLLOWED: Readonly<Record<string, string>> = { racing_changes_stream: 'follow', racing_replay: 'replay' };

/** Null: an operation of a console's session, or one that a person opens. */
export function clientCallsOf(method: string, one: Called): ClientCalls | null {
  const followed = FOLLOWED[one.operationId];
  if (followed) return { python: `client.${followed}`, typescript: `client.${followed}` };
  if (!isCallable(method, one)) return null;
  const group = one.tags[0]!.toLowerCase().split(' ');
  const names = [group, partsIn(camel(group), one.operationId)];
  return {
    python: ['client', ...names.map((parts) => parts.join('_'))].join('.'),
    typescript: ['client', ...names.map(camel)].join('.'),
  };
}

const isCallable = (method: string, { security, responses }: Called): boolean =>
  (security.some((scheme) => 'ApiKeyAuth' in scheme) ||
    (method === 'get' && security.length === 0 && '200' in responses)) &&
  !('text/event-stream' in (responses[200]?.content ?? {})) &&
  !('303' in responses);

/** `racing_best_odds` and `race_results` are `best odds` and `results` among those of racing. */
function partsIn(group: string, operationId: string): string[] {
  const [first = '', ...others] = operationId.split('_');
  const own = [group, group.replace(/s$/, ''), group.replace(/ing$/, 'e')];
  return own.includes(first) && others.length > 0 ? others : [first, ...others];
}

const camel = ([first = '', ...others]: readonly string[]): string =>
  [first, ...others.map((part) => part.charAt(0).toUpperCase() + part.slice(1))].join('');
