// An operator's rulings: two matches are one, or a book's row is another match (D66). Each ruling is one transaction in
// turn with the pushes, and later pushes obey it. A match that has started is never moved.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { rulingOf } from '../../../domain/sports/identity/decision';
import { type Sport, sportOf } from '../../../domain/sports/sports';
import { inTransaction } from '../../pg/transaction';
import { IN_TURN } from '../push-sql';
import { createMatch } from './create-match';
import { writeDecisions } from './decisions';
import { correctArbs, followStarts, moveRow, nameCompetition } from './move-rows';
import { readStanding, type StandingMatch } from './standing';

/** Nothing was changed. */
export type RefusedRuling =
  | { readonly kind: 'unknown'; readonly eventId: string }
  | { readonly kind: 'started'; readonly eventId: string }
  | { readonly kind: 'other_sport' | 'sides_unknown' | 'whole_match' }
  /** Two rows of one list are two matches. */
  | { readonly kind: 'both_listed' | 'not_listed'; readonly bookmakers: readonly string[] };

export type Ruled =
  | {
      readonly kind: 'joined';
      readonly eventId: string;
      readonly other: string;
      readonly bookmakers: readonly string[];
    }
  | {
      readonly kind: 'parted';
      readonly eventId: string;
      readonly bookmakers: readonly string[];
      readonly corrected: number;
    }
  /** It was ruled before. */
  | { readonly kind: 'stands'; readonly eventId: string };

export interface SportRulingStore {
  /**
   * The match that was seen first stays, and the other id resolves to it. `turned`: null: as their teams have it. `at`:
   * now.
   */
  join(one: string, other: string, turned: boolean | null, at: Instant): Promise<Ruled | RefusedRuling>;
  /** The rows of these books become a separate match. */
  part(eventId: string, bookmakers: readonly string[], at: Instant): Promise<Ruled | RefusedRuling>;
}

export function createSportRulingStore(pool: Pool): SportRulingStore {
  const inTurn = <T>(work: (client: ClientBase) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await client.query(IN_TURN);
      return work(client);
    });
  return {
    join: (one, other, turned, at) => inTurn((client) => joinWith(client, [one, other], turned, at)),
    part: (eventId, bookmakers, at) => inTurn((client) => partWith(client, eventId, bookmakers, at)),
  };
}

const hasStarted = ({ commenceTime }: StandingMatch, at: Instant): boolean =>
  Date.parse(commenceTime) <= Date.parse(at);

async function joinWith(
  client: ClientBase,
  ids: readonly [string, string],
  turned: boolean | null,
  at: Instant,
): Promise<Ruled | RefusedRuling> {
  const [one, other] = [await readStanding(client, ids[0]), await readStanding(client, ids[1])];
  if (!one || !other) return { kind: 'unknown', eventId: one ? ids[1] : ids[0] };
  if (one.eventId === other.eventId) return { kind: 'stands', eventId: one.eventId };
  const [older, younger] = isOlder(one, other) ? [one, other] : [other, one];
  const isTurned = turned ?? turnOf(older, younger);
  const objection = objectionTo(older, younger, isTurned, at);
  if (objection) return objection;
  const bookmakers = younger.rows.map(({ bookmaker }) => bookmaker);
  for (const bookmakerKey of bookmakers) {
    const move = { from: younger.eventId, to: older.eventId, bookmakerKey, turned: isTurned!, ruledAt: at };
    await moveRow(client, { ...move, placedBy: 'ruling' });
  }
  await client.query(JOIN_INTO, [older.eventId, younger.eventId, isTurned]);
  await nameCompetition(client, older.eventId);
  await client.query(FORGET_PARTINGS, [older.eventId, bookmakers]);
  await decide(client, 'joined', older.sportKey, younger.rows, older.eventId, at);
  await followStarts(client, [older.eventId], at);
  return { kind: 'joined', eventId: older.eventId, other: younger.eventId, bookmakers };
}

const isOlder = (a: StandingMatch, b: StandingMatch): boolean =>
  Date.parse(a.firstSeenAt) === Date.parse(b.firstSeenAt)
    ? a.eventId < b.eventId
    : Date.parse(a.firstSeenAt) < Date.parse(b.firstSeenAt);

