// `schemas.py`: a type for each schema that a call of the client, an event of a stream or a webhook has.
import { groupsOf, isStreamed } from '../callable.mjs';
import { annotation, refName, sentAnnotation } from './annotation.mjs';
import { docstring, isName, literal, pascal } from './text.mjs';

const HEAD = `"""The types of requests, answers and events. An answer may have members and values that come later.

Made by \`npm run clients\` from the OpenAPI document. Do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as _date
from datetime import datetime as _datetime
from typing import Annotated, Any, Literal, TypedDict, Union

from typing_extensions import NotRequired

Instant = Annotated[str, "instant"]
"""RFC 3339, such as \`2026-11-21T03:00:00.000Z\`."""
Day = Annotated[str, "day"]
"""\`2026-11-21\`."""
`;

/** Parameters of a stream that the client sends by itself. */
const OF_THE_CLIENT = ['format', 'last_event_id'];

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
  const { description, properties, required = [] } = schema;
  if (!properties) return `${name} = ${runtime(schema)}\n${description ? docstring([description], '') : ''}`;
  const fields = Object.entries(properties).map(([member, one]) => {
    const type = annotation(one);
    return [member, required.includes(member) ? type : `NotRequired[${type}]`, one.description];
  });
  return typedDict(name, fields, description, false);
}

/** `fields`: name, type and description of each. A class cannot have a member whose name is a keyword. */
function typedDict(name, fields, description, isPartial) {
  if (!fields.every(([member]) => isName(member))) {
    const rows = fields.map(([member, type]) => `        ${literal(member)}: ${literal(type)},\n`).join('');
    const texts = fields.filter(([, , text]) => text).map(([member, , text]) => `${member}: ${text}`);
    const doc = [...(description ? [description] : []), ...(texts.length > 0 ? [texts.join('\n')] : [])];
    const after = doc.length > 0 ? docstring(doc, '') : '';
    return `${name} = TypedDict(\n    "${name}",\n    {\n${rows}    },\n${isPartial ? '    total=False,\n' : ''})\n${after}`;
  }
  const members = fields.map(
    ([member, type, text]) => `    ${member}: ${type}\n${text ? docstring([text], '    ') : ''}`,
  );
  const own = description ? `${docstring([description], '    ')}\n` : '';
  return `class ${name}(TypedDict${isPartial ? ', total=False' : ''}):\n${own}${members.join('') || '    pass\n'}`;
}

/** Evaluated when the module is loaded, where names that come later are texts. */
function runtime(schema) {
  if (schema.anyOf) return `Union[${schema.anyOf.map((one) => JSON.stringify(annotation(one))).join(', ')}]`;
  return annotation(schema);
}

/** The parameters of each stream of events, by the names that they are sent under. */
function streamFilters(document) {
  return operationsOf(document)
    .filter(isStreamed)
    .map(({ operationId, parameters, summary }) => {
      const own = parameters.filter((one) => one.in === 'query' && !OF_THE_CLIENT.includes(one.name));
      const fields = own.map(({ name, schema, description }) => [name, sentAnnotation(schema), description]);
      return typedDict(`${pascal(operationId)}Filters`, fields, `Parameters of: ${summary}.`, true);
    });
}

function webhookEvent({ webhooks }) {
  const bodies = Object.values(webhooks).map(({ post }) => post.requestBody.content['application/json'].schema);
  const names = [...new Set(bodies.map((schema) => JSON.stringify(annotation(schema))))];
  return `WebhookEvent = Union[\n${names.map((name) => `    ${name},\n`).join('')}]\n${docstring(['The body of a post. Branch on `event`.'], '')}`;
}
