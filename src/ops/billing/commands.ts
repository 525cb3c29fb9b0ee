// Stripe's side of the service: its catalogue, its events, and the accounts that buy there.
import { type BillingDeps, billingStores, EVENTS_PATH } from '../../accounts/billing/deps';
import { overagePass } from '../../accounts/billing/overage-pass';
import { reconcile } from '../../accounts/billing/pass';
import type { Untaxed } from '../../accounts/billing/reading';
import { unpaidOveragePass } from '../../accounts/billing/unpaid-overage';
import { createPayments } from '../../payments/stripe/create-payments';
import type { Wiring } from '../../wiring/service';
import { type Command, Mistake } from '../command';
import { plainError } from './plain-error';
import { REHEARSE } from './rehearsal/command';

export const BILLING_COMMANDS: readonly Command[] = [
  {
    name: 'billing setup',
    synopsis: '',
    about: "bring Stripe's products, prices and portal to the plan table",
    help: 'Running it again changes nothing. A price with another amount is replaced: who has the old one keeps it.',
    run: plainly(async (wiring) => {
      const { payments } = depsOf(wiring);
      const done = await payments.setUp();
      const wrong = await payments.pricesWithTaxOnTop();
      if (wrong.length > 0) throw new Error([...done, ...wrong].join('\n'));
      return done.length > 0 ? done.join('\n') : 'Stripe has every product, price and page already';
    }),
  },
  {
    name: 'billing events',
    synopsis: '',
    about: "register the API with Stripe for its events, and print the endpoint's secret",
    help: 'BASE_URL is the public address. The secret is STRIPE_WEBHOOK_SECRET of the API; Stripe shows it again in its dashboard only.',
    run: plainly(async (wiring) => {
      const url = `${wiring.config.api.baseUrl}${EVENTS_PATH}`;
      if (!url.startsWith('https:'))
        throw new Mistake(`Stripe sends events to https only, and BASE_URL leads to ${url}.`);
      const secret = await depsOf(wiring).payments.setUpEvents(url);
      return secret
        ? `STRIPE_WEBHOOK_SECRET=${secret}`
        : `Stripe has an endpoint for ${url}: its secret is in Stripe’s dashboard`;
    }),
  },
  {
    name: 'billing reconcile',
    synopsis: '',
    about: 'read from Stripe what every account buys, and correct its plan',
    help: 'Invoices what overage is due too. The API does both within the hour; this does it now. An account that never bought anything is left as it is.',
    run: plainly(async (wiring) => {
      const deps = depsOf(wiring);
      const { read, failed, untaxed } = await reconcile(deps);
      const overage = await overagePass(deps);
      await unpaidOveragePass(deps);
      if (overage.failed > 0)
        throw new Error(`overage was not invoiced ${overage.failed} times: the log has the reasons`);
      if (failed > 0) throw new Error(`${failed} accounts were not read, and ${read} were: the log has the reasons`);
      const done = `${read} accounts are as Stripe has them, and overage was invoiced ${overage.invoiced} times`;
      return [done, ...untaxed.map(untaxedLine)].join('\n');
    }),
  },
  REHEARSE,
];

const untaxedLine = ({ accountId, subscription, reason }: Untaxed): string =>
  `GST of ${subscription} (account ${accountId}) is not as STRIPE_TAX has it: ${reason}`;

function plainly(run: (wiring: Wiring) => Promise<string>): Command['run'] {
  return (wiring) =>
    run(wiring).catch((error: unknown) => {
      throw plainError(error);
    });
}

function depsOf({ config, stores, log, wallMs }: Wiring): BillingDeps {
  const { stripe, api } = config;
  if (!stripe) throw new Mistake('STRIPE_SECRET_KEY is not set: the service takes no payments.');
  const { baseUrl } = api;
  return {
    payments: createPayments({ ...stripe, returnUrl: `${baseUrl}/account` }),
    ...billingStores(stores, wallMs),
    baseUrl,
    log,
    wallMs,
  };
}
