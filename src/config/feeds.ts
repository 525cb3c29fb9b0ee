// Where each book and registry is reached, how often, and its links: variables named after the book (`FEED_TAB_URL`).
import { BOOKMAKERS } from '../domain/bookmakers';
import type { FeedEndpoint } from '../feeds/feed';
import { type Environment, trimSlash, type Variables } from './environment';
import { POLLED, rateName, settingsOf, THE_ODDS_API, TOPAZ, templateName, urlName } from './feed-settings';

/** By bookmaker key: calls a second that all workers together may send, and how many at once. */
export type FeedRates = Readonly<Record<string, { readonly perSecond: number; readonly burst: number }>>;

/** The one key that the simulator's Topaz accepts. */
export const SIMULATED_TOPAZ_KEY = 'simulated-topaz-key';

/** The addresses of the sources. `simulatorUrl` null: a source without its own address is not called. */
export interface Sources {
  readonly env: Environment;
  readonly variables: Variables;
  readonly simulatorUrl: string | null;
}

export function feedsOf(sources: Sources): Record<string, FeedEndpoint> {
  const found = POLLED.map((key) => [key, endpointOf(key, sources)] as const);
  return Object.fromEntries(found.filter((one): one is [string, FeedEndpoint] => one[1] !== null));
}

export function endpointOf(key: string, { env, variables, simulatorUrl }: Sources): FeedEndpoint | null {
  const address = variables[urlName(key)] ?? (simulatorUrl && `${simulatorUrl}/${key}`);
  if (address === null) return null;
  return {
    baseUrl: trimSlash(address),
    settings: settingsOf(key, variables),
    contact: env.FEED_CONTACT,
    partner: env.FEED_PARTNER,
    timeoutMs: env.FEED_TIMEOUT_MS,
  };
}

/** The simulator's key goes to the simulator only. */
export function topazOf(sources: Sources): FeedEndpoint | null {
  const endpoint = endpointOf(TOPAZ, sources);
  if (endpoint === null || sources.variables[urlName(TOPAZ)] !== undefined) return endpoint;
  return { ...endpoint, settings: { api_key: SIMULATED_TOPAZ_KEY, ...endpoint.settings } };
}

/** The one key that the simulator's feed of sports accepts, and what the simulated account may cost. */
export const SIMULATED_ODDS_KEY = 'simulated-odds-key';
const SIMULATED_CREDITS = 1_000_000;

export interface SportsFeedSettings {
  /** With its key (`settings.key`). */
  readonly endpoint: FeedEndpoint;
  /** The most that it may cost in a month, in its credits. */
  readonly monthlyCredits: number;
  /** Per wall second. */
  readonly rate: { readonly perSecond: number; readonly burst: number };
}

/** Null without an address, a key and a monthly budget. The simulator's key goes to the simulator only. */
export function sportsFeedOf(sources: Sources): SportsFeedSettings | null {
  const endpoint = endpointOf(THE_ODDS_API, sources);
  if (endpoint === null) return null;
  const isSimulated = sources.variables[urlName(THE_ODDS_API)] === undefined;
  const simulated = { key: SIMULATED_ODDS_KEY, monthly_credits: String(SIMULATED_CREDITS) };
  const settings: FeedEndpoint['settings'] = { ...(isSimulated && simulated), ...endpoint.settings };
  if (settings.key === undefined || settings.monthly_credits === undefined) return null;
  return {
    endpoint: { ...endpoint, settings },
    monthlyCredits: Number(settings.monthly_credits),
    // Its own limit is 30 in a second.
    rate: { perSecond: 15, burst: 15 },
  };
}

/** The table's rates are per race second, so a fast clock multiplies them. A variable is per wall second. */
export function ratesOf(variables: Variables, speed: number): FeedRates {
  const rates = BOOKMAKERS.map(({ key, rate }) => {
    const perSecond = Number(variables[rateName(key)] ?? rate.perSecond * Math.max(1, speed));
    return [key, { perSecond, burst: Math.max(1, (rate.burst * perSecond) / rate.perSecond) }];
  });
  return Object.fromEntries(rates);
}

/** `BETSLIP_UNIBET_TEMPLATE` sets or replaces the book's template. It may use the names in `BETSLIP_NAMES`. */
export function betslipOf(variables: Variables): Record<string, string> {
  const templates = BOOKMAKERS.map(
    ({ key, betslip }) => [key, betslip && (variables[templateName(key)] ?? betslip.template)] as const,
  );
  return Object.fromEntries(templates.filter((one): one is [string, string] => Boolean(one[1])));
}
