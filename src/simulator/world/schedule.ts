// Which tracks race on a day, and when. Races are dealt in turn to a few lanes; each lane is one meeting after another,
// so that a race jumps every few minutes round the clock while the races of one meeting stay a natural distance apart.

import type { Day } from '../../domain/race/race';
import { REGISTRY_STATES } from '../../domain/registry/registry';
import { stateDay } from '../../domain/registry/state-time';
import { aetDayBounds } from '../../domain/time/aet';
import { hashText, mix, sequence, shuffled } from './random';
import { AU_GREYHOUND, AU_HARNESS, AU_HORSE, NZ_HARNESS, NZ_HORSE, type Track } from './tracks';

export interface ScheduledMeeting {
  readonly track: Track;
  /** Advertised starts in race order, epoch ms, whole minutes. */
  readonly startsMs: readonly number[];
}

const POOLS = {
  horse: AU_HORSE,
  harness: AU_HARNESS,
  greyhound: AU_GREYHOUND,
  nzHorse: NZ_HORSE,
  nzHarness: NZ_HARNESS,
};
type PoolName = keyof typeof POOLS;

/**
 * The pools that race in each lane, in turn. Eight lanes at 4.5 minutes put 36 minutes between two races of a meeting.
 */
const LANES: readonly (readonly PoolName[])[] = [
  ['horse'],
  ['greyhound'],
  ['nzHorse', 'nzHarness'],
  ['horse'],
  ['greyhound'],
  ['harness'],
  ['horse', 'harness'],
  ['greyhound'],
];
const RACES_A_MEETING = 9;
const MINUTE_MS = 60_000;

/** The meetings of one Sydney day. The same seed, day and interval always give the same meetings. */
export function scheduleDay(seed: number, day: Day, intervalMinutes: number): ScheduledMeeting[] {
  const daySeed = mix(seed, hashText(day));
  const draw = trackDrawer(daySeed);
  return laneStarts(day, intervalMinutes).flatMap((starts, lane) => {
    const sizes = meetingSizes(mix(daySeed, lane), starts.length);
    let from = 0;
    return sizes.map((size, turn) => {
      const pools = LANES[lane]!;
      const startsMs = starts.slice(from, from + size);
      from += size;
      return { track: draw(pools[turn % pools.length]!, (track) => isOn(day, track, startsMs[0]!)), startsMs };
    });
  });
}

function laneStarts(day: Day, intervalMinutes: number): number[][] {
  const { startMs, endMs } = aetDayBounds(day);
  const lanes: number[][] = LANES.map(() => []);
  for (let slot = 0; ; slot++) {
    const at = startMs + Math.floor(slot * intervalMinutes) * MINUTE_MS;
    if (at >= endMs) return lanes;
    lanes[slot % LANES.length]!.push(at);
  }
}

/** Cuts a lane's races into meetings of about nine, alternately with one race more and one less. */
function meetingSizes(seed: number, races: number): number[] {
  const meetings = Math.max(1, Math.round(races / RACES_A_MEETING));
  const draw = sequence(seed);
  const sizes = Array.from(
    { length: meetings },
    (_, i) => Math.floor(((i + 1) * races) / meetings) - Math.floor((i * races) / meetings),
  );
  for (let i = 0; i + 1 < sizes.length; i += 2) {
    const moved = draw.between(-1, 1);
    sizes[i]! += moved;
    sizes[i + 1]! -= moved;
  }
  return sizes.filter((size) => size > 0);
}

/**
 * Whether a meeting that begins then is on `day` in its track's own time: in the west it may still be the previous
 * evening.
 */
export function isOn(day: Day, track: Track, beginsMs: number): boolean {
  const state = REGISTRY_STATES.find((one) => one === track.state);
  return state === undefined || stateDay(beginsMs, state) === day;
}

/**
 * Deals the tracks of each pool that `fit`, in the day's order, each at most once a day (otherwise D17 would need a
 * card number).
 */
function trackDrawer(daySeed: number): (pool: PoolName, fits: (track: Track) => boolean) => Track {
  const decks = new Map<PoolName, Track[]>();
  return (pool, fits) => {
    const deck = decks.get(pool) ?? shuffled(mix(daySeed, hashText(pool)), POOLS[pool]);
    decks.set(pool, deck);
    const [track] = deck.splice(deck.findLastIndex(fits), 1);
    if (!track) throw new Error(`no ${pool} track is left for the day: the interval between jumps is too short`);
    return track;
  };
}
