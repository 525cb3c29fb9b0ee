// Joins a registry's document to our races (D17), writes its fields into our results and applies its notices. A race
// that may be another one, contradicts our card or placings, or is incomplete is refused, logged and counted, and tried
// again at every reading. Never guesses.

import type { ListedRace } from '../../domain/race/feed-race';
import { type JoinCandidate, joinListing, placeRace } from '../../domain/race/identity';
import { spelledAsOnCard } from '../../domain/results/card-spelling';
import { type FieldObjection, objectionTo } from '../../domain/results/field-agreement';
import { addDays } from '../../domain/time/aet';
import type { DocumentId, StoredMeeting, StoredPublishedRace } from '../../store/registry/published-results';
import type { FieldVerdict } from '../../store/results/field';
import { type CollectDeps, instantNow } from '../deps';
import { signalLateFill } from '../races/signal-race';
import { applyNotices } from './abandonment-notices';
import { endProtest } from './end-protest';
import { reportRefusal } from './report-refusal';

export interface AppliedDocument {
  /** Our races whose field was written. */
  readonly filled: readonly string[];
  /** Races of the document that are refused at present. */
  readonly refused: number;
  /** Our races that were abandoned by its notices. */
  readonly abandoned: number;
}

/** Applies a stored document without calling the registry. Idempotent. */
export async function applyDocument(deps: CollectDeps, document: DocumentId): Promise<AppliedDocument> {
  const meeting = await deps.stores.published.meeting(document);
  if (!meeting) return { filled: [], refused: 0, abandoned: 0 };
  const candidates = await deps.stores.races.joinCandidates([-1, 0, 1].map((n) => addDays(meeting.day, n)));
  const joined = new Map<number, string>();
  const filled: string[] = [];
  let refused = 0;
  for (const race of meeting.races) {
    const found = await joinRace(deps, meeting, race, candidates);
    const raceId = 'raceId' in found ? found.raceId : null;
    if (raceId !== null) joined.set(race.raceNumber, raceId);
    const verdict = raceId === null ? found : await offerField(deps, meeting, race, raceId);
    if ('filled' in verdict && verdict.filled) filled.push(raceId!);
    const why = 'refused' in verdict ? verdict.refused : null;
    if (why !== null) refused += 1;
    if (await deps.stores.published.refuse(document, race.raceNumber, why))
      await reportRefusal(deps, meeting, race.raceNumber, why!);
  }
  const abandoned = await applyNotices(deps, meeting, joined, candidates);
  for (const raceId of filled) await signalLateFill(deps, raceId);
  return { filled, refused, abandoned };
}

type Refusal = { readonly refused: string };

/**
 * Our race for it; permanent once its runners agree with our card. Null when no book lists the race yet: the next
 * reading tries again.
 */
async function joinRace(
  { stores }: CollectDeps,
  meeting: StoredMeeting,
  race: StoredPublishedRace,
  candidates: readonly JoinCandidate[],
): Promise<{ readonly raceId: string | null } | Refusal> {
  if (race.raceId !== null) return { raceId: race.raceId };
  const place = placeOf(meeting, race, candidates);
  if ('refused' in place || place.raceId === null) return place;
  // Joined by venue and number alone: enough for a notice, but not kept, so that a document with runners can still take
  // the race.
  if (race.runners === null) return place;
  const objection = objectionTo(race.runners, await stores.published.cardOf(place.raceId));
  if (isOtherRace(objection)) return { refused: objection };
  const joined = await stores.published.join(meeting, race.raceNumber, place.raceId);
  return joined ? place : { refused: 'race_taken' };
}

/** An incomplete field still belongs to this race. */
const isOtherRace = (objection: FieldObjection | null): objection is FieldObjection =>
  objection === 'another_race' || objection === 'runner_contradicted';

function placeOf(
  meeting: StoredMeeting,
  race: StoredPublishedRace,
  candidates: readonly JoinCandidate[],
): { readonly raceId: string | null } | Refusal {
  if (race.acceptedAs !== null) return { raceId: race.acceptedAs };
  const listed = listedRaces(meeting);
  const own = listed.find(({ raceNumber }) => raceNumber === race.raceNumber);
  const placed = own ? placeRace(own, candidates, listed) : joinListing(withoutStart(meeting, race), candidates);
  if (placed?.kind === 'ambiguous') return { refused: 'ambiguous_race' };
  return { raceId: placed?.kind === 'known' ? placed.raceId : null };
}

const NOTHING_MORE = { raceName: null, distanceM: null, trackCondition: null, weather: null } as const;

const withoutStart = ({ key, category, venue, day }: StoredMeeting, { raceNumber }: StoredPublishedRace) => ({
  sourceRaceId: `${key}/${raceNumber}`,
  category,
  venue,
  country: 'AU',
  meetingDate: day,
  raceNumber,
  startTime: null,
  ...NOTHING_MORE,
});

/** The document's races with a start time, joined as one list so that a second card is recognised. */
const listedRaces = (meeting: StoredMeeting): readonly ListedRace[] =>
  meeting.races.flatMap((race) =>
    race.startTime === null ? [] : [{ ...withoutStart(meeting, race), startTime: race.startTime }],
  );

const REFUSED: Readonly<Partial<Record<FieldVerdict, string>>> = {
  contradicted: 'placings_contradicted',
  abandoned: 'race_abandoned',
};

/** Stores only a final field: an interim one may change. Skips a race that needs no field. */
async function offerField(
  deps: CollectDeps,
  meeting: StoredMeeting,
  { stage, runners }: StoredPublishedRace,
  raceId: string,
): Promise<{ readonly filled: boolean } | Refusal> {
  const { published, results } = deps.stores;
  const race = await published.race(raceId);
  const isWanted = race && (race.fieldStatus !== 'complete' || race.contradicted || race.underProtest);
  if (stage !== 'final' || runners === null || !isWanted) return { filled: false };
  const card = await published.cardOf(raceId);
  const objection = objectionTo(runners, card);
  if (objection) return { refused: objection };
  const field = spelledAsOnCard(runners, card);
  const verdict = await results.acceptField(raceId, field, meeting.source, instantNow(deps));
  if (race.underProtest) await endProtest(deps, meeting, race, field);
  const why = REFUSED[verdict];
  return why === undefined ? { filled: verdict === 'filled' } : { refused: why };
}
