// Separates the matches that today's rule would not join (D66), including those that have started, with their captures
// and so their closing lines. A row that leaves goes to its true match, otherwise to a new one. Each match is one
// transaction in turn with the pushes. A second run finds nothing.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { rulingOf } from '../../../domain/sports/identity/decision';
import type { ListedEvent } from '../../../domain/sports/identity/listed-event';
import { placeEvents } from '../../../domain/sports/identity/place-events';
import { type Mistaken, mistakenRows } from '../../../domain/sports/identity/standing-row';
import { sportOf } from '../../../domain/sports/sports';
import { atOnce } from '../../../in-parts';
import { inTransaction } from '../../pg/transaction';
import { IN_TURN } from '../push-sql';
import { readStored } from '../stored-matches';
import { createMatch } from './create-match';
import { writeDecisions } from './decisions';
import { correctArbs, followStarts, moveRow, nameCompetition } from './move-rows';
import { readStanding, readStandingPage, type StandingMatch } from './standing';

interface PartedRow {
  readonly from: string;
  readonly to: string;
  readonly bookmaker: string;
  readonly because: string;
}

export interface Recheck {
  readonly matches: number;
  readonly parted: readonly PartedRow[];
  /** Arbs that were announced between books of two matches. */
  readonly corrected: number;
}

const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

export async function recheckMatches(pool: Pool, at: Instant): Promise<Recheck> {
  const parted: PartedRow[] = [];
  let matches = 0;
  let corrected = 0;
  for (let after = FIRST; ; ) {
    const page = await readStandingPage(pool, after, PAGE);
    matches += page.length;
    for (const { eventId } of page.filter(({ sportKey, rows }) => mistakenRows(sportKey, rows).length > 0)) {
      const done = await inTransaction(pool, (client) => partMistaken(client, eventId, at));
      parted.push(...done.parted);
      corrected += done.corrected;
    }
    if (page.length < PAGE) return { matches, parted, corrected };
    after = page.at(-1)!.eventId;
  }
}

async function partMistaken(client: ClientBase, eventId: string, at: Instant): Promise<Omit<Recheck, 'matches'>> {
  await client.query(IN_TURN);
  const match = (await readStanding(client, eventId))!;
  const parted: PartedRow[] = [];
  for (const one of mistakenRows(match.sportKey, match.rows)) {
    const to = await partRow(client, match, one, at);
    parted.push({ from: eventId, to, bookmaker: one.row.bookmaker, because: one.because });
  }
  await nameCompetition(client, eventId);
  const ahead = [match.eventId, ...parted.map(({ to }) => to)];
  if (Date.parse(match.commenceTime) > Date.parse(at)) await followStarts(client, ahead, at);
  const leavers = parted.map(({ bookmaker }) => bookmaker);
  return { parted, corrected: await correctArbs(client, eventId, leavers, at) };
}

/** Resolves to the match that the row is now. */
async function partRow(
  client: ClientBase,
  match: StandingMatch,
  { row, because }: Mistaken,
  at: Instant,
): Promise<string> {
  const sport = sportOf(match.sportKey)!;
  const own = row.isTurned && row.homeShare !== null ? 1 - row.homeShare : row.homeShare;
  const listed: ListedEvent = { ...row, sport, homeShare: own, h2h: null };
  // Before its start, so that it is placed as it would have been.
  const seenAt = row.seenAt ?? at;
  const query = { bookmakerKey: row.bookmaker, rows: [listed], isWhole: false, observedAt: seenAt, feed: null };
  const stored = await readStored(client, query);
  const others = stored.filter((one) => one.eventId !== match.eventId && !one.isOwn);
  const [placed] = atOnce(placeEvents([listed], others, seenAt));
  const known = placed!.kind === 'known' ? placed! : null;
  const to = known ? known.eventId : await createMatch(client, listed, seenAt);
  const turned = row.isTurned !== (known?.swapped ?? false);
  const move = { from: match.eventId, to, bookmakerKey: row.bookmaker, turned, ruledAt: null };
  await moveRow(client, { ...move, placedBy: known?.because ?? 'new' });
  await writeDecisions(client, row.bookmaker, at, [rulingOf(listed, 'parted', because, to)]);
  await nameCompetition(client, to);
  return to;
}
