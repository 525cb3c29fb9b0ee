// When each registry publishes which parts of a race.
// The thoroughbred registry publishes an interim result some minutes after the books have paid and the final one the
// same evening; the greyhound registry publishes Victoria immediately and the other states the next morning.

import { type FieldSource, fieldSource } from '../../domain/results/field-coverage';
import { aetDayBounds } from '../../domain/time/aet';
import type { Race } from '../world/race';
import { hashText, unit } from '../world/random';
import { type OfficialRunner, officialField } from './official-field';

/** `none`: nothing is published yet. */
export type PublishedStage = 'none' | 'interim' | 'final' | 'abandoned';

/** A registry's document of one race at an instant. */
export interface PublishedRaceResult {
  readonly stage: PublishedStage;
  /** By number. Empty unless the stage is `interim` or `final`; a document can lack runners for a while. */
  readonly field: readonly OfficialRunner[];
  /** Why the race did not run (`Meeting abandoned`); null if it ran, or nothing is published. */
  readonly note: string | null;
  /** When the document last changed (epoch ms); null while the stage is `none`. */
  readonly publishedMs: number | null;
}

const MINUTE_MS = 60_000;
const NOTHING: PublishedRaceResult = { stage: 'none', field: [], note: null, publishedMs: null };

/** Only the stage. Always `none` for a race that neither registry covers (harness, New Zealand). */
export function publicationOf(race: Race, nowMs: number): PublishedStage {
  const due = dueOf(race);
  return due ? stageAt(race, due, nowMs) : 'none';
}

export function publishedResult(race: Race, nowMs: number): PublishedRaceResult {
  const due = dueOf(race);
  const stage = due ? stageAt(race, due, nowMs) : 'none';
  if (due === null || stage === 'none') return NOTHING;
  if (stage === 'abandoned') return { stage, field: [], note: race.story.abandoned!.note, publishedMs: due.noticeMs };
  return { stage, note: null, ...fieldOf(race, due, nowMs) };
}

function stageAt({ story }: Race, { noticeMs, interimMs, finalMs }: Due, nowMs: number): PublishedStage {
  if (story.abandoned) return nowMs >= noticeMs ? 'abandoned' : 'none';
  if (nowMs >= finalMs) return 'final';
  return nowMs >= interimMs ? 'interim' : 'none';
}

/** When each document of a race is published, epoch ms. */
interface Due {
  /** When the notice that the race does not run is published. */
  readonly noticeMs: number;
  readonly interimMs: number;
  readonly finalMs: number;
}

/** Null if neither registry covers the race. */
function dueOf(race: Race): Due | null {
  const { track } = race.meeting;
  const source = fieldSource(track.category, track.country);
  if (source === null) return null;
  const usual = USUAL[source](race);
  const late = race.story.document.lateByMs;
  return { noticeMs: usual.noticeMs + late, interimMs: usual.interimMs + late, finalMs: usual.finalMs + late };
}

const drawn = (seed: number, what: number, low: number, high: number): number =>
  Math.round(low + (high - low) * unit(seed, 970 + what)) * MINUTE_MS;

const USUAL: Record<FieldSource, (race: Race) => Due> = {
  racing_australia: (race) => {
    const { seed, story, meeting } = race;
    const interimMs = story.finalMs + drawn(seed, 1, 6, 20);
    const lastJumpMs = Math.max(...meeting.races.map((one) => one.story.jumpMs));
    const eveningMs = lastJumpMs + drawn(meeting.seed, 2, 60, 150);
    return { noticeMs: noticeMsOf(race), interimMs, finalMs: Math.max(eveningMs, interimMs + 10 * MINUTE_MS) };
  },
  topaz: (race) => {
    const { seed, story, meeting } = race;
    const paidMs = story.finalMs + drawn(seed, 3, 3, 9);
    if (meeting.track.state === 'VIC') return { noticeMs: noticeMsOf(race), interimMs: paidMs, finalMs: paidMs };
    // Each authority publishes its whole day at once.
    const handedOverMs =
      aetDayBounds(meeting.day).endMs + drawn(hashText(meeting.day + meeting.track.state), 4, 240, 330);
    const finalMs = Math.max(handedOverMs, paidMs);
    return { noticeMs: Math.max(handedOverMs, noticeMsOf(race)), interimMs: finalMs, finalMs };
  },
};

const noticeMsOf = ({ seed, story }: Race): number => (story.abandoned?.atMs ?? 0) + drawn(seed, 5, 4, 12);

function fieldOf(
  race: Race,
  { interimMs, finalMs }: Due,
  nowMs: number,
): { field: OfficialRunner[]; publishedMs: number } {
  const { document, interimMs: postedMs, correctedMs } = race.story;
  const isFinal = nowMs >= finalMs;
  // A corrected result was first published as posted.
  const field = officialField(race, !isFinal && correctedMs !== null ? postedMs : nowMs);
  const wholeMs = document.lacking === null ? 0 : finalMs + document.lacking.forMs;
  const isWhole = nowMs >= wholeMs;
  const outMs = isFinal ? finalMs : interimMs;
  return {
    field: field.filter(({ number }) => isWhole || !document.lacking!.numbers.includes(number)),
    publishedMs: isWhole ? Math.max(outMs, wholeMs) : outMs,
  };
}
