// The decision about a book's row, with its reasons: for machines, and as a sentence for an operator (D66). Pure.
import type { ListedEvent, StoredEvent } from './listed-event';
import { MOST_OF_PAIR, pairOf, teamsOf } from './place-events';
import type { Placed } from './placed';
import { fitOf, MINUTES_APART_MS, type Misfit } from './same-match';

type Verdict = 'joined' | 'parted' | 'new' | 'refused' | 'probable_twin';

/** As stored. */
export interface Decision {
  /** The book's own id of the row, otherwise all that it states about it. */
  readonly row_key: string;
  readonly verdict: Verdict;
  /** `Evidence` of a joined one, a `Misfit` or `no_match` of a new one, the reason of a refused one. */
  readonly because: string;
  /** The match that it is, or may be. */
  readonly event_id: string | null;
  readonly sport_key: string;
  readonly starts_at: string;
  readonly reasons: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}

type Named = Pick<ListedEvent, 'sport' | 'sourceId' | 'homeTeam' | 'awayTeam' | 'competition' | 'commenceTime'>;

/** Names the row in all pushes of its book, as long as it does not change. */
const rowKeyOf = ({ sport, sourceId, homeTeam, awayTeam, competition, commenceTime }: Named): string =>
  sourceId === null
    ? `${[sport.key, homeTeam, awayTeam, competition ?? '', commenceTime].join('|')}`
    : `id:${sourceId}`;

const JOINED: Readonly<Record<string, string>> = {
  ruling: 'an operator ruled so',
  id: 'the book gave the match this id before',
  competition: 'its competition is the same',
  unnamed: 'no competition is named on one side, and the starts are minutes apart',
  unknown_competition:
    'the sides are equal, the starts minutes apart and the prices agree, though a competition is unknown',
  moved: 'the book moved its start: its earlier row is gone, and its prices are the same',
};
const APART: Readonly<Record<Misfit | 'no_match', string>> = {
  parted: 'an operator parted the book from the nearest match of these sides',
  other_competition: 'the nearest match of these sides is of another competition',
  other_id: 'the book gave the nearest match of these sides another id',
  start: 'the nearest match of these sides starts at another time',
  dividing_word: 'a competition is unknown, and the sides are of women, reserves or youth',
  sides: 'the nearest match of these sides has them the other way round, and a competition is unknown',
  prices: 'a competition is unknown, and the prices do not agree with the nearest match of these sides',
  no_match: 'no match of these sides is stored',
};
const REFUSED: Readonly<Record<string, string>> = {
  unreadable_team: 'a side cannot be read',
  same_team: 'both sides are one team',
  repeated: 'another row of the list is the same match',
  ambiguous_event: `it may be more than one match, another row fits as well, or the list has over ${MOST_OF_PAIR} rows of its sides`,
  prices_disagree: 'its prices contradict those of the other books by 40 points or more',
  started: 'it has started',
};

/**
 * For the rows of one list, in order: new outcomes of a book's row, and refusals. A row that stays in its match is not
 * a decision. Yields between rows.
 */
export function* decisionsOf(
  listed: readonly ListedEvent[],
  placed: readonly Placed[],
  stored: readonly StoredEvent[],
  observedAt: string,
): Generator<void, readonly Decision[]> {
  const byId = new Map(stored.map((one) => [one.eventId, one]));
  const byPair = Map.groupBy(stored, ({ sportKey, homeKey, awayKey }) => pairOf(sportKey, homeKey, awayKey));
  const decisions: Decision[] = [];
  for (const [i, one] of placed.entries()) {
    yield;
    const row = listed[i]!;
    const { home, away } = teamsOf(row);
    const ofPair = (home && away && byPair.get(pairOf(row.sport.key, home.key, away.key))) ?? [];
    decisions.push(...decisionsOfRow(row, one, byId, () => nearestOf(row, ofPair, Date.parse(observedAt))));
  }
  return decisions;
}

