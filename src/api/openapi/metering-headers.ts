// The response headers of limits and credits in the OpenAPI document.
import { isKeyed } from '../kernel/endpoint/auth';
import { type Endpoint, isPriced } from '../kernel/endpoint/endpoint';
import type { Schema } from './schema';

const POLICY = '60 requests per minute per key, 7500 credits per month (Hobby)';

export function header(description: string, schema: Schema, required = true) {
  return { description, required, schema };
}

/** A number, or `unlimited` for keys without a limit. */
function limited(example: number): Schema {
  return { type: 'string', pattern: '^(?:\\d+|unlimited)$', examples: [String(example)] };
}

const integer = (example: number): Schema => ({ type: 'integer', minimum: 0, examples: [example] });

/** Components: name to header. */
export const METERING_HEADERS = {
  RateLimitLimit: header('Requests that the plan allows this key per minute, or `unlimited`.', limited(60), false),
  RateLimitRemaining: header('Requests that would be admitted now, or `unlimited`.', limited(59), false),
  RateLimitReset: header(
    'Seconds until the oldest counted request no longer counts; of a 429, until the next one is admitted.',
    { type: 'integer', minimum: 0, examples: [60] },
    false,
  ),
  RateLimitPolicy: header('The limits of the plan, in words.', { type: 'string', examples: [POLICY] }, false),
  RateLimitPolicyIetf: header(
    'The limit as the IETF writes it (draft 10): quota `q` in a window of `w` seconds. Absent if the key is not limited.',
    { type: 'string', examples: ['"minute";q=60;w=60'] },
    false,
  ),
  RateLimitIetf: header(
    'What is left as the IETF writes it (draft 10): `r` requests, `t` seconds to reset. Absent if the key is not limited.',
    { type: 'string', examples: ['"minute";r=59;t=60'] },
    false,
  ),
  CreditsCost: header(
    'Credits that this call cost: 0 of whatever is not charged (a refusal, a 304, HEAD).',
    integer(2),
    false,
  ),
  CreditsUsed: header('Credits used in this UTC month, this call included.', integer(1240), false),
  CreditsLimit: header(
    'Credits that may be used in this month, granted ones and overage that is switched on included, or `unlimited`.',
    limited(3000),
    false,
  ),
  CreditsRemaining: header('Credits that are left of them, or `unlimited`.', limited(1760), false),
  CreditsPctUsed: header(
    'Share of them that is used, in percent.',
    { type: 'number', minimum: 0, examples: [41.3] },
    false,
  ),
  CreditsOverage: header(
    'Of the credits used, those beyond the allowance that are billed. Only with overage.',
    integer(0),
    false,
  ),
  CreditsWarning: header(
    '`approaching-limit` from 80 % of what needs no overage on.',
    { type: 'string', enum: ['approaching-limit'], examples: ['approaching-limit'] },
    false,
  ),
  UpgradePlan: header(
    'With the warning and with a 402: the cheapest plan that has the credits that your measured use needs.',
    { type: 'string', examples: ['hobby'] },
    false,
  ),
  UpgradeCredits: header('Its credits per month.', integer(7500), false),
  UpgradePrice: header('Its price per month in A$.', integer(9), false),
  UpgradeUrl: header(
    'Where plans are described.',
    { type: 'string', examples: ['https://api.example.com/account'] },
    false,
  ),
  UpgradeCovers: header(
    '`full`, or `partial` if even the largest plan on sale has fewer credits than you need.',
    { type: 'string', enum: ['full', 'partial'], examples: ['full'] },
    false,
  ),
  UpgradeSizedFor: header(
    'Credits of a month at your measured rate. Absent on the first day of a month: nothing is measured yet.',
    integer(4100),
    false,
  ),
  UpgradeCheckoutMethod: header(
    'Method of the request that begins the upgrade. Absent, as the next three are, if plans are changed by the operator.',
    { type: 'string', enum: ['POST'], examples: ['POST'] },
    false,
  ),
  UpgradeCheckoutEndpoint: header(
    'Its address.',
    { type: 'string', examples: ['https://api.example.com/v1/billing/upgrade-link'] },
    false,
  ),
  UpgradeCheckoutBody: header('Its body, as JSON.', { type: 'string', examples: ['{"plan":"hobby"}'] }, false),
  UpgradeProrated: header(
    '`true`: from a paid plan, so what is left of it counts.',
    { type: 'string', enum: ['true', 'false'], examples: ['false'] },
    false,
  ),
};

const refTo = (name: keyof typeof METERING_HEADERS) => ({ $ref: `#/components/headers/${name}` });

const LIMIT: Schema = {
  'X-RateLimit-Limit': refTo('RateLimitLimit'),
  'X-RateLimit-Remaining': refTo('RateLimitRemaining'),
  'X-RateLimit-Reset': refTo('RateLimitReset'),
  'X-RateLimit-Policy': refTo('RateLimitPolicy'),
  'RateLimit-Policy': refTo('RateLimitPolicyIetf'),
  RateLimit: refTo('RateLimitIetf'),
};

const CREDITS: Schema = {
  'X-Credits-Cost': refTo('CreditsCost'),
  'X-Credits-Used': refTo('CreditsUsed'),
  'X-Credits-Limit': refTo('CreditsLimit'),
  'X-Credits-Remaining': refTo('CreditsRemaining'),
  'X-Credits-Pct-Used': refTo('CreditsPctUsed'),
  'X-Credits-Overage': refTo('CreditsOverage'),
  'X-Credits-Warning': refTo('CreditsWarning'),
  'X-Upgrade-Plan': refTo('UpgradePlan'),
  'X-Upgrade-Credits': refTo('UpgradeCredits'),
  'X-Upgrade-Price-AUD': refTo('UpgradePrice'),
  'X-Upgrade-Url': refTo('UpgradeUrl'),
  'X-Upgrade-Covers': refTo('UpgradeCovers'),
  'X-Upgrade-Sized-For': refTo('UpgradeSizedFor'),
  'X-Upgrade-Checkout-Method': refTo('UpgradeCheckoutMethod'),
  'X-Upgrade-Checkout-Endpoint': refTo('UpgradeCheckoutEndpoint'),
  'X-Upgrade-Checkout-Body': refTo('UpgradeCheckoutBody'),
  'X-Upgrade-Prorated': refTo('UpgradeProrated'),
};

/**
 * For a response with this status: limits and the cost once the key is accepted, the balance unless the service failed
 * (D6).
 */
export function meteringHeaders(one: Endpoint, status: number): Schema {
  if (!mayHaveKey(one) || status === 401) return {};
  if (!isMetered(one)) return LIMIT;
  return { ...LIMIT, ...(status < 500 ? CREDITS : { 'X-Credits-Cost': refTo('CreditsCost') }) };
}

export const isMetered = (one: Endpoint): boolean => mayHaveKey(one) && isPriced(one);

const mayHaveKey = ({ auth }: Endpoint): boolean => isKeyed(auth) || auth === 'session_or_key';
