// A stateful server that speaks Stripe's HTTP API as it is documented: keys, form bodies, errors, idempotency keys and
// request ids; and, when a test wants it, answers late, with a 500, or not at all. Sends events signed by Stripe's own
// library.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { type Params, readForm } from './form';
import { hostedPage } from './hosted';
import { type People, people } from './pages';
import { ROUTES } from './routes';
import { invalid, type StripeObject, StripeRefusal, StripeWorld } from './world';

export const TEST_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
export const TEST_SECRET = 'whsec_test_of_the_racing_service';

/** `before`: nothing is done. `after`: it is done, and the reply is lost. */
type Fault = 'reset_before' | 'reset_after' | 'error_500' | 'rate_limited';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly params: Params;
  /** As it was sent: the form, or the query. */
  readonly form: string;
  readonly key: string | undefined;
}

export interface StripeServer {
  readonly url: string;
  readonly world: StripeWorld;
  readonly people: People;
  /** Every request, in order, repetitions included. */
  readonly calls: Call[];
  /** The next requests to `METHOD /path` have this fault, one each. */
  fail(request: RegExp, ...faults: Fault[]): void;
  /** Forgets the faults that no request has met. */
  heal(): void;
  /** Runs before the request of this number, counted from the first. */
  before(call: number, work: () => void): void;
  /** The same for every request until the returned function is called. */
  failAll(fault: Fault): () => void;
  /** The next request waits for the promise after its work is done. */
  holdReply(request: RegExp, until: Promise<unknown>): void;
  /** Each such request takes so long, by the world's clock. */
  slow(request: RegExp, ms: number): void;
  /** As Stripe does after a day. */
  forgetKeys(): void;
  /** Posts an event as Stripe does. */
  deliver(
    event: StripeObject,
    to: string,
    options?: { atMs?: number; secret?: string; payload?: string },
  ): Promise<Response>;
  close(): Promise<void>;
}

interface Answer {
  readonly isRepeated?: boolean;
  readonly status: number;
  readonly body: StripeObject;
}

/** `servesPages`: its pages have addresses here. Default: those of Stripe. */
export async function startStripe(nowMs: number, { servesPages = false } = {}): Promise<StripeServer> {
  const world = new StripeWorld(nowMs);
  const visitors = people(world);
  const calls: Call[] = [];
  const faults: { request: RegExp; fault: Fault }[] = [];
  const holds: { request: RegExp; until: Promise<unknown> }[] = [];
  const planted = new Map<number, () => void>();
  const remembered = new Map<string, { call: string; answer: Answer | null }>();
  let always: Fault | null = null;
  let slowness: { request: RegExp; ms: number } | null = null;

  const once1 = <T extends { request: RegExp }>(from: T[], name: string): T | undefined => {
    const at = from.findIndex(({ request }) => request.test(name));
    return at < 0 ? undefined : from.splice(at, 1)[0];
  };

  const work = ({ method, path, params }: Call): Answer => {
    try {
      for (const [wanted, pattern, handle] of ROUTES) {
        const match = wanted === method && pattern.exec(path);
        if (match) return { status: 200, body: structuredClone(handle(world, params, match[1] ?? '')) };
      }
      throw new StripeRefusal(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${path}).`,
      });
    } catch (error) {
      if (error instanceof StripeRefusal) return { status: error.status, body: { error: error.body } };
      throw error;
    }
  };

  /** A request that was begun is answered the same again; another one under the same key is refused. */
  const idempotent = (call: Call): Answer => {
    if (!call.key || call.method === 'GET') return work(call);
    if (call.key.length > 255) {
      const message = 'Idempotency keys may be at most 255 characters long.';
      return { status: 400, body: { error: { type: 'invalid_request_error', message } } };
    }
    const name = JSON.stringify([call.method, call.path, call.params]);
    const before = remembered.get(call.key);
    if (before && before.call !== name) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.key}'.`;
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    if (before?.answer) return { ...before.answer, isRepeated: true };
    const answer = work(call);
    if (answer.status < 400) remembered.set(call.key, { call: name, answer });
    return answer;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, 'http://stripe.test');
    const body = await text(request);
    const form = [url.search.slice(1), body].filter((part) => part !== '').join('&');
    const params = readForm(form);
    const key = request.headers['idempotency-key'] as string | undefined;
    const page = hostedPage(world, visitors, url.pathname, request.method === 'POST' ? params : null);
    if (page) return void response.writeHead(page.status, page.headers).end(page.body);
    const call: Call = { method: request.method!, path: url.pathname, params, form, key };
    calls.push(call);
    planted.get(calls.length)?.();
    const name = `${call.method} ${call.path}`;
    const fault = always ?? once1(faults, name)?.fault;
    if (fault === 'reset_before') return void request.socket.destroy();
    response.setHeader('Request-Id', `req_${calls.length}`);
    const send = ({ status, body: sent, isRepeated }: Answer) => {
      if (isRepeated) response.setHeader('Idempotent-Replayed', 'true');
      if (status === 409 || status >= 500) response.setHeader('Stripe-Should-Retry', 'true');
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(sent));
    };
    if (fault === 'error_500')
      return send({ status: 500, body: { error: { type: 'api_error', message: 'Something went wrong.' } } });
    if (fault === 'rate_limited')
      return send({
        status: 429,
        body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' } },
      });
    if (request.headers.authorization !== `Bearer ${TEST_KEY}`)
      return send({
        status: 401,
        body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****7dc' } },
      });
    const type = request.headers['content-type'] ?? '';
    if (call.method === 'POST' && body !== '' && !type.startsWith('application/x-www-form-urlencoded'))
      return send({ status: 400, body: { error: invalid('The request body is not form-encoded.').body } });
    if (slowness?.request.test(name)) world.nowMs += slowness.ms;
    const done = idempotent(call);
    await once1(holds, name)?.until;
    if (fault === 'reset_after') return void request.socket.destroy();
    send(done);
  };

  const server = createServer(
    (request, response) => void answer(request, response).catch(() => request.socket.destroy()),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (servesPages) world.pages = { checkout: address, portal: address };
  return {
    url: address,
    world,
    people: visitors,
    calls,
    fail: (request, ...each) => void faults.push(...each.map((fault) => ({ request, fault }))),
    before: (call, work) => void planted.set(call, work),
    heal: () => void faults.splice(0),
    failAll(fault) {
      always = fault;
      return () => {
        always = null;
      };
    },
    holdReply: (request, until) => void holds.push({ request, until }),
    slow(request, ms) {
      slowness = { request, ms };
    },
    forgetKeys: () => remembered.clear(),
    deliver(event, to, { atMs = world.nowMs, secret = TEST_SECRET, payload = JSON.stringify(event) } = {}) {
      const timestamp = Math.floor(atMs / 1000);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: JSON.stringify(event), secret, timestamp });
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature };
      return fetch(to, { method: 'POST', headers, body: payload });
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
