// The program of `npm run rehearse` (scripts/rehearse.mjs), as a separate process: `ops billing rehearse` on the
// database of the environment, against Stripe with the key of the environment, otherwise against the stateful server.
import { runCommand } from '../../../src/ops/run-command';
import { startStripe, TEST_KEY } from './server';
import { addTaxRate } from './tax';

async function main(): Promise<number> {
  const say = (line: string): void => console.log(line);
  const rehearse = (over: Readonly<Record<string, string>>) =>
    runCommand(['billing', 'rehearse'], { ...process.env, LOG_LEVEL: 'silent', ...over }, 'npm run rehearse', say);
  if (process.env.STRIPE_SECRET_KEY) {
    say('against Stripe, with the key of STRIPE_SECRET_KEY');
    return ended(await rehearse({}));
  }
  say('against the server of the tests: STRIPE_SECRET_KEY is not set, so nothing is learnt of Stripe itself');
  const stripe = await startStripe(Date.now(), { servesPages: true });
  const tax = `rate:${addTaxRate(stripe.world)}`;
  try {
    return ended(await rehearse({ STRIPE_SECRET_KEY: TEST_KEY, STRIPE_API_BASE: stripe.url, STRIPE_TAX: tax }));
  } finally {
    await stripe.close();
  }
}

function ended({ code, out, err }: Awaited<ReturnType<typeof runCommand>>): number {
  process.stdout.write(out);
  process.stderr.write(err);
  return code;
}

void main().then((code) => {
  process.exitCode = code;
});
