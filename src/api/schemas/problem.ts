// The body of every refusal (D5; RFC 9457).
import { Type } from '@sinclair/typebox';
import { type ErrorCode, PROBLEMS } from '../../errors';
import { Category, instant, link, named, nullable, oneOf, text } from './vocabulary';

const InputProblem = named(
  'InputProblem',
  Type.Object(
    {
      parameter: Type.Optional(text('Query or path parameter.')),
      pointer: Type.Optional(text('JSON pointer into the body.')),
      detail: text('What is wrong and what would be right.'),
      valid_values: Type.Optional(Type.Array(text(), { description: 'What would have been accepted.' })),
    },
    { description: 'One thing that is wrong with a request: at a `parameter`, or at a `pointer` into the body.' },
  ),
);

export const RaceCandidate = named(
  'RaceCandidate',
  Type.Object(
    {
      race_id: Type.String({ format: 'uuid', description: 'Ask again by it.' }),
      venue: text(),
      race_number: Type.Integer(),
      category: Category,
      country: nullable(text()),
      start_time: instant(),
    },
    { description: 'One of the races that a question could mean.' },
  ),
);

const ProblemCode = named(
  'ProblemCode',
  oneOf(Object.keys(PROBLEMS) as ErrorCode[], { description: 'The type in one word.' }),
);

export const Problem = named(
  'Problem',
  Type.Object(
    {
      type: link('Address of the type, constant per `code`.'),
      title: text('Constant per type.'),
      status: Type.Integer({ description: 'As the status of the answer.' }),
      detail: text('A sentence naming what is wrong.'),
      code: ProblemCode,
      request_id: text('The `X-Request-Id` of this answer: quote it when you ask about it.'),
      errors: Type.Optional(Type.Array(InputProblem, { description: 'Everything wrong with the input.' })),
      required_plan: Type.Optional(text('Id of the cheapest plan that would be allowed.')),
      upgrade_url: Type.Optional(link('Where to get it.')),
      sample: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'Some rows of what the plan does not include.' }),
      ),
      candidates: Type.Optional(
        Type.Array(RaceCandidate, { description: 'For `race_ambiguous`: the races that matched.' }),
      ),
      retry_after_seconds: Type.Optional(Type.Integer({ minimum: 0, description: 'As `Retry-After`.' })),
    },
    { description: 'Every refusal and failure (RFC 9457). Branch on `code`; `detail` is for people.' },
  ),
);
