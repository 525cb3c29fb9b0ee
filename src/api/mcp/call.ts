// Calls the operation of a tool and gives its answer in the form of the protocol: JSON that fits a model's context, and
// a sentence with what it cost and what was left out. A refusal is an answer too, from which a model can go on.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { requestOf } from './arguments';
import { type Cut, fitted } from './fitted';
import type { InnerRequest, InnerResponse } from './in-process';
import type { McpTool } from './tools';

/** Of the JSON of one answer. */
export const MOST_ANSWER_BYTES = 24_000;

/** The member of `_meta` with what the headers of a response state. */
const CALL_META = 'racing-odds/call';

/** For the message that is answered. */
export type AskOperation = (request: InnerRequest) => Promise<InnerResponse>;

interface CallDeps {
  readonly ask: AskOperation;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

export async function callTool(
  tool: McpTool,
  given: Readonly<Record<string, unknown>>,
  { ask, baseUrl }: CallDeps,
): Promise<CallToolResult> {
  const request = requestOf(tool, given);
  if ('refused' in request) return { isError: true, content: blocks(`${request.refused} Nothing was charged.`) };
  const response = await ask(request);
  const isError = response.status !== 200;
  const { text, cuts } = fitted(response.text, MOST_ANSWER_BYTES);
  const notes = [
    spentOf(response),
    ...cutOf(cuts),
    ...(cuts.length > 0 ? restOf(tool, cuts[0]!, request, baseUrl) : []),
  ];
  return {
    ...(isError && { isError }),
    content: isError ? blocks(refusalOf(response), text, ...notes) : blocks(text, ...notes),
    _meta: { [CALL_META]: factsOf(tool, response) },
  };
}

/** The JSON of the operation alone, and what there is to say about it. */
const blocks = (first: string, ...others: readonly string[]): CallToolResult['content'] =>
  [first, others.filter((one) => one !== '').join(' ')]
    .filter((text) => text !== '')
    .map((text) => ({ type: 'text' as const, text }));

/** Absent: the response does not state it. */
function factsOf({ endpoint }: McpTool, { status, header }: InnerResponse): Readonly<Record<string, unknown>> {
  const figure = (name: string) => {
    const text = header(name);
    return text === undefined ? undefined : Number.isNaN(Number(text)) ? text : Number(text);
  };
  return {
    operation: endpoint.operationId,
    status,
    request_id: header('x-request-id'),
    credits_cost: figure('x-credits-cost'),
    credits_used: figure('x-credits-used'),
    credits_remaining: figure('x-credits-remaining'),
    data_age_seconds: figure('x-data-age-seconds'),
    requests_remaining: figure('x-ratelimit-remaining'),
    retry_after_seconds: figure('retry-after'),
  };
}

/** Empty: the response states no cost. */
function spentOf({ header }: InnerResponse): string {
  const cost = header('x-credits-cost');
  if (cost === undefined) return '';
  const left = header('x-credits-remaining');
  return `Cost: ${cost} ${cost === '1' ? 'credit' : 'credits'}${left === undefined ? '' : `; ${left} left`}.`;
}

/** A sentence to go on from. */
function refusalOf({ text, header }: InnerResponse): string {
  const { title, detail, type } = JSON.parse(text) as Readonly<Record<string, string>>;
  const wait = header('retry-after');
  return `${title}. ${detail} ${wait === undefined ? `What to do: ${type}` : `Call again after ${wait} seconds.`}`;
}

/** Parameters that make an answer shorter, in the order in which they are worth trying. */
const NARROWING = [
  ...['race_id', 'venue', 'bookmakers', 'markets', 'market', 'event_ids', 'competition', 'categories', 'country'],
  ...['date', 'hours_ahead', 'hours_back', 'days', 'max_points', 'name', 'state', 'status'],
];

const cutOf = (cuts: readonly Cut[]): readonly string[] =>
  cuts.length === 0
    ? []
    : [
        `This answer is cut to ${MOST_ANSWER_BYTES / 1000} kB: ${cuts.map(shown).join('; ')}.`,
        'All other figures are those of the whole answer.',
      ];

function shown({ path, kept, of }: Cut): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return `it has the first ${kept} of ${of} items of ${place === '' ? 'the list' : place.replace(/^\./, '')}`;
}

/** How to get what was left out. */
function restOf(tool: McpTool, outermost: Cut, request: InnerRequest, baseUrl: string): readonly string[] {
  const { endpoint, defaults } = tool;
  const has = (name: string): boolean => name in (endpoint.query ?? {});
  const rows = Object.keys(defaults)[0];
  const isPage = has('offset') && outermost.path.length <= 1;
  const skipped = Number(new URLSearchParams(request.path.split('?')[1]).get('offset') ?? 0);
  const narrowing = NARROWING.filter(has);
  return [
    ...(isPage ? [`Call again with offset ${skipped + outermost.kept} for the next items.`] : []),
    ...(rows !== undefined ? [`AskOperation for fewer with ${rows}.`] : []),
    ...(narrowing.length > 0 ? [`Narrow it with ${narrowing.join(', ')}.`] : []),
    `Without a model: ${request.method} ${baseUrl}${request.path}. Each call costs its credits.`,
  ];
}
