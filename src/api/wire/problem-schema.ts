// The body of every error response (D5; RFC 9457).
import { Type } from '@sinclair/typebox';
import { type ErrorCode, PROBLEMS } from '../../errors';
import { Unavailable } from './unavailable';
import { Category, instant, link, named, nullable, oneOf, text } from './vocabulary';

const InputProblem = named(
  'InputProblem',
  Type.Object(
    {
      parameter: Type.Optional(text('Query or path parameter.')),
      pointer: Type.Optional(text('JSON pointer into the body.')),
      detail: text('What is wrong, and what is valid.'),
      valid_values: Type.Optional(Type.Array(text(), { description: 'Values that are accepted.' })),
    },
    { description: 'One problem with a request, at a `parameter` or at a `pointer` into the body.' },
  ),
);

export const RaceCandidate = named(
  'RaceCandidate',
  Type.Object(
    {
      race_id: Type.String({ format: 'uuid', description: 'Repeat the request with this id.' }),
      venue: text(),
      race_number: Type.Integer(),
      category: Category,
      country: nullable(text()),
      start_time: instant(),
    },
    { description: 'One of the races that match the request.' },
  ),
);

const ProblemCode = named(
  'ProblemCode',
  oneOf(Object.keys(PROBLEMS) as ErrorCode[], { description: 'The problem type as a short code.' }),
);

export const Problem = named(
  'Problem',
  Type.Object(
    {
      type: link('Address of a page about the problem, constant per `code`.'),
      title: text('Title of the problem type, constant per `code`.'),
      status: Type.Integer({ description: 'HTTP status of the response.' }),
      detail: text('What is wrong with this request, as a sentence.'),
      code: ProblemCode,
      request_id: text('The `X-Request-Id` of this response. Quote it when you contact support.'),
      errors: Type.Optional(
        Type.Array(InputProblem, {
          description: 'The problems with the input: the first 30, then how many more there are.',
        }),
      ),
      required_plan: Type.Optional(text('Id of the cheapest plan that allows the request.')),
      upgrade_url: Type.Optional(link('Where to upgrade to it.')),
      required_scope: Type.Optional(text('For `scope_required`: the scope that the key lacks.')),
      sample: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'Sample rows of the data that the plan does not include.' }),
      ),
      candidates: Type.Optional(
        Type.Array(RaceCandidate, { description: 'For `race_ambiguous`: the races that matched.' }),
      ),
      retry_after_seconds: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Seconds to wait, as in `Retry-After`.' }),
      ),
      suggestion: Type.Optional(text('For `undeliverable_address`: the address that was probably meant.')),
      reason: Type.Optional(
        oneOf(['replaced'], {
          description:
            'For the end of a stream. `replaced`: another connection took the place of this one, with its `Last-Event-ID`.',
        }),
      ),
      unavailable: Type.Optional(
        Type.Array(Unavailable, { description: 'For `unavailable`: what a report cannot measure now.' }),
      ),
    },
    { description: 'Body of every error response (RFC 9457). Branch on `code`; `detail` is for people.' },
  ),
);
