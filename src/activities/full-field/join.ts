// What a registry's document says, onto our races (D17): which race each of its races is, its field into our result, its notices to the races
// that do not run. What may be another race, contradicts our card or our placings, or is not whole is refused, logged and counted, and looked
// at again with every reading; never guessed.

import type { ListedRace } from '../../domain/race/feed-race';
import { type JoinCandidate, joinListing, placeRace } from '../../domain/race/identity';
import { spelledAsOnCard } from '../../domain/results/card-spelling';
import { type FieldObjection, objectionTo } from '../../domain/results/field-agreement';
import { addDays } from '../../domain/time/aet';
import type { DocumentId, HeldMeeting, HeldPublishedRace } from '../../store/registry/published-results';
import type { FieldTaken } from '../../store/results/field';
import { type CollectDeps, instantNow } from '../deps';
import { signalLateFill } from '../races/signal-race';
import { applyNotices } from './abandonment-notices';
import { endProtest } from './end-protest';
import { reportRefusal } from './report-refusal';

export interface AppliedDocument {
  /** Races of ours whose field was written. */
  readonly filled: readonly string[];
  /** Of the document's races, by what is known now. */
  readonly refused: number;
  /** Races of ours that were told that they do not run. */
  readonly abandoned: number;
}

/** Of a document as it is held; nothing is asked of the registry. Taking it again changes nothing. */
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

/** Ours, once and for all when its runners agree with our card; a race that nobody lists waits for the next time. */
async function joinRace(
  { stores }: CollectDeps,
  meeting: HeldMeeting,
  race: HeldPublishedRace,
  candidates: readonly JoinCandidate[],
): Promise<{ readonly raceId: string | null } | Refusal> {
  if (race.raceId !== null) return { raceId: race.raceId };
  const place = placeOf(meeting, race, candidates);
  if ('refused' in place || place.raceId === null) return place;
  // Only its place speaks for it: enough for a notice, not to keep the race from a document that names runners.
  if (race.runners === null) return place;
  const objection = objectionTo(race.runners, await stores.published.cardOf(place.raceId));
  if (isOtherRace(objection)) return { refused: objection };
  const joined = await stores.published.join(meeting, race.raceNumber, place.raceId);
  return joined ? place : { refused: 'race_taken' };
}

/** A field that is only not whole yet is this race's all the same. */
const isOtherRace = (objection: FieldObjection | null): objection is FieldObjection =>
  objection === 'another_race' || objection === 'runner_contradicted';

function placeOf(
  meeting: HeldMeeting,
  race: HeldPublishedRace,
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

const withoutStart = ({ key, category, venue, day }: HeldMeeting, { raceNumber }: HeldPublishedRace) => ({
  sourceRaceId: `${key}/${raceNumber}`,
  category,
  venue,
  country: 'AU',
  meetingDate: day,
  raceNumber,
  startTime: null,
  ...NOTHING_MORE,
});

/** The document's races that say when they start: joined as one list, so that a second card is seen. */
const listedRaces = (meeting: HeldMeeting): readonly ListedRace[] =>
  meeting.races.flatMap((race) =>
    race.startTime === null ? [] : [{ ...withoutStart(meeting, race), startTime: race.startTime }],
  );

const REFUSED: Readonly<Partial<Record<FieldTaken, string>>> = {
  contradicted: 'placings_contradicted',
  abandoned: 'race_abandoned',
};

/** Only a final field is kept: an interim one may change. A field that our race does not want is not looked at. */
async function offerField(
  deps: CollectDeps,
  meeting: HeldMeeting,
  { stage, runners }: HeldPublishedRace,
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
  const verdict = await results.takeField(raceId, field, meeting.source, instantNow(deps));
  if (race.underProtest) await endProtest(deps, meeting, race, field);
  const why = REFUSED[verdict];
  return why === undefined ? { filled: verdict === 'filled' } : { refused: why };
}
