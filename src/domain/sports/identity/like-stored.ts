// Rows whose names are other spellings of a stored match than the tables know: `C. Alcaraz`, `Man`, `Sparta Praha`.
// Such a row is keyed as that match if both sides may be its sides, the starts are within ten minutes, their prices
// agree, and neither fits another. Everything else (competition, ids) is judged as for equal names. In doubt the row
// keeps its own names: the match then stands twice, and is reported.
import type { Instant } from '../../race/race';
import type { ListedEvent, StoredEvent } from './listed-event';
import { isStronger, type Likeness, strongest, weakest } from './names/likeness';
import { isOfPlayers } from './names/players';
import { likenessOf } from './names/same-side';
import { pairOf } from './place-events';
import { type Fit, fitOf, MINUTES_APART_MS } from './same-match';
import { type Names, type Side, sideOf, type Team, teamOf } from './team-names';

/** A stored match near the start of a row, or one that the pushing book lists under the row's names. */
export interface NearMatch {
  readonly eventId: string;
  readonly sportKey: string;
  readonly homeKey: string;
  readonly awayKey: string;
  readonly commenceTime: Instant;
  /** As books have listed it, of the match's sides. */
  readonly listings: readonly { readonly home: string; readonly away: string; readonly competition: string | null }[];
  /** As the pushing book lists it now, in its own order; null: it does not. */
  readonly own: { readonly home: string; readonly away: string } | null;
}

/** Shares of the home side further apart than this do not support one match. */
const AGREEMENT = 0.2;

/** Each row with the teams that its names mean. Yields between rows, as all here does. */
export function* namedRows(listed: readonly ListedEvent[], names: Names): Generator<void, readonly ListedEvent[]> {
  const rows: ListedEvent[] = [];
  for (const one of listed) {
    const { sport, homeTeam, awayTeam, competition } = one;
    const read = (name: string): Team | null => teamOf(sport.key, name, competition, names);
    rows.push({ ...one, teams: { home: read(homeTeam), away: read(awayTeam) } });
    yield;
  }
  return rows;
}

/** The rows, by position, that no stored match of their own names is near to. */
export function* withoutMatch(
  rows: readonly ListedEvent[],
  stored: readonly StoredEvent[],
): Generator<void, readonly number[]> {
  const ofNames = byNames(stored);
  const without: number[] = [];
  for (const [i, row] of rows.entries()) {
    if (isReadable(row) && !ofNames(row).some((one) => isNear(row, one))) without.push(i);
    yield;
  }
  return without;
}

const isReadable = ({ teams }: ListedEvent): boolean =>
  !!teams?.home && !!teams.away && teams.home.key !== teams.away.key;

/** Of each row the stored matches of its two teams, in whichever order. */
function byNames(stored: readonly StoredEvent[]): (row: ListedEvent) => readonly StoredEvent[] {
  const pairs = Map.groupBy(stored, ({ sportKey, homeKey, awayKey }) => pairOf(sportKey, homeKey, awayKey));
  return ({ sport, teams }) => pairs.get(pairOf(sport.key, teams?.home?.key ?? '', teams?.away?.key ?? '')) ?? [];
}

const isNear = ({ commenceTime }: ListedEvent, one: StoredEvent): boolean =>
  [one.commenceTime, ...one.listedStarts].some((start) => isWithin(start, commenceTime));

const isWithin = (a: Instant, b: Instant): boolean => Math.abs(Date.parse(a) - Date.parse(b)) <= MINUTES_APART_MS;

/** A match that a row may be. */
interface Option {
  /** The row's place. */
  readonly i: number;
  readonly near: NearMatch;
  readonly isTurned: boolean;
  readonly isOwn: boolean;
  /** How many of its sides a book spells as the row does. */
  readonly equalSides: number;
}

/** Of a push; each costs some 15 µs, and the largest books need a tenth. A comparison with each listing of a match. */
export const MOST_COMPARISONS = 200_000;
/** Of a push: matches that its rows may be. */
export const MOST_OPTIONS = 20_000;

/**
 * `at`: the places of the rows to be compared. Yields before each comparison of names. The rows of one sport are all
 * compared, or, beyond the limits, none of them: a row that is not compared might contest the match of another.
 */
