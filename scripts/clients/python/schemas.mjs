// `schemas.py`: a type for each schema that a call of the client, an event of a stream or a webhook has.
import { groupsOf, isStreamed } from '../callable.mjs';
import { annotation, refName } from './annotation.mjs';
import { docstring, isName, literal, pascal, snake } from './text.mjs';

const HEAD = `"""The types of requests, answers and events. An answer may have members and values that come later.

Made by \`npm run clients\` from the OpenAPI document. Do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict, Union

from typing_extensions import NotRequired

Instant = Annotated[str, "instant"]
"""RFC 3339, such as \`2026-11-21T03:00:00.000Z\`."""
Day = Annotated[str, "day"]
"""\`2026-11-21\`."""
`;

export function renderSchemas(document) {
  const { schemas } = document.components;
  const names = Object.keys(schemas).filter(reachable(document).has, reachable(document));
  const own = names.map((name) => renderSchema(name, schemas[name]));
  return [HEAD, ...own, ...streamFilters(document), webhookEvent(document)].join('\n\n');
}

/** By name, whatever refers to it. */
function reachable(document) {
  const found = new Set();
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    const name = typeof value.$ref === 'string' ? refName(value.$ref) : null;
    if (name !== null && !found.has(name)) {
      found.add(name);
      visit(document.components.schemas[name]);
    }
    for (const one of Object.values(value)) visit(one);
  };
  const streams = operationsOf(document).filter(isStreamed);
  visit([...Object.values(groupsOf(document)).flat(), ...streams, document.webhooks]);
  return found;
}

const operationsOf = ({ paths }) => Object.values(paths).flatMap((methods) => Object.values(methods));

function renderSchema(name, schema) {
  const doc = schema.description ? docstring([schema.description], '') : '';
  if (!schema.properties) return `${name} = ${runtime(schema)}\n${doc}`;
  const members = Object.entries(schema.properties);
  const required = new Set(schema.required ?? []);
  const typeOf = ([member, one]) => (required.has(member) ? annotation(one) : `NotRequired[${annotation(one)}]`);
  if (!members.every(([member]) => isName(member))) {
    const rows = members.map((one) => `        ${literal(one[0])}: ${literal(typeOf(one))},\n`).join('');
    return `${name} = TypedDict(\n    "${name}",\n    {\n${rows}    },\n)\n${doc}`;
  }
  const fields = members.map(
    (one) => `    ${one[0]}: ${typeOf(one)}\n${one[1].description ? docstring([one[1].description], '    ') : ''}`,
  );
  const own = schema.description ? `${docstring([schema.description], '    ')}\n` : '';
  return `class ${name}(TypedDict):\n${own}${fields.join('') || '    pass\n'}`;
}

/** Evaluated when the module is loaded, where names that come later are texts. */
function runtime(schema) {
  if (schema.anyOf) return `Union[${schema.anyOf.map((one) => JSON.stringify(annotation(one))).join(', ')}]`;
  return annotation(schema);
}

/** The parameters of each stream of events, by their own names. */
function streamFilters(document) {
  return operationsOf(document)
    .filter(isStreamed)
    .map(({ operationId, parameters, summary }) => {
      const fields = parameters
        .filter((one) => one.in === 'query')
        .map(({ name, schema, description }) => {
          const type = annotation(schema).replace(/^list\[/, 'Sequence[');
          return `    ${snake(name)}: ${type}\n${docstring([description], '    ')}`;
        });
      const doc = docstring([`Parameters of: ${summary}.`], '    ');
      return `class ${pascal(operationId)}Filters(TypedDict, total=False):\n${doc}\n${fields.join('')}`;
    });
}

function webhookEvent({ webhooks }) {
  const bodies = Object.values(webhooks).map(({ post }) => post.requestBody.content['application/json'].schema);
  const names = [...new Set(bodies.map((schema) => JSON.stringify(annotation(schema))))];
  return `WebhookEvent = Union[\n${names.map((name) => `    ${name},\n`).join('')}]\n${docstring(['The body of a post. Branch on `event`.'], '')}`;
}
