// Stripe's pages for customers, as documents with forms: checkout, and the portal with invoices and the card. What a
// form does is what `people` do. Cards are Stripe's documented test numbers.
import { type Params, param } from './form';
import type { People } from './pages';
import type { StripeObject, StripeWorld } from './world';

export interface Hosted {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const DECLINED_CARD = '4000000000000002';

/** `form`: of a POST. Null: there is no such page. */
export function hostedPage(world: StripeWorld, visitors: People, path: string, form: Params | null): Hosted | null {
  const [, kind, id = ''] = /^\/(c\/pay|p\/session)\/(\w+)$/.exec(path) ?? [];
  const page = world.objects.get(id);
  if (kind === undefined || !page) return null;
  if (kind === 'c/pay') return form ? pay(world, visitors, page, form) : checkoutPage(world, page);
  return form ? change(world, visitors, page, form) : portalPage(world, page);
}

const declines = (form: Params): boolean => param(form, 'card')?.replaceAll(' ', '') === DECLINED_CARD;

function pay(world: StripeWorld, visitors: People, session: StripeObject, form: Params): Hosted {
  if (declines(form)) return checkoutPage(world, session, DECLINED);
  visitors.pay(session.url, param(form, 'tax_id') || undefined);
  return to(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id));
}

function change(world: StripeWorld, visitors: People, session: StripeObject, form: Params): Hosted {
  const { customer } = session;
  const invoice = param(form, 'invoice');
  if (invoice !== undefined) {
    visitors.payInvoice(invoice);
    return world.find('invoice', invoice).status === 'paid' ? to(session.url) : portalPage(world, session, DECLINED);
  }
  if (declines(form)) return portalPage(world, session, DECLINED);
  const card = visitors.addCard(customer);
  const live = world.all('subscription', (one) => one.customer === customer && one.status !== 'canceled');
  for (const subscription of live) subscription.default_payment_method = card;
  return to(session.url);
}

const DECLINED = '<p role="alert">Your card was declined.</p>';
const CARD = '<label>Card number <input name="card" inputmode="numeric" required></label>';

function checkoutPage(world: StripeWorld, session: StripeObject, problem = ''): Hosted {
  if (session.status !== 'open') return page('This page has expired', '');
  const { product, unit_amount, recurring } = world.find('price', session.price);
  const taxId = session.tax_id_collection.enabled ? '<label>ABN <input name="tax_id"></label>' : '';
  return page(
    `Subscribe to ${world.find('product', product).name}`,
    `<p>${aud(unit_amount)} per ${recurring.interval}</p>${problem}
<form method="post">${CARD}${taxId}<button>Subscribe</button></form>`,
  );
}

function portalPage(world: StripeWorld, { customer, return_url }: StripeObject, problem = ''): Hosted {
  const invoices = world.all('invoice', (one) => one.customer === customer && one.status !== 'draft');
  return page(
    'Billing',
    `${problem}<h2>Card</h2><form method="post">${CARD}<button>Save the card</button></form>
<h2>Invoices</h2><ul>${invoices.map(invoiceLine).join('\n')}</ul><p><a href="${return_url}">Return</a></p>`,
  );
}

/** `2026-10-01: A$99.00 with GST A$9.00, ABN 51 824 753 556, paid`. */
function invoiceLine({ id, created, total, total_taxes, customer_tax_ids, status }: StripeObject): string {
  const day = new Date(created * 1000).toISOString().slice(0, 10);
  const taxes = total_taxes.map(({ amount }: StripeObject) => ` with GST ${aud(amount)}`).join('');
  const ids = customer_tax_ids.map(({ value }: StripeObject) => `, ABN ${value}`).join('');
  const pays = `<form method="post"><button name="invoice" value="${id}">Pay ${aud(total)}</button></form>`;
  return `<li><span>${day}: ${aud(total)}${taxes}${ids}, ${status}</span>${status === 'open' ? pays : ''}</li>`;
}

const aud = (cents: number): string => `A$${(cents / 100).toFixed(2)}`;

const to = (url: string): Hosted => ({ status: 303, headers: { Location: url }, body: '' });

const page = (title: string, main: string): Hosted => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><head><title>${title}</title><link rel="icon" href="data:,"></head>
<body><main><h1>${title}</h1>${main}</main></body></html>`,
});
