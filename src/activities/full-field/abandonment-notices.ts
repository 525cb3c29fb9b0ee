// Applies a registry's notice that a meeting, or a race of it, does not run (A 3) to each of our races that it covers
// and that has no result. Each notice is applied once: reading it again must not undo an operator's reinstatement.
import type { JoinCandidate } from '../../domain/race/identity';
import { resolveVenue } from '../../domain/race/venue';
import type { RaceHeader } from '../../store/card/races';
import type { StoredMeeting } from '../../store/registry/published-results';
import { type CollectDeps, instantNow } from '../deps';
import { signalUnseen } from '../races/signal-unseen';
import { reportRefusal } from './report-refusal';

/** Returns how many races were abandoned. `joined`: race number in the document → our race id. */
export async function applyNotices(
  deps: CollectDeps,
  meeting: StoredMeeting,
  joined: ReadonlyMap<number, string>,
  candidates: readonly JoinCandidate[],
): Promise<number> {
  const { published } = deps.stores;
  const notices = noticesOf(meeting, joined, candidates);
  const applied = await published.notices(meeting);
  let count = 0;
  for (const [raceId, { note, raceNumber }] of notices) {
    if (applied.get(raceId) === note) continue;
    const verdict = await applyNotice(deps, raceId, note);
    if (verdict === 'wait') continue;
    if (verdict === 'ran') await reportRefusal(deps, meeting, raceNumber, 'notice_of_a_race_that_ran');
    else count += 1;
    if (verdict === 'apply') await order(deps, meeting, raceId, note);
    else await published.keepNotice(meeting, raceId, note, instantNow(deps));
  }
  for (const raceId of applied.keys()) if (!notices.has(raceId)) await published.dropNotice(meeting, raceId);
  return count;
}

interface Notice {
  readonly note: string;
  readonly raceNumber: number;
}

/**
 * By race id. The meeting's notice covers every race there, listed in the document or not, except those that have a
 * result.
 */
function noticesOf(
  meeting: StoredMeeting,
  joined: ReadonlyMap<number, string>,
  candidates: readonly JoinCandidate[],
): ReadonlyMap<string, Notice> {
  const { note, races, day, category, venueId } = meeting;
  const notices = new Map<string, Notice>();
  if (staysAtVenue(meeting)) return notices;
  const ran = new Set(races.filter(isResulted).flatMap(({ raceNumber }) => joined.get(raceNumber) ?? []));
  if (note !== null) {
    const there = candidates.filter(
      ({ identity }) => identity.meetingDate === day && identity.category === category && identity.venueId === venueId,
    );
    for (const { raceId, identity } of ofOneCard(there, new Set(joined.values()))) {
      if (!ran.has(raceId)) notices.set(raceId, { note, raceNumber: identity.raceNumber });
    }
  }
  for (const { stage, raceNumber } of races) {
    const raceId = joined.get(raceNumber);
    if (stage === 'abandoned' && raceId) notices.set(raceId, { note: note ?? 'abandoned', raceNumber });
  }
  return notices;
}

/** A transfer from turf to the synthetic course of one venue: the race ids stay the same, and the races run. */
function staysAtVenue({ note, category, venueId }: StoredMeeting): boolean {
  const [, where] = /^transferred to (.+)$/.exec(note ?? '') ?? [];
  return where !== undefined && resolveVenue(where, category, 'AU').venueId === venueId;
}

const isResulted = ({ stage }: StoredMeeting['races'][number]): boolean => stage === 'interim' || stage === 'final';

/** If one track runs two cards, only the races of the joined card. None joined: no race. */
function ofOneCard(there: readonly JoinCandidate[], joined: ReadonlySet<string>): readonly JoinCandidate[] {
  const cards = new Set(there.map(({ identity }) => identity.card));
  if (cards.size <= 1) return there;
  const own = new Set(there.filter(({ raceId }) => joined.has(raceId)).map(({ identity }) => identity.card));
  return there.filter(({ identity }) => own.has(identity.card));
}

/**
 * A meeting may be called off between two races: a race that has just jumped may have a result before the next reading.
 */
const MAY_HAVE_RUN_MS = 60 * 60_000;

/** Includes a race past its start without an observed jump: the jump is presumed only ten minutes later. */
function mayHaveRun({ phase, startTime }: RaceHeader, nowMs: number): boolean {
  const sinceStartMs = nowMs - Date.parse(startTime);
  return (phase === 'jumped' || (phase === 'live' && sinceStartMs >= 0)) && sinceStartMs < MAY_HAVE_RUN_MS;
}

/** `ran`: it has a result. `apply`: the notice has yet to reach its workflow, or the store. */
async function applyNotice(
  deps: CollectDeps,
  raceId: string,
  note: string,
): Promise<'apply' | 'applied' | 'ran' | 'wait'> {
  const stored = await deps.stores.results.read(raceId);
  if (stored && stored.placingsKey !== '') return 'ran';
  // Already abandoned: do not overwrite the note, which may be more specific.
  if (stored?.status === 'abandoned' && (stored.statusNote === note || note === 'abandoned')) return 'applied';
  const header = await deps.stores.races.raceHeader(raceId);
  if (header && mayHaveRun(header, deps.now())) return 'wait';
  return header ? 'apply' : 'applied';
}

/** Stored first, so that a signal that fails is repeated by the sweep. */
async function order(deps: CollectDeps, meeting: StoredMeeting, raceId: string, note: string): Promise<void> {
  const { source } = meeting;
  const version = await deps.stores.published.orderByNotice(meeting, raceId, note, instantNow(deps));
  await signalUnseen(deps, raceId, { start: null, abandonment: { note, source, version } });
}
