// Dabble racing on the wire: GET, JSON, the app's own backend, unofficial, behind Cloudflare. The one public feed with
// explicit Top 2, 3 and 4 legs. Sources: public provider notes probed live June to August 2026. Confidence is high for
// the three tables and `resultingType`, medium for the rest. It has no race number, saddlecloth number, barrier, jockey
// or result; what it writes for a race that is not open is undocumented. Those notes pose as the app to pass
// Cloudflare; we send our own name and may be blocked for it.

/** `/competitions/active`: every competition of every sport. One racing competition is one meeting. */
export interface DabbleCompetitionsReply {
  data: { activeCompetitions: DabbleCompetition[] };
}

export interface DabbleCompetition {
  id: string;
  /** The venue. */
  name: string;
  /** The only field that identifies racing: `/sports` and its `isRacing` do not. */
  sportName: 'Thoroughbred Racing' | 'Greyhound Racing' | 'Harness Racing' | (string & {});
}

/**
 * `/frontend-api/competitions/{id}/sport-fixtures`: a whole meeting with its markets and prices. We assume that it has
 * the multi legs, as the details do: for other sports it has only the main markets.
 */
export interface DabbleFixturesReply {
  data: DabbleFixture[];
}

export interface DabbleFixture extends DabbleBook {
  /** With its zone. Documented only for the list. */
  advertisedStart: string;
}

/** `/frontend-api/sport-fixtures/details/{id}`: one race. */
export interface DabbleDetailsReply {
  sportFixtureDetail: DabbleBook;
}

/** Three tables, joined by id. */
export interface DabbleBook {
  id: string;
  /** Only `Open` was observed (on another sport). */
  status: string;
  markets: DabbleMarket[];
  selections: DabbleSelection[];
  prices: DabblePrice[];
}

interface DabbleMarket {
  id: string;
  /**
   * RacingFixedWin, RacingFixedPlace, RacingSrmTop2, RacingSrmTop3, RacingSrmTop4; also RacingSrmWin, RacingSPWin,
   * RacingSPPlace and the exotics RacingDD*. A market's name may be null.
   */
  resultingType: string;
}

interface DabbleSelection {
  id: string;
  name: string;
  /** In the notes of June 2026, but not in those of August: used if true; its absence means nothing. */
  isScratched?: boolean;
  /** Not displayed if false. */
  isDisplayed?: boolean;
}

/** Decimal. */
interface DabblePrice {
  marketId: string;
  selectionId: string;
  price: number;
}
