// `groups.py`: a method for each operation, with its parameters and their descriptions.
import { groupsOf, partsIn, traitsOf } from '../callable.mjs';
import { annotation, sentAnnotation } from './annotation.mjs';
import { docstring, literal, pascal, snake } from './text.mjs';

const HEAD = `"""A method for each operation that a key may call, and for what needs none.

Made by \`npm run clients\` from the OpenAPI document. Do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as _date
from datetime import datetime as _datetime
from typing import Literal

from ..http.call import Call, Caller, Group
from . import schemas
`;

/** What the methods of every operation take beside its own parameters. */
const TIMEOUT = 'Seconds for one attempt; default: that of the client.';
const OWN_KEY = 'Yours, for a call that your program may repeat itself; default: a new one.';

export function renderGroups(document) {
  const groups = Object.entries(groupsOf(document));
  const classes = groups.map(([tag, operations]) => {
    const group = snake(tag);
    const methods = operations.map((one) => renderMethod(group, one)).join('\n');
    return `class ${pascal(tag)}(Group):\n${docstring([`Operations of ${tag}.`], '    ')}\n${methods}`;
  });
  const attributes = groups.map(([tag]) => `        self.${snake(tag)} = ${pascal(tag)}(caller)\n`).join('');
  const all = `class Groups:\n    """The groups of operations."""\n\n    def __init__(self, caller: Caller) -> None:\n${attributes}`;
  return [HEAD, ...classes, all].join('\n\n');
}

function renderMethod(group, one) {
  const { path, method, operationId, summary, description, requestBody } = one;
  const traits = traitsOf(one);
  const parameters = one.parameters.filter((parameter) => parameter.in !== 'header').map(parameterOf);
  const body = requestBody ? [bodyOf(requestBody)] : [];
  const taken = [...parameters, ...body, ...settingsOf(traits)];
  const names = taken.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error(`${operationId} has two parameters of one name: ${names}`);
  const ordered = [...taken.filter(({ required }) => required), ...taken.filter(({ required }) => !required)];
  const signature = ordered.map(({ name, type, required }) =>
    required ? `        ${name}: ${type},\n` : `        ${name}: ${type} | None = None,\n`,
  );
  const answer = answerOf(one);
  const doc = docstring(
    [
      `${summary}: \`${method.toUpperCase()} ${path}\`.`,
      description,
      ordered.map(({ name, text }) => `${name}: ${text}`).join('\n'),
    ],
    '        ',
  );
  const name = partsIn(group, operationId).join('_');
  const call = callOf({ method, path, traits, parameters, body });
  return `    def ${name}(\n        self,\n        *,\n${signature.join('')}    ) -> ${answer}:\n${doc}        answer: ${answer} = self._call(\n${call}        )\n        return answer\n`;
}

const parameterOf = ({ name, in: place, schema, required, description }) => ({
  name: snake(name),
  wire: name,
  place,
  required: Boolean(required),
  type: sentAnnotation(schema, 'schemas.'),
  text: description,
});

const bodyOf = ({ content, required }) => ({
  name: 'body',
  required: required !== false,
  type: annotation(content['application/json'].schema, 'schemas.'),
  text: 'What is sent.',
});

const settingsOf = ({ once }) => [
  { name: 'timeout', required: false, type: 'float', text: TIMEOUT },
  ...(once ? [{ name: 'idempotency_key', required: false, type: 'str', text: OWN_KEY }] : []),
];

function answerOf({ responses }) {
  const { content } = responses[200] ?? responses[202] ?? {};
  return content?.['application/json'] ? annotation(content['application/json'].schema, 'schemas.') : 'None';
}

function callOf({ method, path, traits, parameters, body }) {
  const members = (place) =>
    parameters.filter((one) => one.place === place).map(({ wire, name }) => `${literal(wire)}: ${name}`);
  const given = { path_values: members('path'), query: members('query') };
  const lines = [
    literal(method.toUpperCase()),
    literal(path),
    ...Object.entries(traits).flatMap(([name, has]) => (has ? [`${name}=True`] : [])),
    ...Object.entries(given).flatMap(([name, all]) => (all.length > 0 ? [`${name}=${dictOf(all)}`] : [])),
    ...body.map(({ name }) => `${name}=${name}`),
    'timeout=timeout',
    ...(traits.once ? ['idempotency_key=idempotency_key'] : []),
  ];
  return `            Call(\n${lines.map((line) => `                ${line},\n`).join('')}            )\n`;
}

const dictOf = (members) =>
  members.length === 1
    ? `{${members[0]}}`
    : `{\n${members.map((one) => `                    ${one},\n`).join('')}                }`;
