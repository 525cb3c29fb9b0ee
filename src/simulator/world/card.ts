// Builds one Sydney day: its meetings, their conditions, every race with its field and story.
// A pure function of the seed, the day and the interval, so that a restart on the same database meets the same races.
import type { Day } from '../../domain/race/race';
import { animalsIn, createField } from './field';
import { type DayPlots, plotDay } from './plots';
import { createEntries, type DayEntries, type Entries, type EntriesRequest } from './population/entries';
import type { Conditions, Meeting, PlannedMeeting, PlannedRace, Race } from './race';
import { hashText, mix, type Sequence, sequence, uuidOf } from './random';
import { type ScheduledMeeting, scheduleDay } from './schedule';
import { scheduleAbroad } from './schedule-abroad';
import { createStory, type Plot } from './story/story';
import type { Track } from './tracks';
import { SPONSORS } from './words';

export type CardRequest = EntriesRequest;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Above the index of every domestic meeting, whatever the interval, so that ids and names stay apart. */
const FIRST_ABROAD = 60;
const UNPLOTTED: DayPlots = { abandonedMeeting: null, plotOf: () => ({}) };

/** The domestic meetings, then those abroad. */
export function createCard(request: CardRequest): Meeting[] {
  return planCard(request).map(({ meeting, races }) => {
    meeting.races.push(...races.map((race) => race.build()));
    return meeting;
  });
}

/** The same card, whose races can each be built separately: the animals are dealt, and nothing else is drawn. */
export function planCard(request: CardRequest): PlannedMeeting[] {
  const { seed, day, intervalMinutes } = request;
  const entries = createEntries(request);
  const scheduled = scheduleDay(seed, day, intervalMinutes);
  const plots = plotDay(mix(seed, hashText(day)), scheduled);
  const plan = (from: readonly ScheduledMeeting[], firstIndex: number, plotted: DayPlots): PlannedMeeting[] =>
    from.map((meeting, i) => planMeeting({ seed, day, index: firstIndex + i, entries }, meeting, plotted));
  return [...plan(scheduled, 0, plots), ...plan(scheduleAbroad(day), FIRST_ABROAD, UNPLOTTED)];
}

interface MeetingOfDay {
  readonly seed: number;
  readonly day: Day;
  readonly index: number;
  readonly entries: DayEntries;
}

/** The decisions about a race before its field, class and story are drawn. */
export interface RaceRequest {
  readonly worldSeed: number;
  readonly meeting: Meeting;
  readonly number: number;
  readonly entries: Entries;
  readonly startMs: number;
  readonly plot: Plot;
  readonly fieldSize?: number;
  readonly distanceM?: number;
  readonly mistakes: boolean;
}

function planMeeting(
  { seed, day, index, entries }: MeetingOfDay,
  { track, startsMs }: ScheduledMeeting,
  plots: DayPlots,
): PlannedMeeting {
  const off = plots.abandonedMeeting?.meeting === index ? plots.abandonedMeeting.atMs : null;
  const regradedAtMs = drawRegrading(mix(seed, index), startsMs);
  const meeting = emptyMeeting({ seed, day, index, track, abandonedAtMs: off, regradedAtMs });
  const races = startsMs.map((startMs, i): PlannedRace => {
    const number = i + 1;
    const hand = entries.deal(track, animalsIn(raceSeedOf(meeting, number), track.category));
    const plot = plots.plotOf(index, number);
    const request = { worldSeed: seed, meeting, number, startMs, plot, mistakes: true };
    return { animals: hand.animals, build: () => createRace({ ...request, entries: hand.open() }) };
  });
  return { meeting, races };
}

const raceSeedOf = (meeting: Meeting, number: number): number => mix(meeting.seed, number);

export interface MeetingRequest {
  readonly seed: number;
  readonly day: Day;
  readonly index: number;
  readonly track: Track;
  readonly abandonedAtMs: number | null;
  /** When the track is regraded; null: never. */
  readonly regradedAtMs: number | null;
}

