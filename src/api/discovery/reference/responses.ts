// The responses of an operation of the OpenAPI document: successes with members and examples, refusals by code.
import type { ErrorEntry, Response } from '../../../web/reference/model';
import { eventsIn, membersIn } from './schema-text';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Json = any;

export const exampleText = (example: unknown): string | null => {
  if (example === undefined || example === '') return null;
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
};

const isRefusal = (status: string): boolean => Number(status) >= 400;

export const responsesOf = (responses: Json, components: Json): readonly Response[] =>
  Object.entries<Json>(responses)
    .filter(([status]) => !isRefusal(status))
    .map(([status, { description, content = {} }]) => ({
      status,
      description,
      media: Object.entries<Json>(content).map(([type, { example }]) => ({ type, example: exampleText(example) })),
      members: [
        ...membersIn(content['application/json']?.schema ?? {}, components),
        ...eventsIn(content['text/event-stream']?.schema ?? {}, components),
      ],
    }));

export const errorsOf = (responses: Json): readonly ErrorEntry[] =>
  Object.entries<Json>(responses)
    .filter(([status]) => isRefusal(status))
    .map(([status, { content }]) => ({ status, codes: Object.keys(content['application/problem+json'].examples) }));
