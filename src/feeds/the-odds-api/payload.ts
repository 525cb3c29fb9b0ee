// The fields of The Odds API's replies that we read, with its own names. Types only: every value is checked when read
// (map.ts).

/** A row of `GET /v4/sports`. */
export interface OddsSport {
  key: string;
  group: string;
  title: string;
  description: string;
  active: boolean;
  /** It has no matches: only the winner of a whole season. */
  has_outrights: boolean;
}

/** A row of `GET /v4/sports/{sport}/events`. */
export interface OddsEventHead {
  /** 32 hex digits, the same for the fixture forever. */
  id: string;
  sport_key: string;
  sport_title: string;
  commence_time: string;
  home_team: string | null;
  away_team: string | null;
}

/** A row of `GET /v4/sports/{sport}/odds`. */
export interface OddsEvent extends OddsEventHead {
  bookmakers: OddsBookmaker[];
}

export interface OddsBookmaker {
  key: string;
  title: string;
  last_update?: string;
  markets: OddsMarket[];
}

interface OddsMarket {
  /** `h2h`, `spreads`, `totals`; `h2h_lay` and `outrights` are not ours. */
  key: string;
  /** Since 2023; before that, the bookmaker's time applies to all of its markets. */
  last_update?: string;
  outcomes: OddsOutcome[];
}

interface OddsOutcome {
  /** The team as `home_team` or `away_team` names it, `Draw`, `Over`, `Under`; in any order. */
  name: string;
  price: number;
  /** Signed for its side in spreads; the total, on both sides, in totals. */
  point?: number;
}

/** The body of every refusal. */
export interface OddsRefusal {
  message: string;
  error_code?: string;
  details_url?: string;
}
