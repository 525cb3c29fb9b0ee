// One message of the Model Context Protocol, answered by a server of its own: nothing is kept between two messages.
// Serves the revision of 2026 and those before it, always with one JSON body.
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { PROMPTS } from './prompts';

/** What a message may ask for. */
interface McpCatalogue {
  readonly tools: ListToolsResult['tools'];
  /** The reference for models, which is read when it is asked for. */
  readonly reference: { readonly uri: string; readonly read: () => Promise<string> };
  /** Null: there is no such tool. */
  readonly call: (name: string, given: Readonly<Record<string, unknown>>) => Promise<CallToolResult> | null;
}

/** At the first message, because it takes 70 ms and 30 MB. */
const loadProtocol = () => import('@modelcontextprotocol/server');

type Protocol = Awaited<ReturnType<typeof loadProtocol>>;

const IDENTITY = { name: 'racing-odds', title: 'Racing Odds Service', version: '0.1.0' };

/** The lists change with a release only. */
const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const CACHED = {
  'tools/list': HOUR,
  'prompts/list': HOUR,
  'resources/list': HOUR,
  'resources/templates/list': HOUR,
  'resources/read': HOUR,
};

const INSTRUCTIONS =
  'Australian racing and sports odds of many bookmakers, results, form and past prices. Every call costs the credits that its tool states, from the account of the key in X-API-Key; refusals are free. Prices are decimal odds with their age, instants are UTC, meeting days are days in Australia/Sydney, and null means unknown, never 0. Long answers are cut at whole items and say so. AskOperation for few races or rows, and narrow by venue, category or bookmaker.';

/** `parsed`: the body of the request. Resolves to the response of the protocol. */
export async function answerMessage(request: Request, parsed: unknown, catalogue: McpCatalogue): Promise<Response> {
  const protocol = await loadProtocol();
  const server = serverOf(protocol, catalogue);
  if (!(await protocol.isLegacyRequest(request, parsed))) {
    // Streams of notifications are not served: the lists never change.
    const handler = protocol.createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: parsed });
  }
  const stateless = { sessionIdGenerator: undefined, enableJsonResponse: true };
  const transport = new protocol.WebStandardStreamableHTTPServerTransport(stateless);
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody: parsed });
  } finally {
    await server.close();
  }
}

function serverOf(protocol: Protocol, { tools, reference, call }: McpCatalogue): InstanceType<Protocol['Server']> {
  const { Server: NewServer, ProtocolError, ProtocolErrorCode } = protocol;
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const server = new NewServer(IDENTITY, { capabilities, instructions: INSTRUCTIONS, cacheHints: CACHED });
  const invalid = (sentence: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const called = call(params.name, params.arguments ?? {});
    if (!called) throw invalid(`There is no tool '${params.name}'.`);
    return called;
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ text: _, arguments: own, ...listed }) => ({ ...listed, arguments: [...own] })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const found = PROMPTS.find(({ name }) => name === params.name);
    if (!found) throw invalid(`There is no prompt '${params.name}'.`);
    const given = params.arguments ?? {};
    const missing = found.arguments.filter(({ name, required }) => required && !given[name]);
    if (missing.length > 0) throw invalid(`Name a value of ${missing.map(({ name }) => name).join(' and ')}.`);
    const content = { type: 'text' as const, text: found.text(given) };
    return { description: found.description, messages: [{ role: 'user' as const, content }] };
  });
  const { uri, read } = reference;
  const listed = { uri, name: 'reference', title: 'Reference for language models', mimeType: 'text/plain' };
  server.setRequestHandler('resources/list', () => ({ resources: [listed] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    if (params.uri !== uri) throw new protocol.ResourceNotFoundError(params.uri);
    return { contents: [{ uri, mimeType: listed.mimeType, text: await read() }] };
  });
  return server;
}
