// The table from which the TypeScript client has a method for each operation: group, name, HTTP method and path. Groups
// are the tags of the document, names its operationIds without the word of their group.
import { groupsOf, partsIn, traitsOf } from './callable.mjs';

const HEAD = `// Made by \`npm run clients\` from the OpenAPI document: each operation that a key may call, and what needs none.
// \`once\`: it takes an Idempotency-Key. \`paged\`: its pages name the next one in the header \`Link\`. \`file\`: it has no JSON.

export const OPERATIONS = {
`;

export function renderOperations(document) {
  const groups = Object.entries(groupsOf(document)).map(([tag, operations]) => {
    const group = camel(tag.split(' '));
    return `  ${group}: {\n${operations.map((one) => renderOne(group, one)).join('')}  },\n`;
  });
  return `${HEAD}${groups.join('')}} as const;\n`;
}

function renderOne(group, one) {
  const { path, method, operationId, summary } = one;
  const { once, paged, file } = traitsOf(one);
  const traits = Object.entries({ once, paged, file }).map(([name, has]) => (has ? `, ${name}: true` : ''));
  const comment = `    /** ${summary}: \`${method.toUpperCase()} ${path}\` */\n`;
  const name = camel(partsIn(group, operationId));
  return `${comment}    ${name}: { method: '${method}', path: '${path}'${traits.join('')} },\n`;
}

/** @param {string[]} parts */
function camel([first = '', ...others]) {
  const capital = (part) => part[0].toUpperCase() + part.slice(1);
  return [first.slice(0, 1).toLowerCase() + first.slice(1), ...others.map(capital)].join('');
}
