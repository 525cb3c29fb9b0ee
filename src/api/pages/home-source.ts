// The source of the home page: a call of the API, answered by its own operation as a key of the free plan gets it. No
// key is sent and nothing is charged.
import { FREE } from '../../plans/plans';
import type { HomeSource } from '../../web/home/model';
import { rightsOf } from '../kernel/endpoint/caller';
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { queryReader } from '../kernel/input/query';

interface HomeSourceDeps {
  readonly endpoints: readonly Endpoint[];
  /** Those that the operations are bound to. */
  readonly services: object;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

const OPERATION = 'next_to_go';
const SENT = 'num_races=1';
const SECOND_MS = 1000;

export function createHomeSource({ endpoints, services, baseUrl }: HomeSourceDeps): HomeSource {
  const operation = endpoints.find(({ operationId }) => operationId === OPERATION);
  if (!operation) throw new Error(`no operation ${OPERATION}`);
  const { query } = queryReader(operation.query)(SENT);
  const facts = {
    address: `${baseUrl}${operation.path}?${SENT}`,
    page: `/docs/${OPERATION.replaceAll('_', '-')}`,
  };
  return {
    async call(ms) {
      // As a call over HTTP sees the time.
      const nowMs = Math.floor(ms / SECOND_MS) * SECOND_MS;
      const rights = rightsOf({ plan: FREE, issuedAt: new Date(nowMs).toISOString() });
      const call = { audience: CUSTOMERS, rights, query, nowMs, services, params: {}, body: undefined };
      const noCaller = { caller: null, account: null, session: null, browser: null, idempotencyKey: null, gone: null };
      const reply = await operation.handler({ ...call, ...noCaller } as never);
      if (!('bytes' in reply)) throw new Error('the operation returned something else than races');
      return { ...facts, answer: JSON.parse(reply.bytes.toString()) as unknown, atMs: nowMs };
    },
  };
}
