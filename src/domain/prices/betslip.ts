// Links that put a runner on a book's betslip (A 2.4 rule 6): which books have a route and how its URL is made. No book
// guarantees its route, so a link is served only while its check passes, which is decided elsewhere.

/** What a book's betslip URL can name, and how it opens. */
export interface BetslipRoute {
  /** `runner`: win and place are the same URL. */
  readonly names: 'runner' | 'runner_and_market';
  /** `app`: a desktop browser lands on a download page. */
  readonly opens: 'web' | 'app';
  /** Null: we found no published pattern. Configuration may set one; otherwise the book has no link. */
  readonly template: string | null;
  /** The book's own names of the markets, for `{market}`. */
  readonly markets: Readonly<Record<BetslipMarket, string>>;
}

export type BetslipMarket = 'win' | 'place';

const plain = { win: 'win', place: 'place' } as const;

/**
 * The affiliates' documentation: `/racing/<meetingName>/<event_id>/<entrant_id>/<code>`, in the iOS and Android apps;
 * `fw` fixed win, `fp` fixed place.
 */
export const ENTAIN_ROUTE: BetslipRoute = {
  names: 'runner_and_market',
  opens: 'app',
  template: '{source_url}/{runner}/{market}',
  markets: { win: 'fw', place: 'fp' },
};

/** The contract names a route (A 2.4 rule 6); its pattern is not published. */
export const UNIBET_ROUTE: BetslipRoute = {
  names: 'runner_and_market',
  opens: 'web',
  template: null,
  markets: plain,
};

export const TAB_ROUTE: BetslipRoute = { names: 'runner', opens: 'web', template: null, markets: plain };

/**
 * The names that a template may use: the book's page and id of the race, its id and number of the runner, its name of
 * the market.
 */
export const BETSLIP_NAMES = ['source_url', 'race', 'runner', 'number', 'market'] as const;
type Name = (typeof BETSLIP_NAMES)[number];

/** One runner at one book. `runnerId`: the book's own id of the runner in each market, null where it reports none. */
export interface BetslipRunner {
  readonly sourceUrl: string | null;
  readonly sourceRaceId: string;
  readonly number: number;
  readonly runnerId: Readonly<Record<BetslipMarket, string | null>>;
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** The unknown names in a template; empty for a valid one. */
export function unknownNames(template: string): string[] {
  const names = [...template.matchAll(PLACEHOLDER)].map((match) => match[1]!);
  return names.filter((name) => !(BETSLIP_NAMES as readonly string[]).includes(name));
}

/** The link, or null if the template names a value that the book did not report. */
export function betslipUrl(
  template: string,
  route: BetslipRoute,
  runner: BetslipRunner,
  market: BetslipMarket,
): string | null {
  // One URL for both markets: every market name in the template is that of the win market.
  const named = route.names === 'runner' ? 'win' : market;
  const values: Record<Name, string | null> = {
    source_url: runner.sourceUrl,
    race: encodeURIComponent(runner.sourceRaceId),
    runner: runner.runnerId[named] === null ? null : encodeURIComponent(runner.runnerId[named]),
    number: String(runner.number),
    market: route.markets[named],
  };
  let whole = true;
  const url = template.replace(PLACEHOLDER, (_, name: Name) => {
    whole &&= values[name] !== null;
    return values[name] ?? '';
  });
  return whole ? url : null;
}
