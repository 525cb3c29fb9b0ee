// Which operations a client has a method for, and what each method is called.

/** Group → operations: groups are the tags of the document. */
export function groupsOf({ paths }) {
  /** @type {Record<string, any[]>} */
  const groups = {};
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods)) {
      if (!isCallable(method, one)) continue;
      const [tag] = one.tags;
      groups[tag] = [...(groups[tag] ?? []), { path, method, ...one }];
    }
  return groups;
}

/**
 * A console session belongs to browsers on the pages of the service, a stream of events is followed, and an address
 * that redirects is opened by a person.
 */
export const isCallable = (method, { security, responses }) =>
  (security.some((one) => 'ApiKeyAuth' in one) || (method === 'get' && security.length === 0 && '200' in responses)) &&
  !isStreamed({ responses }) &&
  !('303' in responses);

export const isStreamed = ({ responses }) => 'text/event-stream' in (responses[200]?.content ?? {});

/**
 * `once`: it takes an Idempotency-Key. `paged`: its pages name the next one. `polled`: it has an ETag. `file`: it has
 * no JSON.
 */
export function traitsOf({ parameters, responses }) {
  const content = responses[200]?.content;
  return {
    once: parameters.some(({ name }) => name === 'Idempotency-Key'),
    paged: Boolean(responses[200]?.headers?.Link),
    polled: '304' in responses,
    file: Boolean(content) && !('application/json' in content),
  };
}

/** The parts of its name: `racing_best_odds` and `race_results` are `best odds` and `results` among those of racing. */
export function partsIn(group, operationId) {
  const [first, ...others] = operationId.split('_');
  const own = [group, group.replace(/s$/, ''), group.replace(/ing$/, 'e')];
  return own.includes(first) && others.length > 0 ? others : [first, ...others];
}
