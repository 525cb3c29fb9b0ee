// POST /mcp: tools for language models (Model Context Protocol, Streamable HTTP, stateless). A tool is an operation:
// this file only reads the message and checks who may send it from where.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../errors';
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { goneSignal } from '../kernel/http/client-gone';
import { type ProblemLog, refusalOf } from '../kernel/http/problem';
import { mediaType, readBytes, USUAL_BODY_BYTES } from '../kernel/input/body';
import { type JsonBounds, measure } from '../kernel/input/json-bounds';
import type { IpLimit } from '../kernel/limits/ip-limit';
import { clientOf } from '../kernel/session/client-address';
import type { WorkLimits } from '../kernel/work/work-limits';
import { type AskOperation, callTool } from './call';
import type { AskInProcess } from './in-process';
import { answerMessage } from './protocol';
import { toolsOf } from './tools';

export const MCP_PATH = '/mcp';

interface McpDeps {
  readonly endpoints: readonly Endpoint[];
  readonly ipLimit: IpLimit;
  readonly work: WorkLimits;
  readonly ask: AskInProcess;
  readonly log: ProblemLog;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Of the service: a page of another origin may not send messages. */
  readonly ownOrigins: readonly string[];
}

export function mcpRoutes(router: Router, deps: McpDeps): void {
  const { ipLimit, work, ask } = deps;
  const requireOwnPlace = placeCheck(deps.ownOrigins);
  const answer = answering(deps);
  router.post(MCP_PATH, async (ctx) => {
    const { network } = clientOf(ctx);
    work.admitKeyless(ctx, network, MCP_PATH);
    const gone = goneSignal(ctx);
    let isAsked = false;
    try {
      requireOwnPlace(ctx);
      await answer(ctx, (request) => {
        gone.throwIfAborted();
        isAsked = true;
        return ask(ctx, request, gone);
      });
      gone.throwIfAborted();
    } finally {
      // What was asked counts the message when it judges it. Everything else, refusals too, is counted by its address.
      if (!isAsked) await ipLimit.takeKeyless(network);
    }
  });
}

function answering({ endpoints, baseUrl, log }: McpDeps): (ctx: Context, ask: AskOperation) => Promise<void> {
  const tools = new Map(toolsOf(endpoints).map((one) => [one.name, one]));
  const listed = [...tools.values()].map((one) => one.listed);
  const reference = `${baseUrl}/llms.txt`;
  return async (ctx, ask) => {
    const message = await readMessage(ctx);
    if ('error' in message) return sendJson(ctx, 400, JSON.stringify(message.error));
    const response = await answerMessage(webRequest(ctx, baseUrl), message.parsed, {
      tools: listed,
      reference: {
        uri: reference,
        read: () => withoutDetails(ctx, log, async () => (await ask({ method: 'GET', path: '/llms.txt' })).text),
      },
      call: (name, given) => {
        const tool = tools.get(name);
        return tool ? withoutDetails(ctx, log, () => callTool(tool, given, { ask, baseUrl })) : null;
      },
    });
    sendJson(ctx, response.status, await response.text());
  };
}

/** The protocol sends the message of whatever is thrown, and logs nothing. */
async function withoutDetails<T>(ctx: Context, log: ProblemLog, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { message } = refusalOf(ctx, error, log);
    throw new Error(`${message} The id of this request is ${ctx.state.requestId}.`);
  }
}

type Message = { readonly parsed: unknown } | { readonly error: object };

/** Above what any tool takes. */
const BOUNDS: JsonBounds = { depth: 32, values: 20_000, members: 1000, most: null };

/** A message is one object: a list of messages (a batch) is not part of the protocol. */
async function readMessage(ctx: Context): Promise<Message> {
  if (mediaType(ctx.req) !== 'application/json')
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
  const bytes = await readBytes(ctx.req, USUAL_BODY_BYTES);
  const { excess } = measure(bytes, BOUNDS);
  if (excess !== null) return malformed(-32_600, excess);
  try {
    const parsed: unknown = JSON.parse(bytes.toString());
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { parsed };
    return malformed(-32_600, 'Send one JSON-RPC message: batches are not part of the protocol.');
  } catch {
    return malformed(-32_700, 'The body is not JSON.');
  }
}

/** Codes of JSON-RPC 2.0. */
const malformed = (code: number, message: string) => ({
  error: { jsonrpc: '2.0', id: null, error: { code, message } },
});

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a page of another site, and a name that someone else pointed to this service (DNS rebinding). Programs on the
 * sender's own machine may have pages.
 */
function placeCheck(ownOrigins: readonly string[]): (ctx: Context) => void {
  const names = new Set([...ownOrigins.map((one) => new URL(one).hostname), ...THIS_MACHINE]);
  const isOwn = (url: string): boolean => URL.canParse(url) && names.has(new URL(url).hostname);
  return ({ req: { headers } }) => {
    if (headers.origin !== undefined && !isOwn(headers.origin))
      throw new AppError('origin_not_allowed', 'Pages of other sites may not send messages to /mcp.');
    if (headers.host !== undefined && headers.host !== '' && !isOwn(`http://${headers.host}`))
      throw new AppError('origin_not_allowed', `/mcp is served at ${ownOrigins[0]}${MCP_PATH}, under no other name.`);
  };
}

/** Without the body, which was read. */
function webRequest(ctx: Context, baseUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.req.headers))
    if (typeof value === 'string' && FOR_THE_PROTOCOL.test(name)) headers.set(name, value);
  return new Request(`${baseUrl}${MCP_PATH}`, { method: 'POST', headers, body: '{}' });
}

const FOR_THE_PROTOCOL = /^(?:accept|content-type|last-event-id|mcp-.*)$/;

function sendJson(ctx: Context, status: number, text: string): void {
  ctx.body = text === '' ? null : text;
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  if (text !== '') ctx.type = 'application/json';
}
