// Which operations language models may call, and how each is described to them: from the declarations, so that a new
// operation that reads is a tool without a line here. Nothing that changes an account, a key or money is a tool.
import type { TSchema } from '@sinclair/typebox';
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { componentsOf, parametersOf, type Schema, wire } from '../openapi/schema';

export interface McpTool {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** What is sent where a call names no value: a smaller number of rows than the operation's own. */
  readonly defaults: Readonly<Record<string, number>>;
  /** As `tools/list` has it. */
  readonly listed: ListedTool;
}

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: 'object' };
  readonly annotations: object;
}

/** The names that `puntersedge-mcp` gave to operations. All others are named by their `operationId`. */
const PUBLISHED_NAMES: Readonly<Record<string, string>> = {
  race_events: 'racing_events',
  next_to_go: 'racing_next_to_go',
  movers: 'racing_movers',
  track_conditions: 'racing_track_conditions',
  race_results: 'racing_results',
  results_coverage: 'racing_results_coverage',
  acceptances: 'racing_acceptances',
  race_markets: 'racing_markets',
  race_clv: 'racing_clv',
  price_history: 'racing_price_history',
  closing_lines: 'racing_closing_lines',
  closing_lines_coverage: 'racing_closing_lines_coverage',
  get_sport_odds: 'sports_odds',
  best_prices: 'arb_best_prices',
  usage: 'check_usage',
  billing_overage: 'check_overage',
  demo_racing_next_to_go: 'demo_next_to_go',
};

/** Operations that read, but are no tools. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  account: 'It has the address of the owner.',
  referral: 'It is about money, which the owner sees in the console.',
  list_webhooks: 'Webhooks are set up and followed by programs.',
  list_webhook_events: 'Webhooks are set up and followed by programs.',
  list_webhook_deliveries: 'Webhooks are set up and followed by programs.',
};

/** A POST that changes nothing: its body is a question that is too long for an address. */
const READS_BY_POST: readonly string[] = ['race_clv'];

/** The key is that of the caller; `primary_key` is for those who manage the account. */
const isOpenToKeys = ({ auth, tag }: Endpoint): boolean =>
  auth === 'key' || auth === 'session_or_key' || (auth === 'none' && tag === 'Sandbox');

const reads = ({ method, operationId, currentKeyOnly }: Endpoint): boolean =>
  (method === 'get' && !currentKeyOnly) || READS_BY_POST.includes(operationId);

const answersWithJson = ({ servesFile, sendsEvents, redirects }: Endpoint): boolean =>
  !servesFile && !sendsEvents && redirects === undefined;

export function toolsOf(endpoints: readonly Endpoint[]): readonly McpTool[] {
  return endpoints
    .filter((one) => isOpenToKeys(one) && reads(one) && answersWithJson(one) && !(one.operationId in LEFT_OUT))
    .map(toolOf);
}

function toolOf(endpoint: Endpoint): McpTool {
  const { operationId, summary, description, cost, gate } = endpoint;
  const name = PUBLISHED_NAMES[operationId] ?? operationId;
  const defaults = defaultsOf(endpoint);
  const listed = {
    name,
    title: summary,
    description: [description, `Cost: ${cost.text}.`, ...(gate ? [gate.text] : [])].join('\n\n'),
    inputSchema: inputSchema(endpoint, defaults),
    // The sources are this service's own records, whatever the arguments.
    annotations: { title: summary, readOnlyHint: true, openWorldHint: false },
  };
  return { name, endpoint, defaults, listed };
}

/** The numbers of rows that fit a model's context in most answers. */
const FEWER: Readonly<Record<string, number>> = { num_races: 3, limit: 20 };

function defaultsOf({ query = {} }: Endpoint): Readonly<Record<string, number>> {
  const own = query as Readonly<Record<string, TSchema>>;
  const fewer = Object.entries(FEWER).filter(
    ([name, rows]) => !isAlias(own[name]) && Number(own[name]?.default) > rows,
  );
  return Object.fromEntries(fewer);
}

const isAlias = (parameter: TSchema | undefined): boolean => parameter?.['x-alias-of'] !== undefined;

/** Every parameter but aliases and `format`: a tool answers with JSON. */
function inputSchema(one: Endpoint, defaults: McpTool['defaults']): ListedTool['inputSchema'] {
  const { schemas } = componentsOf();
  if (one.body) return inlined(wire(one.body, schemas), schemas) as ListedTool['inputSchema'];
  const asked = Object.entries<TSchema>(one.query ?? {}).filter(
    ([name, parameter]) => !isAlias(parameter) && !(one.rowFormats && name === 'format'),
  );
  const listed = [
    ...parametersOf(one.params ?? {}, 'path', schemas),
    ...parametersOf(Object.fromEntries(asked), 'query', schemas),
  ];
  const properties = listed.map(({ name, description, schema }) => {
    const fewer = defaults[name as string];
    const shown = { ...inlined(schema, schemas), ...(fewer !== undefined && { default: fewer }) };
    return [name, description === undefined ? shown : { ...shown, description }] as const;
  });
  const required = listed.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/**
 * In the words that every host of models knows: no references to components, no formats of this service, and one type
 * for each value, because what is unknown is left out.
 */
function inlined(value: unknown, schemas: Readonly<Record<string, Schema>>): Schema {
  return copy(value) as Schema;

  function copy(one: unknown): unknown {
    if (Array.isArray(one)) return one.map(copy);
    if (typeof one !== 'object' || one === null) return one;
    const { $ref, format, type, ...own } = one as Schema;
    const target = typeof $ref === 'string' ? copy(schemas[$ref.split('/').at(-1)!]) : {};
    const known = typeof format === 'string' && KNOWN_FORMATS.includes(format) ? { format } : {};
    const only = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
    const members = Object.entries(own).map(([name, member]) => [name, copy(member)]);
    return {
      ...(target as Schema),
      ...(only !== undefined && { type: only }),
      ...known,
      ...Object.fromEntries(members),
    };
  }
}

const KNOWN_FORMATS: readonly string[] = ['date', 'date-time', 'uuid'];