export function* optionsOf(
  rows: readonly ListedEvent[],
  at: readonly number[],
  near: readonly NearMatch[],
  names: Names,
): Generator<void, readonly Option[]> {
  const found = createNearby();
  for (const one of near) {
    found.add(sidesOf(one, names));
    yield;
  }
  const bySport = Map.groupBy(at, (i) => rows[i]!.sport.key);
  const options: Option[] = [];
  let left = MOST_COMPARISONS;
  // The book's own come first, so that its rows stay where they are.
  for (const matchesOf of [found.ownOf, found.nearTo]) {
    for (const [sport, places] of bySport) {
      let needed = 0;
      for (const i of places) {
        for (const { home } of matchesOf(rows[i]!)) needed += Math.max(1, home.length);
        yield;
      }
      const most = MOST_OPTIONS - options.length;
      const more = needed > left ? null : yield* comparedWith(rows, places, matchesOf, names, most);
      if (needed <= left) left -= needed;
      if (more) for (const option of more) options.push(option);
      else bySport.delete(sport);
    }
  }
  return options;
}

/** Null: there are more than `most`. */
function* comparedWith(
  rows: readonly ListedEvent[],
  places: readonly number[],
  matchesOf: (row: ListedEvent) => readonly Sides[],
  names: Names,
  most: number,
): Generator<void, readonly Option[] | null> {
  const options: Option[] = [];
  for (const i of places) {
    yield;
    const row = rows[i]!;
    const matches = matchesOf(row);
    if (matches.length === 0) continue;
    const { sport, homeTeam, awayTeam, competition } = row;
    const [home, away] = [homeTeam, awayTeam].map((name) => sideOf(sport.key, name, competition, names)!);
    for (const stored of matches) {
      yield;
      const { one } = stored;
      const straight = likenessTo(stored, home!, away!, names);
      const turned = likenessTo(stored, away!, home!, names);
      if (straight === turned) continue;
      const isTurned = isStronger(turned, straight);
      const equalSides = isTurned ? equalIn(stored, away!, home!) : equalIn(stored, home!, away!);
      options.push({ i, near: one, isTurned, isOwn: isOwnRow(one, row), equalSides });
      if (options.length > most) return null;
    }
  }
  return options;
}

const isOwnRow = ({ own }: NearMatch, { homeTeam, awayTeam }: ListedEvent): boolean =>
  own !== null && own.home === homeTeam && own.away === awayTeam;

/** Matches by their start, so that a row is compared with few of them: those near it, and the book's own. */
function createNearby() {
  const bySlot = new Map<string, Sides[]>();
  const byNames = new Map<string, Sides[]>();
  const slotOf = (sportKey: string, ms: number, by = 0): string =>
    `${sportKey} ${Math.floor(ms / MINUTES_APART_MS) + by}`;
  const add = (to: Map<string, Sides[]>, key: string, one: Sides): void => {
    const all = to.get(key);
    if (all) all.push(one);
    else to.set(key, [one]);
  };
  const namesOf = (sportKey: string, home: string, away: string): string => JSON.stringify([sportKey, home, away]);
  return {
    add(sides: Sides): void {
      const { sportKey, own } = sides.one;
      add(bySlot, slotOf(sportKey, sides.startMs), sides);
      if (own) add(byNames, namesOf(sportKey, own.home, own.away), sides);
    },
    /** Those that the book lists under the row's names. */
    ownOf: ({ sport, homeTeam, awayTeam }: ListedEvent): readonly Sides[] =>
      byNames.get(namesOf(sport.key, homeTeam, awayTeam)) ?? [],
    /** The others. */
    nearTo(row: ListedEvent): readonly Sides[] {
      const startMs = Date.parse(row.commenceTime);
      const slots = [-1, 0, 1].flatMap((by) => bySlot.get(slotOf(row.sport.key, startMs, by)) ?? []);
      return slots.filter((one) => Math.abs(one.startMs - startMs) <= MINUTES_APART_MS && !isOwnRow(one.one, row));
    },
  };
}

interface Sides {
  readonly one: NearMatch;
  readonly startMs: number;
  /** As each book names the match's sides. */
  readonly home: readonly Side[];
  readonly away: readonly Side[];
}

function sidesOf(one: NearMatch, names: Names): Sides {
  const { sportKey, listings, commenceTime } = one;
  const read = (of: 'home' | 'away'): readonly Side[] =>
    listings.flatMap((listing) => sideOf(sportKey, listing[of], listing.competition, names) ?? []);
  return { one, startMs: Date.parse(commenceTime), home: read('home'), away: read('away') };
}

