// Dabble racing on the wire: GET, JSON, the app's own backend, unofficial, behind Cloudflare. The one public feed with explicit Top 2, 3
// and 4 legs.
// Known: public provider notes probed live June to August 2026: high for the three tables and `resultingType`, medium for the rest. It says
// no race number, no saddlecloth number, no barrier, no jockey, no result; what it writes for a race that is not open is not known. The notes
// pose as the app to pass Cloudflare: we say who we are, and may be turned away for it.

/** `/competitions/active`: every competition of every sport. One of racing is one meeting. */
export interface DabbleCompetitionsReply {
  data: { activeCompetitions: DabbleCompetition[] };
}

export interface DabbleCompetition {
  id: string;
  /** The venue. */
  name: string;
  /** The only word that tells racing: `/sports` and its `isRacing` do not. */
  sportName: 'Thoroughbred Racing' | 'Greyhound Racing' | 'Harness Racing' | (string & {});
}

/**
 * `/frontend-api/competitions/{id}/sport-fixtures`: a whole meeting with its markets and prices. That it has the legs of a multi as the
 * details do is our reading: of other sports it shows the main markets only.
 */
export interface DabbleFixturesReply {
  data: DabbleFixture[];
}

export interface DabbleFixture extends DabbleBook {
  /** With its zone. Only the list is known to carry it. */
  advertisedStart: string;
}

/** `/frontend-api/sport-fixtures/details/{id}`: one race. */
export interface DabbleDetailsReply {
  sportFixtureDetail: DabbleBook;
}

/** Three tables, joined by id. */
export interface DabbleBook {
  id: string;
  /** `Open` is the one word that was seen (on another sport). */
  status: string;
  markets: DabbleMarket[];
  selections: DabbleSelection[];
  prices: DabblePrice[];
}

interface DabbleMarket {
  id: string;
  /**
   * RacingFixedWin, RacingFixedPlace, RacingSrmTop2, RacingSrmTop3, RacingSrmTop4; also RacingSrmWin, RacingSPWin, RacingSPPlace and the
   * exotics RacingDD*. A market's name may be null.
   */
  resultingType: string;
}

interface DabbleSelection {
  id: string;
  name: string;
  /** In the notes of June 2026, not in those of August: believed when true, and its absence says nothing. */
  isScratched?: boolean;
  /** Not shown when false. */
  isDisplayed?: boolean;
}

/** Decimal. */
interface DabblePrice {
  marketId: string;
  selectionId: string;
  price: number;
}
