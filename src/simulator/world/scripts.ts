// Races scripted by a test instead of drawn, so that one race can be run through its whole life at a chosen instant. A
// world with scripts has no daily card, only these races.

import type { Category, Day } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import { createRace, emptyMeeting } from './card';
import type { Animal } from './population/animals';
import { createEntries } from './population/entries';
import { drawnForm } from './population/recent-form';
import type { Meeting, RunnerMishap, WorldScratching } from './race';
import { hashText, mix } from './random';
import type { Plot } from './story/story';
import { TRACKS, type Track } from './tracks';

/**
 * One scripted race. Seconds are race time. Omitted values are drawn from the seed, except that a scripted race has no
 * scratching, later start, protest, dead heat or mishap by default.
 */
export interface RaceScript {
  /** Advertised start, epoch ms. */
  readonly startMs: number;
  /** A track of tracks.ts by its plain name; default: the first of the code's Australian tracks. */
  readonly venue?: string;
  readonly category?: Category;
  /** Default: the next number at that track. */
  readonly raceNumber?: number;
  readonly runners?: number;
  /** Metres; the duration of the race follows from it. */
  readonly distanceM?: number;
  /** Default false: the books make no mistakes. */
  readonly mistakes?: boolean;
  /** Later starts: announced this long before the start advertised at that time, and how much later. */
  readonly moves?: readonly { readonly secondsBefore: number; readonly bySeconds: number }[];
  /** `kind` defaults to `late`. Seconds before the first advertised start. */
  readonly scratchings?: readonly {
    readonly number: number;
    readonly secondsBefore: number;
    readonly kind?: WorldScratching['kind'];
  }[];
  /** The meeting's track is regraded this long before this start; the meeting's first script decides. */
  readonly regradedSecondsBefore?: number;
  /** Called off this long before the advertised start. */
  readonly abandonedSecondsBefore?: number;
  readonly protest?: 'upheld' | 'dismissed';
  /** The position that two runners share. */
  readonly deadHeat?: number;
  /** Numbers first past the post. */
  readonly order?: readonly number[];
  /** Mishaps, only for runners beyond the first four. */
  readonly mishaps?: readonly RunnerMishap[];
  /** From the last advertised start to the jump. */
  readonly jumpDelaySeconds?: number;
  /** From the jump; at the earliest when the field has finished. */
  readonly interimAfterSeconds?: number;
  readonly finalAfterSeconds?: number;
}

/** Enough animals for any script. */
const DENSEST = 3;

/** The meetings of `day` that the scripts define: one per track. The past of their animals is drawn. */
export function scriptedCard(seed: number, day: Day, scripts: readonly RaceScript[]): Meeting[] {
  const { startMs, endMs } = aetDayBounds(day);
  const formOf = ({ name }: Animal): string => drawnForm(mix(seed, hashText(name)));
  const entries = createEntries({ seed, day, intervalMinutes: DENSEST, formOf });
  const today = scripts.filter((script) => script.startMs >= startMs && script.startMs < endMs);
  const meetings = new Map<Track, ReturnType<typeof emptyMeeting>>();
  for (const script of today) {
    const track = trackOf(script);
    const meeting = meetings.get(track) ?? scriptedMeeting(seed, day, meetings.size, track, script);
    meetings.set(track, meeting);
    const number = script.raceNumber ?? meeting.races.length + 1;
    meeting.races.push(
      createRace({
        worldSeed: seed,
        meeting,
        number,
        entries,
        startMs: script.startMs,
        plot: plotOf(script),
        fieldSize: script.runners,
        distanceM: script.distanceM,
        mistakes: script.mistakes ?? false,
      }),
    );
  }
  return [...meetings.values()];
}

function scriptedMeeting(seed: number, day: Day, index: number, track: Track, first: RaceScript) {
  const { startMs, regradedSecondsBefore: early } = first;
  const regradedAtMs = early === undefined ? null : startMs - early * 1000;
  return emptyMeeting({ seed, day, index, track, abandonedAtMs: null, regradedAtMs });
}

function trackOf({ venue, category = 'horse' }: RaceScript): Track {
  const track = TRACKS.find((one) => one.category === category && (venue === undefined || one.name === venue));
  if (!track) throw new Error(`no ${category} track is called '${venue}'`);
  return track;
}

function plotOf(script: RaceScript): Plot {
  const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);
  const { startMs, scratchings = [], moves = [], abandonedSecondsBefore: off } = script;
  return {
    moves: moves.map((move) => ({ beforeMs: move.secondsBefore * 1000, byMs: move.bySeconds * 1000 })),
    scratchings: scratchings.map(({ number, secondsBefore, kind = 'late' }) => ({
      number,
      kind,
      atMs: startMs - secondsBefore * 1000,
    })),
    abandoned: off === undefined ? undefined : { atMs: startMs - off * 1000, note: 'Race abandoned' },
    protest: script.protest,
    deadHeat: script.deadHeat,
    order: script.order,
    mishaps: script.mishaps ?? [],
    jumpDelayMs: seconds(script.jumpDelaySeconds),
    interimAfterMs: seconds(script.interimAfterSeconds),
    finalAfterMs: seconds(script.finalAfterSeconds),
  };
}
