// The facts of a race that books and the registry state, each declared once. A declaration determines what a connector
// reports (`RaceFacts`), which report counts if several differ, the column of `races`, and the member of responses.

/** `whole`: a whole number; `count`: one of 0 or more; `flag`: true or false. */
type FactType = keyof FactValues;
interface FactValues {
  readonly text: string;
  readonly whole: number;
  readonly count: number;
  readonly flag: boolean;
}

interface Fact {
  /** The column of `races`, and the member of responses. */
  readonly name: string;
  readonly type: FactType;
  /**
   * Whose report counts first: that of the best-ranked book, which is updated during the day, or that of the registry,
   * which decides the fact. If the first does not state it, the other does; with `books_alone` the registry does not.
   */
  readonly first: 'books' | 'registry' | 'books_alone';
  /** Where the registry prints it: with the race, or with the track of its meeting. */
  readonly registry: 'race' | 'track' | null;
  /** Also served for races outside Australia and New Zealand (A 2.2). */
  readonly isInternational?: true;
  /** Added since the first release, so optional in responses (A 9.2). */
  readonly isAdded?: true;
  /**
   * The description for customers. Null: not a member of every race; a response that has it describes it in its own
   * schema.
   */
  readonly text: string | null;
}

const EVERYWHERE = { first: 'books', registry: 'race', isInternational: true } as const;
const OF_TRACK = { type: 'text', registry: 'track' } as const;
const DECIDED = { first: 'registry', registry: 'race' } as const;
const CONDITION = 'Track condition as published, e.g. `Good (4)`.';
const PRIZES = 'Total prize money in whole Australian dollars.';

const CLAIM = 'Whether apprentices may claim a weight allowance; null if the registry does not state it.';

const RACE_FACTS = {
  raceName: { name: 'race_name', type: 'text', ...EVERYWHERE, text: '' },
  distanceM: { name: 'distance_m', type: 'whole', ...EVERYWHERE, text: 'Distance in metres.' },
  trackCondition: { name: 'track_condition', ...OF_TRACK, first: 'books', text: CONDITION },
  weather: { name: 'weather', ...OF_TRACK, first: 'books', text: '' },
  raceClass: { name: 'race_class', type: 'text', ...DECIDED, text: '' },
  conditions: { name: 'conditions', type: 'text', ...DECIDED, text: '' },
  prizeTotal: { name: 'prize_total', type: 'count', ...DECIDED, text: PRIZES },
  rail: { name: 'rail', ...OF_TRACK, first: 'registry', text: '' },
  trackName: { name: 'track_name', type: 'text', ...DECIDED, text: 'Name of the course at the registry.' },
  apprenticesCanClaim: { name: 'apprentices_can_claim', type: 'flag', ...DECIDED, isAdded: true, text: CLAIM },
  placesPaid: { name: 'places_paid', type: 'whole', ...EVERYWHERE, first: 'books_alone', registry: null, text: null },
} as const satisfies Readonly<Record<string, Fact>>;

type Facts = typeof RACE_FACTS;
export type FactKey = keyof Facts;

/** The facts as a connector reports them. Null if a book does not report one. */
export type RaceFacts = { readonly [K in FactKey]: FactValues[Facts[K]['type']] | null };

/** The facts as columns of a row of `races`. */
export type FactColumns = { readonly [K in FactKey as Facts[K]['name']]: FactValues[Facts[K]['type']] | null };

/** Members of every race that is served. */
export type FactMembers = {
  readonly [K in FactKey as Facts[K]['text'] extends null ? never : Facts[K]['name']]:
    | FactValues[Facts[K]['type']]
    | null;
};

/** What the registry prints with a race, besides its name and distance, which every race there has. */
export type PrintedFacts = {
  readonly [K in FactKey as K extends 'raceName' | 'distanceM'
    ? never
    : Facts[K]['registry'] extends 'race'
      ? K
      : never]: FactValues[Facts[K]['type']] | null;
};

/** In the order of declaration. */
export const FACTS: readonly (readonly [key: FactKey, fact: Fact])[] = Object.entries(RACE_FACTS) as never;

/** The facts of `PrintedFacts`. */
export const PRINTED = FACTS.filter(
  ([key, { registry }]) => registry === 'race' && key !== 'raceName' && key !== 'distanceM',
);

const MEMBERS = FACTS.filter(([, { text }]) => text !== null).map(([, { name }]) => name as keyof FactMembers);

/** All facts; `of` returns the value of each. */
export const factsOf = (of: <K extends FactKey>(key: K, fact: Fact) => RaceFacts[K]): RaceFacts =>
  Object.fromEntries(FACTS.map(([key, fact]) => [key, of(key, fact)])) as never;

export function factMembers(row: FactMembers): FactMembers {
  const members: Record<string, FactMembers[keyof FactMembers]> = {};
  for (const name of MEMBERS) members[name] = row[name];
  return members as never;
}
