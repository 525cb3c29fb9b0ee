// A customer who keeps calling while parts are killed and records every bad response: an error, a board without
// races, a figure without its age or with a wrong age.
import { setTimeout as delay } from 'node:timers/promises';
import { issueKey } from '../../src/ops/issue-key';
import { createKeyStore } from '../../src/store/keys';
import type { Service } from '../support/servers/service';

export interface Customer {
  /** Calls without a pause for so long, wall time. */
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
/** A response is cached for a second of wall time, and its ages are whole seconds. In race seconds. */
const AGE_SLACK_SECONDS = 4;

export async function openCustomer(service: Service): Promise<Customer> {
  const keys = createKeyStore(service.db.pool);
  // Not metered: what costs credits is refused while the database is away (D36).
  const key = await issueKey(keys, { label: 'chaos', plan: 'enterprise', role: 'internal' }, new Date().toISOString());
  const { url } = await service.startApi();
  const wrong = new Set<string>();
  const call = async (path: string): Promise<void> => {
    const sentMs = service.now();
    // A connection of its own: a kept one may be closed by the other side while this machine stands still.
    const headers = { 'X-API-Key': key, connection: 'close' };
    const reply = await fetch(`${url}/v1/racing/${path}`, { headers }).catch(() => null);
    const answeredMs = service.now();
    if (reply?.status !== 200) return void wrong.add(`${path}: ${reply?.status ?? 'no answer'}`);
    const races = (await reply.json()) as Race[];
    if (races.length === 0) wrong.add(`${path}: no races`);
    for (const quote of races.flatMap(quotesOf)) {
      // True at some instant between request and response, however far these are apart.
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
