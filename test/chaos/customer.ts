// Customers who keep calling while parts are killed. One records every bad response: an error, a board without races, a
// figure without its age or with a wrong age. The other pays, and counts what its responses cost.
import { setTimeout as delay } from 'node:timers/promises';
import { issueKey } from '../../src/ops/issue-key';
import { createKeyStore } from '../../src/store/keys/keys';
import { PATIENT_MS } from '../support/patient';
import { type Service, waitFor } from '../support/servers/service';

export interface Customer {
  /** Calls without a pause for this long, in wall time. */
  callFor(ms: number): Promise<void>;
  /** The faults of the responses since the last call, each once. */
  unanswered(): readonly string[];
}

interface Quote {
  readonly last_update: string;
  readonly age_seconds: number;
}
interface Race {
  readonly runners: readonly { readonly bookmakers?: readonly Quote[]; readonly best_win?: Quote | null }[];
}

const PATHS = ['next-to-go?num_races=20', 'best-odds'];
/** A response is cached for a second of wall time, and its ages are whole seconds. This is in race seconds. */
const AGE_SLACK_SECONDS = 4;

export interface Payer {
  /**
   * Calls from several connections while `work` runs: it is served before `work` begins, and again after it has ended.
   */
  payDuring(work: () => Promise<void>): Promise<void>;
  /** Credits of all its responses so far. */
  paid(): number;
  /** Responses that are neither a 200 nor a refusal that may be retried. */
  wrong(): readonly string[];
}

const LANES = 4;
const PAID_PATH = '/v1/racing/next-to-go?num_races=1';

/** `url`: the API's address. */
export async function openPayer(service: Service, url: string): Promise<Payer & { readonly key: string }> {
  const keys = createKeyStore(service.db.pool);
  const key = await issueKey(keys, { label: 'payer', plan: 'enterprise', role: 'customer' }, new Date().toISOString());
  const wrong = new Set<string>();
  let paid = 0;
  let served = 0;
  const call = async (): Promise<void> => {
    const headers = { 'X-API-Key': key, connection: 'close' };
    const reply = await fetch(url + PAID_PATH, { headers });
    await reply.arrayBuffer();
    if (reply.status === 200) {
      served++;
      paid += Number(reply.headers.get('x-credits-cost'));
    } else if (reply.status !== 503 || !reply.headers.has('retry-after')) wrong.add(`${reply.status}`);
  };
  return {
    key,
    async payDuring(work) {
      let done = false;
      const servedAgain = (from: number) => waitFor(async () => served > from + LANES, PATIENT_MS);
      const lane = async (): Promise<void> => {
        for (; !done; await delay(50)) await call().catch((error: Error) => wrong.add(error.message));
      };
      const lanes = Array.from({ length: LANES }, lane);
      try {
        await servedAgain(served);
        await work();
        await servedAgain(served);
      } finally {
        done = true;
        await Promise.all(lanes);
      }
    },
    paid: () => paid,
    wrong: () => [...wrong],
  };
}

export async function openCustomer(service: Service, url: string): Promise<Customer> {
  const keys = createKeyStore(service.db.pool);
  // Not metered: calls that cost credits are refused while the database is unavailable (D36).
  const key = await issueKey(keys, { label: 'chaos', plan: 'enterprise', role: 'internal' }, new Date().toISOString());
  const wrong = new Set<string>();
  const call = async (path: string): Promise<void> => {
    const sentMs = service.now();
    // A separate connection: the other side may close a kept one while this machine stands still.
    const headers = { 'X-API-Key': key, connection: 'close' };
    const reply = await fetch(`${url}/v1/racing/${path}`, { headers }).catch(() => null);
    const answeredMs = service.now();
    if (reply?.status !== 200) return void wrong.add(`${path}: ${reply?.status ?? 'no answer'}`);
    const races = (await reply.json()) as Race[];
    if (races.length === 0) wrong.add(`${path}: no races`);
    for (const quote of races.flatMap(quotesOf)) {
      // True at some instant between request and response, however far apart they are.
      const [least, most] = [sentMs, answeredMs].map((ms) => (ms - Date.parse(quote.last_update)) / 1000);
      const isTrue = quote.age_seconds > least! - AGE_SLACK_SECONDS && quote.age_seconds < most! + AGE_SLACK_SECONDS;
      if (!isTrue) wrong.add(`${path}: an age that is not true`);
    }
  };
  for (const path of PATHS) await call(path);
  return {
    callFor: async (ms) => {
      for (const until = Date.now() + ms; Date.now() < until; await delay(100)) await Promise.all(PATHS.map(call));
    },
    unanswered: () => {
      const seen = [...wrong];
      wrong.clear();
      return seen;
    },
  };
}

const quotesOf = (race: Race): Quote[] =>
  race.runners.flatMap(({ bookmakers = [], best_win }) => [...bookmakers, ...(best_win ? [best_win] : [])]);