function decisionsOfRow(
  row: ListedEvent,
  one: Placed,
  byId: ReadonlyMap<string, StoredEvent>,
  nearest: () => ReturnType<typeof nearestOf>,
): readonly Decision[] {
  if (one.kind === 'refused') {
    const match = one.eventId === undefined ? undefined : byId.get(one.eventId);
    return [decision(row, 'refused', one.reason, match, REFUSED[one.reason]!)];
  }
  if (one.kind === 'known') {
    const match = byId.get(one.eventId)!;
    const isKept = match.isOwn && one.because !== 'moved' && match.sourceId === row.sourceId;
    return isKept ? [] : [decision(row, 'joined', one.because, match, JOINED[one.because]!, one)];
  }
  const { eventId } = one.event;
  const near = nearest();
  const made = decision(row, 'new', near.because, near.one, APART[near.because]);
  const twin = one.twinOf === null ? undefined : byId.get(one.twinOf);
  const sentence = 'the book lists it no longer and lists this one, which may be the same, moved';
  return [
    { ...made, event_id: eventId },
    ...(twin ? [{ ...decision(row, 'probable_twin', 'moved', twin, sentence), event_id: eventId }] : []),
  ];
}

const PARTED: Readonly<Record<string, string>> = {
  ruling: 'an operator ruled so',
  other_competition: 'it is of another competition',
  start: 'it starts at another time, and no competition is named',
  prices: 'its prices contradict those of the others by 40 points or more',
};

/** For an existing row that an operator, or the recheck, joins to or separates into a match. */
export const rulingOf = (row: Named, verdict: 'joined' | 'parted', because: string, eventId: string): Decision => ({
  ...decision(row, verdict, because, undefined, (verdict === 'joined' ? JOINED : PARTED)[because] ?? because),
  event_id: eventId,
});

function decision(
  row: Named & { readonly homeShare?: number | null },
  verdict: Verdict,
  because: string,
  match: StoredEvent | undefined,
  why: string,
  placed?: Extract<Placed, { kind: 'known' }>,
): Decision {
  const { sport, sourceId, homeTeam, awayTeam, competition, commenceTime, homeShare } = row;
  const listed = {
    source_id: sourceId,
    home_team: homeTeam,
    away_team: awayTeam,
    competition,
    home_share: homeShare ?? null,
  };
  return {
    row_key: rowKeyOf(row),
    verdict,
    because,
    event_id: match?.eventId ?? null,
    sport_key: sport.key,
    starts_at: commenceTime,
    reasons: {
      ...listed,
      ...(match && { match: matchOf(match) }),
      ...(placed && { apart_minutes: Math.round(placed.apartMs / 60_000), turned: placed.swapped }),
    },
    sentence: `${homeTeam} v ${awayTeam}${competition === null ? '' : ` (${competition})`}, ${commenceTime}, ${TEXT[verdict]}: ${why}.`,
  };
}

const TEXT: Readonly<Record<Verdict, string>> = {
  joined: 'joined',
  parted: 'was parted',
  new: 'is a match of its own',
  refused: 'was refused',
  probable_twin: 'is a probable twin',
};

const matchOf = ({ eventId, competitions, commenceTime, homeShare, pricedBy }: StoredEvent) => ({
  event_id: eventId,
  competitions,
  commence_time: commenceTime,
  home_share: homeShare,
  priced_by: pricedBy,
});

/** Of the matches of its pair: why the row is not the one whose start is nearest. */
function nearestOf(row: ListedEvent, ofPair: readonly StoredEvent[], observedMs: number) {
  const { home, away } = teamsOf(row);
  const start = Date.parse(row.commenceTime);
  const apart = ({ commenceTime }: StoredEvent): number => Math.abs(Date.parse(commenceTime) - start);
  const [one] = ofPair.toSorted((a, b) => apart(a) - apart(b));
  if (!one || !home || !away) return { one: undefined, because: 'no_match' as const };
  const fit = fitOf({ listed: row, home, away }, one, observedMs);
  // It fits, and another row took it, or its prices contradict.
  const because =
    typeof fit === 'string' ? fit : fit.disagrees ? 'prices' : apart(one) > MINUTES_APART_MS ? 'start' : 'other_id';
  return { one, because: because satisfies Misfit };
}
