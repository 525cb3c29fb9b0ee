// The table from which a client has a method for each operation: group, name, HTTP method and path. Groups are the tags
// of the document, names its operationIds without the word of their group.

const HEAD = `// Made by \`npm run clients\` from the OpenAPI document: each operation that a key may call, and what needs none.
// \`once\`: it takes an Idempotency-Key. \`paged\`: its pages name the next one in the header \`Link\`. \`file\`: it has no JSON.

export const OPERATIONS = {
`;

export function renderOperations(document) {
  const groups = Object.entries(groupsOf(document)).map(([group, operations]) => {
    const own = operations.map((one) => renderOne(group, one)).join('');
    return `  ${group}: {\n${own}  },\n`;
  });
  return `${HEAD}${groups.join('')}} as const;\n`;
}

function groupsOf({ paths }) {
  /** @type {Record<string, any[]>} */
  const groups = {};
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods)) {
      if (!isCallable(method, one)) continue;
      const group = camel(one.tags[0]);
      groups[group] = [...(groups[group] ?? []), { path, method, ...one }];
    }
  return groups;
}

/**
 * A console session belongs to browsers on the pages of the service, a stream of events is followed, and an address
 * that redirects is opened by a person.
 */
const isCallable = (method, { security, responses }) =>
  (security.some((one) => 'ApiKeyAuth' in one) || (method === 'get' && security.length === 0 && '200' in responses)) &&
  !('text/event-stream' in (responses[200]?.content ?? {})) &&
  !('303' in responses);

function renderOne(group, { path, method, operationId, summary, parameters, responses }) {
  const once = parameters.some(({ name }) => name === 'Idempotency-Key') ? ', once: true' : '';
  const paged = responses[200]?.headers?.Link ? ', paged: true' : '';
  const content = responses[200]?.content;
  const file = content && !('application/json' in content) ? ', file: true' : '';
  const comment = `    /** ${summary}: \`${method.toUpperCase()} ${path}\` */\n`;
  return `${comment}    ${nameIn(group, operationId)}: { method: '${method}', path: '${path}'${once}${paged}${file} },\n`;
}

/** `racing_best_odds` and `race_results` are `bestOdds` and `results` among those of racing. */
function nameIn(group, operationId) {
  const [first, ...others] = operationId.split('_');
  const own = [group, group.replace(/s$/, ''), group.replace(/ing$/, 'e')];
  return camel((own.includes(first) && others.length > 0 ? others : [first, ...others]).join('_'));
}

const camel = (text) => {
  const [first, ...others] = text.split(/[ _]/);
  return [first[0].toLowerCase() + first.slice(1), ...others.map((word) => word[0].toUpperCase() + word.slice(1))].join(
    '',
  );
};