/** Of a row with these sides, of the match's home and away. */
function likenessTo({ one: { sportKey }, ...match }: Sides, home: Side, away: Side, names: Names): Likeness {
  const to = (side: Side, others: readonly Side[]): Likeness => {
    const all = others.map((other) => likenessOf(sportKey, side, other, names(sportKey)));
    // An initial fits brothers; a name that is written out fits one of them.
    return isOfPlayers(sportKey) && all.length > 0 ? weakest(all) : strongest(all);
  };
  const ofHome = to(home, match.home);
  return ofHome === 'different' ? ofHome : weakest([ofHome, to(away, match.away)]);
}

const equalIn = (match: Sides, home: Side, away: Side): number =>
  [match.home.some(({ club }) => club === home.club), match.away.some(({ club }) => club === away.club)].filter(Boolean)
    .length;

/**
 * The rows, those keyed as the stored match that they are under other names. `stored`: what is stored of the matches of
 * the options.
 */
export function* likened(
  rows: readonly ListedEvent[],
  options: readonly Option[],
  stored: readonly StoredEvent[],
  observedAt: Instant,
): Generator<void, readonly ListedEvent[]> {
  const byId = new Map(stored.map((one) => [one.eventId, one]));
  const ofNames = byNames(stored);
  const taken = new Set<string>();
  for (const row of rows) {
    for (const one of ofNames(row)) if (isNear(row, one)) taken.add(one.eventId);
    yield;
  }
  const fitting: Fitting[] = [];
  for (const option of options) {
    yield;
    const one = byId.get(option.near.eventId);
    const row = keyedAs(rows[option.i]!, option);
    if (!one || taken.has(one.eventId)) continue;
    const fit = fitOf({ listed: row, home: row.teams!.home!, away: row.teams!.away! }, one, Date.parse(observedAt));
    if (isFit(fit) && isCredible(fit, row, one, option)) fitting.push({ ...option, apartMs: fit.apartMs });
  }
  const ofRow = Map.groupBy(fitting, ({ i }) => i);
  const ofMatch = Map.groupBy(fitting, ({ near }) => near.eventId);
  const keyed: ListedEvent[] = [];
  for (const [i, row] of rows.entries()) {
    const own = ofRow.get(i) ?? [];
    const chosen = nearestOwn(own) ?? mostEqual(own);
    const rivals = chosen ? ofMatch.get(chosen.near.eventId)! : [];
    const isContested = rivals.some((one) => one.i !== i && (one.isOwn || !chosen!.isOwn));
    keyed.push(chosen && !isContested ? keyedAs(row, chosen) : row);
    yield;
  }
  return keyed;
}

const isFit = (fit: unknown): fit is Fit => typeof fit === 'object' && fit !== null;

/** A row that the book lists there under these names stays, whatever its start is by now. */
function isCredible(fit: Fit, { homeShare }: ListedEvent, one: StoredEvent, { isTurned, isOwn }: Option): boolean {
  if (fit.disagrees || isOwn) return !fit.disagrees;
  const share = homeShare !== null && isTurned ? 1 - homeShare : homeShare;
  const isClose = share === null || one.homeShare === null || Math.abs(share - one.homeShare) < AGREEMENT;
  return isClose && fit.apartMs <= MINUTES_APART_MS;
}

type Fitting = Option & { readonly apartMs: number };

function nearestOwn(fitting: readonly Fitting[]): Fitting | undefined {
  const own = fitting.filter(({ isOwn }) => isOwn).sort((a, b) => a.apartMs - b.apartMs);
  return own.length === 1 || (own[0] && own[1] && own[0].apartMs < own[1].apartMs) ? own[0] : undefined;
}

/**
 * The only one, or the only one with the most sides that are spelled so: of the others two may be one that stands
 * twice.
 */
function mostEqual(fitting: readonly Fitting[]): Fitting | undefined {
  const most = Math.max(...fitting.map(({ equalSides }) => equalSides));
  const best = fitting.filter(({ equalSides }) => equalSides === most);
  return best.length === 1 ? best[0] : undefined;
}

function keyedAs(row: ListedEvent, { near, isTurned }: Option): ListedEvent {
  const [home, away] = isTurned ? [near.awayKey, near.homeKey] : [near.homeKey, near.awayKey];
  return { ...row, teams: { home: { key: home!, name: row.homeTeam }, away: { key: away!, name: row.awayTeam } } };
}
