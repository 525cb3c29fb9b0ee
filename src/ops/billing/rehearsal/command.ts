// `ops billing rehearse`: with a key of Stripe's test mode only, and on a database that it makes and drops.
import { randomBytes } from 'node:crypto';
import { createOwnDatabase } from '../../../store/own-database';
import type { Wiring } from '../../../wiring/service';
import { type Command, NotRun } from '../../command';
import { rehearse } from './rehearse';

export const REHEARSE: Command = {
  name: 'billing rehearse',
  synopsis: '',
  about: 'rehearse every payment from the first to the turn of a year in the test mode of Stripe',
  help: [
    'Needs STRIPE_SECRET_KEY=sk_test_… and STRIPE_TAX; a key of the live mode is refused. Takes five to ten minutes with Stripe.',
    'Makes a database of its own on the server of DATABASE_URL, whose login may create databases, and drops it. It reads and writes no other.',
    'At Stripe the catalogue and the portal of billing setup stay; customers and subscriptions go with their test clock.',
    'Without a key, npm run rehearse in a checkout rehearses against the server of the tests.',
    'Exit codes: 0 every step was as expected · 1 one was not, or something is left · 3 there is no key of the test mode, nothing was done.',
  ].join('\n'),
  run: (wiring, _, say) => interruptible((signal) => rehearsed(wiring, signal, say)),
};

async function rehearsed(wiring: Wiring, signal: AbortSignal, say: (line: string) => void): Promise<string> {
  const stripe = testModeOf(wiring);
  const { pool: admin, config, wallMs } = wiring;
  const suffix = randomBytes(6).toString('hex');
  const database = await createOwnDatabase(admin, config.databaseDirectUrl, suffix);
  say(`the database ${database.name} is made`);
  try {
    const isAsExpected = await rehearse({
      ...{ stripe, pool: database.pool, baseUrl: config.api.baseUrl, say, signal },
      name: `Rehearsal ${suffix}`,
      beginMs: beginOf(wallMs()),
    });
    if (!isAsExpected) throw new Error('The rehearsal failed: the lines above have the reason.');
    return 'every step was as expected';
  } finally {
    await database.drop();
    say('the database is dropped');
  }
}

/** Throws unless payments cannot cost anybody anything. */
function testModeOf({ config: { stripe } }: Wiring) {
  const advice = 'Nothing was rehearsed: give a key of the test mode (sk_test_…).';
  if (!stripe) throw new NotRun(`STRIPE_SECRET_KEY is not set. ${advice}`);
  if (/^(sk|rk)_test_/.test(stripe.secretKey)) return stripe;
  throw new NotRun(`STRIPE_SECRET_KEY is of the live mode, in which a rehearsal would buy. ${advice}`);
}

/** The 10th of the month: far from both of its ends. */
function beginOf(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 10, 3);
}

/** A step that is under way ends, and what was made is removed. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const end = () => stop.abort(new Error('the rehearsal was interrupted'));
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, end);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of names) process.off(name, end);
  }
}
