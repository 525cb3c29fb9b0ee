// What Stripe stores: objects by id, its clock, and the events that it has to send. Objects are as its API documents
// them (version of the SDK), with the members that the service could read.
import Stripe from 'stripe';

// biome-ignore lint/suspicious/noExplicitAny: objects of Stripe's API, of many shapes.
export type StripeObject = any;

/** A refusal in Stripe's words. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: { type: string; code?: string; message: string; param?: string },
  ) {
    super(body.message);
  }
}

export const missing = (what: string, id: string, name = 'id') =>
  new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: name,
  });

export const invalid = (message: string, param?: string, code?: string) =>
  new StripeRefusal(400, { type: 'invalid_request_error', message, ...(param && { param }), ...(code && { code }) });

export const declined = () =>
  new StripeRefusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });

/** Where Stripe has its pages. A server that serves them itself has its own address here. */
const PAGES = { checkout: 'https://checkout.stripe.com', portal: 'https://billing.stripe.com' };

export class StripeWorld {
  /** Epoch milliseconds. */
  nowMs: number;
  /** Whether the customers' cards can pay. */
  cardsPay = true;
  /** Cards that decline, by id. */
  readonly declining = new Set<string>();
  /** Cards whose payments are disputed at once, by id. */
  readonly disputing = new Set<string>();
  pages = PAGES;
  /** For Stripe Tax: whether the dashboard has what it needs. */
  taxStatus: 'active' | 'pending' = 'pending';
  readonly objects = new Map<string, StripeObject>();
  readonly events: StripeObject[] = [];
  private made = 0;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Attached to the customer. */
  addCard(customer: string): StripeObject {
    const card = this.add('payment_method', 'pm', { type: 'card', customer, card: { brand: 'visa' } });
    card.card.last4 = card.id.slice(-4);
    return card;
  }

  pays(card: string): boolean {
    return this.cardsPay && !this.declining.has(card);
  }

  get seconds(): number {
    return Math.floor(this.nowMs / 1000);
  }

  /** An object of the kind that its prefix names; `prod_x` or an id that the caller chose. */
  add(
    object: string,
    prefix: string,
    members: object,
    id = `${prefix}_${String(++this.made).padStart(6, '0')}`,
  ): StripeObject {
    const one = { id, object, created: this.seconds, livemode: false, metadata: {}, ...members };
    this.objects.set(id, one);
    return one;
  }

  find(object: string, id: string, name = 'id'): StripeObject {
    const one = this.objects.get(id);
    if (one?.object !== object || one.deleted) throw missing(object.replace('_', ' '), id, name);
    return one;
  }

  all(object: string, where: (one: StripeObject) => boolean = () => true): StripeObject[] {
    const found = [...this.objects.values()].filter((one) => one.object === object && where(one));
    return found.toReversed();
  }

  emit(type: string, object: StripeObject): void {
    const data = { object: structuredClone(object) };
    const about = {
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.seconds,
      livemode: false,
      pending_webhooks: 1,
    };
    this.events.push({ id: `evt_${String(++this.made).padStart(6, '0')}`, ...about, type, data });
  }
}
