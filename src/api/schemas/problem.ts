// The body of every refusal (D5; RFC 9457).
import { Type } from '@sinclair/typebox';
import { type ErrorCode, PROBLEMS } from '../../errors';
import { link, named, oneOf, text } from './vocabulary';

const InputProblem = Type.Object({
  parameter: Type.Optional(text('Query or path parameter.')),
  pointer: Type.Optional(text('JSON pointer into the body.')),
  detail: text('What is wrong and what would be right.'),
  valid_values: Type.Optional(Type.Array(text())),
});

export const Problem = named(
  'Problem',
  Type.Object(
    {
      type: link('Address of the type, constant per `code`.'),
      title: text('Constant per type.'),
      status: Type.Integer(),
      detail: text('A sentence naming what is wrong.'),
      code: oneOf(Object.keys(PROBLEMS) as ErrorCode[], { description: 'The type in one word.' }),
      request_id: text(),
      errors: Type.Optional(Type.Array(InputProblem, { description: 'Everything wrong with the input.' })),
      required_plan: Type.Optional(text('The cheapest plan that would be allowed.')),
      upgrade_url: Type.Optional(link('Where to get it.')),
      sample: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'Some rows of what the plan does not include.' }),
      ),
      candidates: Type.Optional(Type.Array(Type.Unknown(), { description: 'The races that matched.' })),
      retry_after_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { description: 'A refusal.' },
  ),
);