/** Null: none of their teams is the same. */
function turnOf({ homeKey, awayKey }: StandingMatch, other: StandingMatch): boolean | null {
  if (homeKey === other.homeKey || awayKey === other.awayKey) return false;
  return homeKey === other.awayKey || awayKey === other.homeKey ? true : null;
}

function objectionTo(
  older: StandingMatch,
  younger: StandingMatch,
  isTurned: boolean | null,
  at: Instant,
): RefusedRuling | null {
  const started = [older, younger].find((match) => hasStarted(match, at));
  if (started) return { kind: 'started', eventId: started.eventId };
  if (older.sportKey !== younger.sportKey) return { kind: 'other_sport' };
  if (isTurned === null) return { kind: 'sides_unknown' };
  const listed = new Set(older.rows.flatMap(({ bookmaker, isListed }) => (isListed ? [bookmaker] : [])));
  const both = younger.rows.filter(({ bookmaker, isListed }) => isListed && listed.has(bookmaker));
  return both.length > 0 ? { kind: 'both_listed', bookmakers: both.map(({ bookmaker }) => bookmaker) } : null;
}

/** `$2`, and the matches joined to it, resolve to `$1`. */
const JOIN_INTO = `
  UPDATE sport_events SET joined_into = $1, joined_turned = (joined_turned <> $3) WHERE event_id = $2 OR joined_into = $2`;
const FORGET_PARTINGS = 'DELETE FROM sport_partings WHERE event_id = $1 AND bookmaker_key = ANY ($2)';
const WRITE_PARTING = `
  INSERT INTO sport_partings (event_id, bookmaker_key, source_event_id, parted_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;

async function partWith(
  client: ClientBase,
  eventId: string,
  bookmakers: readonly string[],
  at: Instant,
): Promise<Ruled | RefusedRuling> {
  const match = await readStanding(client, eventId);
  if (!match) return { kind: 'unknown', eventId };
  const parted = match.rows.filter(({ bookmaker }) => bookmakers.includes(bookmaker));
  const missing = bookmakers.filter((key) => !parted.some(({ bookmaker }) => bookmaker === key));
  if (missing.length > 0) return partedBefore(client, match.eventId, bookmakers, missing);
  if (hasStarted(match, at)) return { kind: 'started', eventId: match.eventId };
  if (parted.length === match.rows.length) return { kind: 'whole_match' };
  const sport = sportOf(match.sportKey)!;
  const first = parted[0]!;
  const to = await createMatch(client, { ...first, sport }, at);
  const from = match.eventId;
  for (const { bookmaker, sourceId } of parted) {
    const move = {
      from,
      to,
      bookmakerKey: bookmaker,
      turned: first.isTurned,
      ruledAt: at,
      placedBy: 'ruling' as const,
    };
    await moveRow(client, move);
    await client.query(WRITE_PARTING, [from, bookmaker, sourceId, at]);
  }
  await nameCompetition(client, from);
  await decide(client, 'parted', match.sportKey, parted, to, at);
  await followStarts(client, [from, to], at);
  const corrected = await correctArbs(client, from, bookmakers, at);
  return { kind: 'parted', eventId: to, bookmakers, corrected };
}

const PARTED =
  'SELECT DISTINCT bookmaker_key AS key FROM sport_partings WHERE event_id = $1 AND bookmaker_key = ANY ($2)';

async function partedBefore(
  client: ClientBase,
  eventId: string,
  bookmakers: readonly string[],
  missing: readonly string[],
): Promise<Ruled | RefusedRuling> {
  const { rows } = await client.query(PARTED, [eventId, bookmakers]);
  return rows.length === bookmakers.length ? { kind: 'stands', eventId } : { kind: 'not_listed', bookmakers: missing };
}

async function decide(
  client: ClientBase,
  verdict: 'joined' | 'parted',
  sportKey: Sport['key'],
  rows: StandingMatch['rows'],
  eventId: string,
  at: Instant,
): Promise<void> {
  for (const row of rows) {
    const made = rulingOf({ ...row, sport: sportOf(sportKey)! }, verdict, 'ruling', eventId);
    await writeDecisions(client, row.bookmaker, at, [made]);
  }
}