/** A meeting to which its races are yet to be added. */
export function emptyMeeting({
  seed,
  day,
  index,
  track,
  abandonedAtMs,
  regradedAtMs,
}: MeetingRequest): Meeting & { races: Race[] } {
  const about = `${day} ${track.category} ${track.name} ${index}`;
  const meetingSeed = mix(seed, hashText(about));
  const draw = sequence(meetingSeed);
  return {
    id: uuidOf(seed, `meeting ${about}`),
    serial: Math.round(Date.parse(day) / DAY_MS) * 100 + index,
    seed: meetingSeed,
    day,
    track,
    rail:
      track.category === 'horse'
        ? draw.pick(['True Entire Course', 'Out 3m Entire Course', '+5m 1200m-400m; +3m Remainder'])
        : '',
    conditions: drawConditions(track, regradedAtMs, draw),
    abandonedAtMs,
    races: [],
  };
}

/** One meeting in three is regraded while it runs, some minutes before a race. */
function drawRegrading(seed: number, startsMs: readonly number[]): number | null {
  const draw = sequence(mix(seed, 41, startsMs[0]));
  if (!draw.chance(0.34) || startsMs.length < 3) return null;
  return startsMs[draw.between(1, startsMs.length - 1)]! - draw.between(8, 25) * MINUTE_MS;
}

function drawConditions(track: Track, regradedAtMs: number | null, draw: Sequence): Conditions[] {
  const weather = draw.pick(['fine', 'fine', 'overcast', 'showery'] as const);
  const first = { fromMs: 0, weather, ...firstGoing(track, draw) };
  if (track.surface === 'synthetic' || regradedAtMs === null) return [first];
  return [first, regraded(first, regradedAtMs, draw)];
}

function firstGoing(track: Track, draw: Sequence): { going: string; rating: number | null } {
  if (track.surface === 'synthetic') return { going: 'Synthetic', rating: null };
  if (track.category === 'harness') return { going: draw.pick(['Good', 'Good', 'Fast']), rating: null };
  if (track.category === 'greyhound') return { going: 'Good', rating: null };
  const rating = draw.pick([3, 4, 4, 5, 5, 6, 7, 8, 9]);
  return { going: goingOf(rating), rating };
}

function regraded(from: Conditions, fromMs: number, draw: Sequence): Conditions {
  if (from.rating === null)
    return { fromMs, going: from.going === 'Good' ? 'Slow' : 'Good', rating: null, weather: 'raining' };
  const drier = from.weather === 'fine' && from.rating > 3 && draw.chance(0.6);
  const rating = drier ? from.rating - 1 : from.rating + 1;
  return { fromMs, going: goingOf(rating), rating, weather: drier ? 'fine' : 'raining' };
}

function goingOf(rating: number): string {
  if (rating <= 2) return 'Firm';
  if (rating <= 4) return 'Good';
  return rating <= 7 ? 'Soft' : 'Heavy';
}

export function createRace({
  worldSeed,
  meeting,
  number,
  entries,
  startMs,
  plot,
  fieldSize,
  mistakes,
  ...request
}: RaceRequest): Race {
  const { track } = meeting;
  const { category, distances } = track;
  const seed = raceSeedOf(meeting, number);
  const draw = sequence(seed);
  const distanceM = request.distanceM ?? draw.pick(distances);
  const raceClass = draw.pick(CLASSES[category]);
  const serial = meeting.serial * 100 + number;
  const runners = createField({ seed, worldSeed, track, entries, size: fieldSize });
  const total = draw.between(category === 'horse' ? 24 : 4, category === 'horse' ? 70 : 16) * 1000;
  return {
    id: uuidOf(seed, 'race'),
    serial,
    seed,
    meeting,
    number,
    name: `${draw.pick(SPONSORS)} ${raceClass}`,
    raceClass,
    distanceM,
    prizes: [0.55, 0.19, 0.1, 0.05].map((share) => Math.round(total * share)),
    mistakes,
    runners,
    story: createStory({ truth: { seed, runners, firstStartMs: startMs }, category, distanceM, plot }),
  };
}

const CLASSES = {
  horse: [
    'Maiden Plate',
    'Class 1 Handicap',
    'Class 3 Handicap',
    'BM58 Handicap',
    'BM64 Handicap',
    'BM72 Handicap',
    'Open Handicap',
  ],
  harness: ['Maiden Pace', 'NR 45 to 52 Pace', 'NR Up To 60 Mobile Pace', 'Claiming Pace', 'Trotters Mobile'],
  greyhound: ['Maiden', 'Grade 5', 'Mixed 4/5', 'Grade 6', 'Tier 3 Restricted Win', 'Free For All'],
} as const;
