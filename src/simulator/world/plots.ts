// The day's plan of unusual events, so that every day has all of them and every few hours has some: a meeting called
// off half way, one race lost, protests upheld and dismissed, dead heats, runners scratched late and at the barrier.
import { mix, type Sequence, sequence } from './random';
import type { ScheduledMeeting } from './schedule';
import type { Plot } from './story/story';

export interface DayPlots {
  /** Index of the meeting called off, the first race it loses, and when. */
  readonly abandonedMeeting: { readonly meeting: number; readonly fromRace: number; readonly atMs: number } | null;
  plotOf(meeting: number, raceNumber: number): Plot;
}

const MINUTE_MS = 60_000;
/** The day is planned in windows of this length, each with its own protest, dead heat and barrier scratching. */
const WINDOW_MS = 4 * 60 * MINUTE_MS;

interface Slot {
  readonly meeting: number;
  readonly raceNumber: number;
  readonly startMs: number;
  readonly track: ScheduledMeeting['track'];
}

export function plotDay(daySeed: number, meetings: readonly ScheduledMeeting[]): DayPlots {
  const draw = sequence(mix(daySeed, 31));
  const abandonedMeeting = callOffOne(meetings, draw);
  const lost = (slot: Slot): boolean =>
    abandonedMeeting !== null &&
    slot.meeting === abandonedMeeting.meeting &&
    slot.raceNumber >= abandonedMeeting.fromRace;
  const free = slotsOf(meetings).filter((slot) => !lost(slot));
  const plots = plotWindows(free, draw);
  return {
    abandonedMeeting,
    plotOf: (meeting, raceNumber) =>
      abandonedMeeting && meeting === abandonedMeeting.meeting && raceNumber >= abandonedMeeting.fromRace
        ? { abandoned: { atMs: abandonedMeeting.atMs, note: 'Meeting abandoned' } }
        : (plots.get(`${meeting}/${raceNumber}`) ?? {}),
  };
}

function slotsOf(meetings: readonly ScheduledMeeting[]): Slot[] {
  return meetings
    .flatMap(({ startsMs, track }, meeting) =>
      startsMs.map((startMs, i) => ({ meeting, raceNumber: i + 1, startMs, track })),
    )
    .sort((a, b) => a.startMs - b.startMs);
}

function callOffOne(meetings: readonly ScheduledMeeting[], draw: Sequence): DayPlots['abandonedMeeting'] {
  const long = meetings.flatMap((meeting, i) =>
    meeting.startsMs.length >= 7 && meeting.track.category !== 'greyhound' ? [i] : [],
  );
  if (long.length === 0) return null;
  const meeting = draw.pick(long);
  const fromRace = draw.between(4, meetings[meeting]!.startsMs.length - 2);
  return { meeting, fromRace, atMs: meetings[meeting]!.startsMs[fromRace - 1]! - draw.between(8, 20) * MINUTE_MS };
}

function plotWindows(slots: readonly Slot[], draw: Sequence): Map<string, Plot> {
  const plots = new Map<string, Plot>();
  const give = (from: readonly Slot[], plotFor: (slot: Slot) => Plot): void => {
    const free = from.filter((slot) => !plots.has(`${slot.meeting}/${slot.raceNumber}`));
    if (free.length === 0) return;
    const slot = draw.pick(free);
    plots.set(`${slot.meeting}/${slot.raceNumber}`, plotFor(slot));
  };
  if (slots.length === 0) return plots;
  const dayStart = slots[0]!.startMs;
  const windowOf = (slot: Slot): number => Math.floor((slot.startMs - dayStart) / WINDOW_MS);
  for (let window = 0; window <= windowOf(slots.at(-1)!); window++) {
    const inWindow = slots.filter((slot) => windowOf(slot) === window);
    const ridden = inWindow.filter((slot) => slot.track.category !== 'greyhound');
    give(ridden, () => ({ protest: window % 2 === 0 ? 'upheld' : 'dismissed' }));
    give(inWindow, () => ({ deadHeat: [1, 3, 2][window % 3]! }));
    give(ridden, () => ({ barrierScratching: true }));
    give(inWindow, () => ({ lateScratching: true, moves: [{ beforeMs: 12 * MINUTE_MS, byMs: 4 * MINUTE_MS }] }));
  }
  give(slots, (slot) => ({
    abandoned: { atMs: slot.startMs - draw.between(1, 6) * MINUTE_MS, note: 'Race abandoned' },
  }));
  return plots;
}
