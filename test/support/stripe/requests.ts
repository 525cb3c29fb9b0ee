// What all requests to Stripe's API have in common: required parameters, pages of a list, nested values.
import { type Params, param } from './form';
import { invalid, missing, type StripeObject, type StripeWorld } from './world';

export type Handle = (world: StripeWorld, params: Params, id: string) => StripeObject;

export const required = (params: Params, name: string): string => {
  const value = param(params, name);
  if (value === undefined) throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
};

/** One page, newest first; the service never requests a second. */
export function list(
  world: StripeWorld,
  params: Params,
  object: string,
  where: (one: StripeObject) => boolean = () => true,
) {
  const limit = Number(param(params, 'limit') ?? 10);
  if (limit < 1 || limit > 100) throw invalid('This value must be between 1 and 100.', 'limit');
  const since = Number(param(params, 'created.gte') ?? 0);
  const [customer, subscription] = ['customer', 'subscription'].map((name) => param(params, name));
  // Also for a deleted customer.
  if (customer && !world.objects.has(customer)) throw missing('customer', customer, 'customer');
  const isWanted = (one: StripeObject) =>
    (!customer || one.customer === customer) &&
    (!subscription || one.subscription === subscription) &&
    one.created >= since &&
    where(one);
  const found = world.all(object, isWanted);
  return { object: 'list', url: '/v1', has_more: found.length > limit, data: found.slice(0, limit) };
}

/** Nested parameters as an object: the names in lists are numbers. */
export function plain(value: Params | string): StripeObject {
  if (typeof value === 'string') return value === 'true' ? true : value === 'false' ? false : value;
  const entries = Object.entries(value).map(([name, inner]) => [name, plain(inner)] as const);
  return entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))
    ? entries.map(([, each]) => each)
    : Object.fromEntries(entries);
}

/** Method, path with at most one id, and what it does. */
export type Route = readonly [method: string, path: RegExp, handle: Handle];
