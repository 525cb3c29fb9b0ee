// Where each book and registry is reached, how often, and its links: variables named after the book (`FEED_TAB_URL`).
import { BOOKMAKERS } from '../domain/bookmakers';
import { BETSLIP_NAMES, unknownNames } from '../domain/prices/betslip';
import type { FeedEndpoint } from '../feeds/feed';
import { ConfigError, type Environment, trimSlash, type Variables } from './environment';

/** By bookmaker key: calls a second that all workers together may send, and how many at once. */
export type FeedRates = Readonly<Record<string, { readonly perSecond: number; readonly burst: number }>>;

/** The one key that the simulator's Topaz accepts. */
export const SIMULATED_TOPAZ_KEY = 'simulated-topaz-key';

export function feedsOf(env: Environment, variables: Variables, simulatorUrl: string): Record<string, FeedEndpoint> {
  const polled = BOOKMAKERS.filter((book) => book.status === 'active' && book.reach === 'polled');
  return Object.fromEntries(polled.map(({ key }) => [key, endpointOf(key, env, variables, simulatorUrl)]));
}

export function endpointOf(key: string, env: Environment, variables: Variables, simulatorUrl: string): FeedEndpoint {
  return {
    baseUrl: trimSlash(variables[`FEED_${key.toUpperCase()}_URL`] ?? `${simulatorUrl}/${key}`),
    settings: settingsOf(`FEED_${key.toUpperCase()}_`, variables),
    contact: env.FEED_CONTACT,
    partner: env.FEED_PARTNER,
    timeoutMs: env.FEED_TIMEOUT_MS,
  };
}

/** The simulator's key goes to the simulator only. */
export function topazOf(env: Environment, variables: Variables, simulatorUrl: string): FeedEndpoint {
  const endpoint = endpointOf('topaz', env, variables, simulatorUrl);
  if (variables.FEED_TOPAZ_URL !== undefined) return endpoint;
  return { ...endpoint, settings: { api_key: SIMULATED_TOPAZ_KEY, ...endpoint.settings } };
}

/** The table's rates are per race second, so a fast clock multiplies them. A variable is per wall second. */
export function ratesOf(variables: Variables, speed: number): FeedRates {
  const rates = BOOKMAKERS.map(({ key, rate }) => {
    const name = `FEED_${key.toUpperCase()}_PER_SECOND`;
    const perSecond = Number(variables[name] ?? rate.perSecond * Math.max(1, speed));
    if (!(perSecond > 0 && perSecond <= 100_000)) throw new ConfigError(`${name} must be a number above 0`);
    return [key, { perSecond, burst: Math.max(1, (rate.burst * perSecond) / rate.perSecond) }];
  });
  return Object.fromEntries(rates);
}

/** Every other variable of the book: `FEED_BETFAIR_EX_AU_APP_KEY` is its `app_key`. */
function settingsOf(prefix: string, variables: Variables): Readonly<Record<string, string>> {
  const own = Object.entries(variables).filter(
    ([name]) => name.startsWith(prefix) && ![`${prefix}URL`, `${prefix}PER_SECOND`].includes(name),
  );
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value!]));
}

/** `BETSLIP_UNIBET_TEMPLATE` sets or replaces the book's template. It may use the names in `BETSLIP_NAMES`. */
export function betslipOf(variables: Variables): Record<string, string> {
  const templates: Record<string, string> = {};
  for (const { key, betslip } of BOOKMAKERS) {
    const name = `BETSLIP_${key.toUpperCase()}_TEMPLATE`;
    const template = betslip && (variables[name] ?? betslip.template);
    if (!template) continue;
    const unknown = unknownNames(template);
    if (unknown.length > 0)
      throw new ConfigError(`${name} has '{${unknown[0]}}'; names are ${BETSLIP_NAMES.join(', ')}`);
    templates[key] = template;
  }
  return templates;
}
