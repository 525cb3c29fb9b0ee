// Validates the variables that are named after a book or a registry (`FEED_TAB_URL`, `BETSLIP_TAB_TEMPLATE`). A
// mistyped one must stop the process: ignored, it leaves the book at another address than its operator intends.
import { BOOKMAKERS } from '../domain/bookmakers';
import { BETSLIP_NAMES, unknownNames } from '../domain/prices/betslip';
import { REGISTRY } from '../domain/registry/registry';
import { didYouMean } from '../nearest';
import { Environment, isLoopback, type Variables } from './environment';

export const TOPAZ = 'topaz';
/** Matches of many books, for credits. */
export const THE_ODDS_API = 'the_odds_api';

/** What a connector reads besides its address: `FEED_UNIBET_EVENT_HASH` is Unibet's `event_hash`. */
const CONNECTOR_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  unibet: ['meetings_hash', 'event_hash'],
  betfair_ex_au: ['app_key', 'session', 'stream'],
  [TOPAZ]: ['api_key'],
  [THE_ODDS_API]: ['key', 'monthly_credits'],
};

export const POLLED: readonly string[] = BOOKMAKERS.filter(
  ({ status, reach }) => status === 'active' && reach === 'polled',
).map(({ key }) => key);

const prefixOf = (key: string): string => `FEED_${key.toUpperCase()}_`;
export const urlName = (key: string): string => `FEED_${key.toUpperCase()}_URL`;
export const rateName = (key: string): string => `FEED_${key.toUpperCase()}_PER_SECOND`;
export const templateName = (key: string): string => `BETSLIP_${key.toUpperCase()}_TEMPLATE`;

/** The configured settings of this source's connector. */
export function settingsOf(key: string, variables: Variables): Readonly<Record<string, string>> {
  const given = (CONNECTOR_SETTINGS[key] ?? []).map((name) => [name, variables[prefixOf(key) + name.toUpperCase()]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

type Check = (value: string, variables: Variables) => string | null;

/** Of connectors' settings. */
const CHECKS: Readonly<Record<string, Check>> = { stream: streamProblem, monthly_credits: creditsProblem };

/** Every valid name, with the check of its value: null, or the problem. */
const NAMES: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...Object.keys(Environment.properties).map((name): [string, Check] => [name, () => null]),
  ...POLLED.map((key): [string, Check] => [rateName(key), rateProblem]),
  ...[...POLLED, REGISTRY, TOPAZ, THE_ODDS_API].map((key): [string, Check] => [urlName(key), urlProblem]),
  ...Object.entries(CONNECTOR_SETTINGS).flatMap(([key, names]) =>
    names.map((name): [string, Check] => [prefixOf(key) + name.toUpperCase(), CHECKS[name] ?? (() => null)]),
  ),
  ...BOOKMAKERS.filter(({ betslip }) => betslip).map(({ key }): [string, Check] => [
    templateName(key),
    templateProblem,
  ]),
]);
const LISTED = [...NAMES.keys()].filter(isOfSource);

function isOfSource(name: string): boolean {
  return /^(FEED|BETSLIP)_/.test(name);
}

/** A sentence for each variable that is unknown or malformed. */
export function feedProblems(variables: Variables): string[] {
  const problems = Object.keys(variables)
    .filter(isOfSource)
    .flatMap((name) => {
      const check = NAMES.get(name);
      if (!check) return [`${name} is not a setting${hintOf(name)}`];
      const problem = check(variables[name]!, variables);
      return problem === null ? [] : [`${name} ${problem}`];
    });
  // Without a limit a month could cost anything; a limit without a key reads nothing.
  const { key, monthly_credits } = settingsOf(THE_ODDS_API, variables);
  if ((key === undefined) !== (monthly_credits === undefined))
    problems.push('FEED_THE_ODDS_API_KEY and FEED_THE_ODDS_API_MONTHLY_CREDITS go together');
  return problems;
}

function hintOf(name: string): string {
  const book = BOOKMAKERS.find(({ key }) => name.startsWith(prefixOf(key)) && !POLLED.includes(key));
  return book ? `: ${book.key} is not polled` : `.${didYouMean(name, LISTED)}`;
}

function rateProblem(value: string): string | null {
  return Number(value) > 0 && Number(value) <= 100_000 ? null : 'must be a number above 0';
}

function creditsProblem(value: string): string | null {
  return /^[1-9]\d{0,8}$/.test(value) ? null : 'must be a whole number above 0';
}

function urlProblem(value: string): string | null {
  const isHttp = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isHttp ? null : `is '${value}'; it must be an http or https address`;
}

/** The stream carries the session token: never unencrypted to another machine. */
function streamProblem(value: string): string | null {
  const [, scheme, host] = /^(tls|tcp):\/\/([^/:]+):\d{1,5}$/.exec(value) ?? [];
  const isSafe = scheme === 'tls' || (scheme === 'tcp' && isLoopback(host!));
  return isSafe ? null : `is '${value}'; it must be tls://host:port (tcp:// only to this machine)`;
}

/** A customer follows the link: to the book's site, or to the simulator's pages. */
function templateProblem(template: string, { SIMULATOR_URL }: Variables): string | null {
  const [unknown] = unknownNames(template);
  if (unknown !== undefined) return `has '{${unknown}}'; names are ${BETSLIP_NAMES.join(', ')}`;
  if (template.startsWith('{source_url}')) return null;
  // A name inside the host would let the book choose whose site the link opens.
  const [, scheme, host] = /^(https?):\/\/([^/?#@{}]+?)(?::\d+)?(?:[/?#]|$)/.exec(template) ?? [];
  const simulated = URL.parse(SIMULATOR_URL ?? '')?.hostname;
  if (scheme === 'https' || (scheme === 'http' && (isLoopback(host!) || host === simulated))) return null;
  return `is '${template}'; it must be an https address (http only to the simulator)`;
}
