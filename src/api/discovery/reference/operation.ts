// One operation of the OpenAPI document as its page shows it.
import type { Body, Member, Operation, Sample } from '../../../web/reference/model';
import type { Schema } from '../../openapi/schema';
import { clientCallsOf } from './client-calls';
import { errorsOf, exampleText, responsesOf } from './responses';
import { type SampleCall, samplesOf } from './samples';
import { membersIn, schemaText, securityText } from './schema-text';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Json = any;

/** The page of an operation. */
export const operationSlug = (operationId: string): string => operationId.replaceAll('_', '-');

export function operationOf(document: Schema, method: string, path: string, one: Json): Operation {
  const { components, servers } = document as Json;
  return {
    slug: operationSlug(one.operationId),
    method: method.toUpperCase(),
    path,
    summary: one.summary,
    paragraphs: one.description.split('\n\n'),
    authentication: securityText(one.security),
    parameters: one.parameters.map((parameter: Json) => parameterOf(parameter, components)),
    body: one.requestBody ? bodyOf(one.requestBody, components) : null,
    responses: responsesOf(one.responses, components),
    errors: errorsOf(one.responses),
    clientCalls: clientCallsOf(method, one),
    samples: callSamples(one, method, `${servers[0].url}${path}`),
  };
}

const parameterOf = ({ name, in: place, required, description, schema, example }: Json, components: Json): Member => ({
  name,
  depth: 0,
  isRequired: required === true,
  type: `${place}; ${schemaText(schema, components)}`,
  description: description ?? '',
  example: sent(example),
});

/** As it stands in an address. */
const sent = (value: unknown): string => [value].flat().join(',');

function bodyOf({ description, content }: Json, components: Json): Body {
  const { schema, example } = content['application/json'];
  return { description, members: membersIn(schema, components), example: exampleText(example) };
}

function callSamples(one: Json, method: string, url: string): readonly Sample[] {
  const isOpen = one.security.length === 0;
  if (!isOpen && !one.security.some((scheme: object) => 'ApiKeyAuth' in scheme)) return [];
  const places = (place: string): Json[] => one.parameters.filter((parameter: Json) => parameter.in === place);
  const body = one.requestBody?.content['application/json'].example;
  return samplesOf({
    method: method.toUpperCase(),
    url: places('path').reduce((text, { name, example }) => text.replace(`{${name}}`, sent(example)), url),
    query: shownQuery(places('query')).map(({ name, example }) => [name, sent(example)] as const),
    ...(body !== undefined && { body }),
    takesKey: !isOpen,
    answer: answerOf(one),
  });
}

/** What a call needs; a race by its id; otherwise the first choice that there is. */
function shownQuery(parameters: readonly Json[]): readonly Json[] {
  const needed = parameters.filter(({ name, required }) => required || name === 'race_id');
  return needed.length > 0 ? needed : parameters.filter(({ name }) => name !== 'offset').slice(0, 1);
}

function answerOf({ operationId, responses }: Json): SampleCall['answer'] {
  const types = Object.keys(responses[200]?.content ?? {});
  if (types.includes('text/event-stream')) return 'events';
  return types.length === 0 || types.includes('application/json') ? 'json' : { file: `${operationId}.csv.gz` };
}
