// Widgets as sites embed them, in plain values: the external data of their pages. A reader of a customer's site learns
// nothing about the customer's account.
import type { Context } from 'koa';
import type { Category } from '../../domain/race/race';
import type { MatchMarket } from '../../domain/sports/sports';

/** How a widget looks, and where. */
export interface WidgetFrame {
  /** If there is no title. */
  readonly caption: string;
  readonly title: string | null;
  /** `#rrggbb`. */
  readonly accent: string;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Origins of the sites that may embed it. */
  readonly allowedOrigins: readonly string[];
  /** Over all these settings: pages with another version are loaded again before they show prices. */
  readonly version: string;
  /** For a page loaded now: for ten minutes it has the larger share. */
  readonly token: string;
}

/** A best price: of a runner in one market, or of a selection of a match. */
export interface WidgetPrice {
  readonly price: number;
  readonly bookmaker: string;
  readonly bookmakerName: string;
  /** When the bookmaker last confirmed it, race time. */
  readonly updatedMs: number;
  readonly stale: boolean;
  /** By the owner's template; null: there is none. */
  readonly url: string | null;
}

export interface WidgetRunner {
  readonly number: number;
  readonly name: string;
  readonly scratched: boolean;
  readonly win: WidgetPrice | null;
  readonly place: WidgetPrice | null;
}

export interface WidgetRace {
  readonly raceId: string;
  readonly venue: string;
  readonly raceNumber: number;
  readonly category: Category;
  readonly country: string | null;
  readonly raceName: string | null;
  readonly startMs: number;
  /** By number. */
  readonly runners: readonly WidgetRunner[];
}

export interface WidgetSelection {
  /** The team, `Draw`, `Over` or `Under`. */
  readonly name: string;
  /** The handicap of the side, or the total; null for head to head. */
  readonly point: number | null;
  /** Null: no bookmaker has a price. `suspect`: probably wrong. */
  readonly best: (WidgetPrice & { readonly suspect: boolean }) | null;
}

export interface WidgetMatch {
  readonly eventId: string;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly startMs: number;
  /** Home, away, draw; of each line home and away, or over and under. */
  readonly selections: readonly WidgetSelection[];
}

export type WidgetContent =
  | { readonly type: 'racing'; readonly races: readonly WidgetRace[] }
  | {
      readonly type: 'sports';
      readonly sportKey: string;
      readonly market: MatchMarket;
      readonly matches: readonly WidgetMatch[];
    };

export interface WidgetFill {
  readonly kind: 'filled';
  /** Race time of the reading. */
  readonly asOfMs: number;
  /** Whether an earlier fill is shown. */
  readonly cached: boolean;
  /** The last prices, because new ones would exceed a limit or a share. */
  readonly delayed: boolean;
  /** Since the oldest of the prices was read, wall time. */
  readonly ageSeconds: number;
  /** After which a reader may request again, wall time. */
  readonly nextInSeconds: number;
  readonly content: WidgetContent;
}

export type WidgetRefusal =
  /** `missing`: no widget has this id. `origin`: the site may not show it. */
  | { readonly kind: 'missing' | 'origin' }
  /** It is not open for betting, or not one of the widget's. */
  | { readonly kind: 'race' | 'match' }
  /** The widget shows races, and a match is requested; or the other way round. */
  | { readonly kind: 'parameter'; readonly wanted: One['parameter'] }
  /** The page is of an earlier version. */
  | { readonly kind: 'changed' }
  /** By its owner; not in the owner's plan; the owner's credits are used. */
  | { readonly kind: 'paused' | 'plan' | 'spent' }
  /** Filled as often as an hour, a month or this network allows, and no prices were filled before. */
  | { readonly kind: 'busy'; readonly waitSeconds: number };

/** The origin of a request: a widget's own page, or a site; null: unknown. */
export type Reader = { readonly pageVersion: string } | { readonly origin: string } | null;

/** The single race or match that a reader requests, by its id in lower case. */
export interface One {
  readonly parameter: 'race_id' | 'event_id';
  readonly id: string;
}

/** A request's statements about its sender. */
interface Visit {
  /** An IPv4 address or an IPv6 /64. */
  readonly network: string;
  /** Of the widget's own page, as it was sent; null: none. */
  readonly token: string | null;
}

/** `token`: a new one for a page whose own was good. */
export type WidgetAnswer = (WidgetFill | WidgetRefusal) & { readonly token: string | null };

export interface WidgetSource {
  /** The origins of the service's own pages. */
  readonly ownOrigins: readonly string[];
  /** Null: no widget has this id. Reads no price. */
  frame(embedId: string): Promise<WidgetFrame | null>;
  /** Charges the owner, unless it shows an earlier fill. `one` null: the next races or matches. */
  fill(embedId: string, one: One | null, reader: Reader, visit: Visit): Promise<WidgetAnswer>;
  networkOf(ctx: Context): string;
}
