// PlayUp racing on the wire: JSON:API, GET, anonymous, unofficial. Objects are `{id, type, attributes, relationships}`;
// related objects are in `included`. Sources: public client code (stored excerpts, two undated, one about 2024), none
// recent enough to show that the host still answers. Confidence is medium to high for the win price, low for the rest.
// Undocumented, so not typed: barrier, weight, tote, results, dividends, deductions, the labels of a scratched runner
// and of a race that is no longer open, every race type but `Gallop`.

interface PlayUpResource<Type extends string, Attributes, Relations extends string = never> {
  /** A string here; a number inside a race's attributes. */
  id: string;
  type: Type;
  attributes: Attributes;
  relationships?: Partial<Record<Relations, { data: { id: string; type?: string }[] }>>;
}

/**
 * `/v1/meetings/?include=races&filter[start_date][from]&filter[start_date][to]&filter[is_future]=0&page[size]=100&page[number]=1`.
 */
export interface PlayUpMeetingsReply {
  data: PlayUpMeeting[];
  included: PlayUpListedRace[];
  /** Observed on the sports API; assumed for racing. */
  meta?: { pagination?: { total_pages?: number } };
}

export type PlayUpMeeting = PlayUpResource<
  'meetings',
  {
    name: string;
    track: { name: string };
    /** `YYYY-MM-DD`. */
    start_date: string;
    race_type: { name: string };
    country: { code: string };
    state: string;
  },
  'races'
>;

export interface PlayUpRaceAttributes {
  race_number: number;
  name: string;
  /** Epoch seconds. */
  start_time_timestamp: number;
  /** `Open`; no other value is documented. */
  status: { name: string };
  race_type: { name: string };
  meeting: { id: number };
}

export type PlayUpListedRace = PlayUpResource<'races', PlayUpRaceAttributes>;

/** `/v1/races/{id}/?include=meeting,available_bet_types,selections.prices`. */
export interface PlayUpRaceReply {
  data: PlayUpResource<'races', PlayUpRaceAttributes, 'selections'>;
  included: (PlayUpSelection | PlayUpPrice)[];
}

export type PlayUpSelection = PlayUpResource<
  'selections',
  {
    name: string;
    /** Saddlecloth. */
    number: number;
    jockey: string;
    trainer: string;
    /** Id 1, `Active`, is in the race; other values are undocumented. */
    status: { id: number; name: string };
  },
  'prices'
>;

/** Its id is `{selection}-{product}-{bet_type}`. */
export type PlayUpPrice = PlayUpResource<
  'prices',
  {
    /** Only `Fixed Price` is a fixed price. */
    product: { name: string };
    /** 2 is `Win`; `Place` is documented by name only. */
    bet_type: { id: number; name: string };
    /** Decimal. */
    d_price: number | string;
  }
>;
