// Scenarios for a whole meeting: other names, other numbers, a second card, another track. Pure functions from a day's
// card to the disturbed card.

import type { Category } from '../../domain/race/race';
import { addDays } from '../../domain/time/aet';
import { createRace, emptyMeeting } from '../world/card';
import { strangersFrom } from '../world/population/entries';
import type { Meeting, Race } from '../world/race';
import { hashText, mix, uuidOf } from '../world/random';
import { isOn } from '../world/schedule';
import { firstStartMs } from '../world/story/race-times';
import { AU_GREYHOUND, AU_HARNESS, AU_HORSE, NZ_HARNESS, NZ_HORSE, type Track } from '../world/tracks';
import { eachMeeting, withRaces, withStory } from './disturb';
import type { Switch } from './switches';

const MINUTE_MS = 60_000;

/** The chosen race, or the first one that has not started, swaps numbers with the next; their ids stay. */
export const raceRenumbered = eachMeeting((meeting, on) => {
  const races = [...meeting.races].sort((a, b) => a.number - b.number);
  const index = races.findIndex((race) => (on.race === null ? race.story.jumpMs > on.fromMs : race.id === on.race));
  const one = races[Math.min(index, races.length - 2)];
  const next = one && races[races.indexOf(one) + 1];
  if (index < 0 || !one || !next) return [meeting];
  const numberOf = (race: Race): number =>
    race.id === one.id ? next.number : race.id === next.id ? one.number : race.number;
  return [withRaces(meeting, (race) => ({ ...race, number: numberOf(race) }))];
});

const spelt = (track: Track, spell: (name: string) => string): Track => ({
  ...track,
  name: spell(track.name),
  display: spell(track.display),
  pointsbet: spell(track.pointsbet),
  tab: spell(track.tab).toUpperCase(),
});

const KINDS: Record<Category, string> = { horse: 'Racecourse', harness: 'Paceway', greyhound: 'Greyhounds' };

/** The venue with a sponsor's name, and in full. Tracks abroad have no such sponsors. */
export const venueRespelt = eachMeeting((meeting) => {
  if (meeting.track.abroad !== null) return [meeting];
  const track = spelt(meeting.track, (name) => `Sportsbet ${name} ${KINDS[meeting.track.category]}`);
  return [withRaces({ ...meeting, track }, (race) => race)];
});

/** A typing error: one letter is doubled and the next one is dropped, so that no table has the name. */
export const venueMisspelt = eachMeeting((meeting) => {
  const track = spelt(meeting.track, (name) => `${name.slice(0, 2)}${name[1]}${name.slice(3)}`);
  return [withRaces({ ...meeting, track }, (race) => race)];
});

const SECOND_CARD_RACES = 4;
const SECOND_CARD_AFTER_MS = 20 * MINUTE_MS;
/** Above every serial of a drawn meeting for a century, and below what a 32-bit race id can take. */
const SERIALS_APART = 5_000_000;

/**
 * A second card at the track on the same day: other horses, the same race numbers, every race 20 minutes after its
 * namesake.
 */
export const twoCardsAtOneTrack = eachMeeting((meeting) => {
  const { seed, day, track, serial } = meeting;
  const second = {
    ...emptyMeeting({
      seed: mix(seed, 71),
      day,
      index: 1,
      track: { ...track, mnemonic: `X${track.mnemonic.slice(0, 2)}`, tab: `${track.tab} EXTRA` },
      abandonedAtMs: null,
      regradedAtMs: null,
    }),
    serial: serial + SERIALS_APART,
  };
  const entries = strangersFrom(seed, second.serial * SECOND_CARD_RACES * 14);
  for (const race of meeting.races.slice(0, SECOND_CARD_RACES)) {
    const startMs = firstStartMs(race) + SECOND_CARD_AFTER_MS;
    second.races.push(
      createRace({
        worldSeed: seed,
        meeting: second,
        number: race.number,
        entries,
        startMs,
        plot: PLAIN,
        mistakes: false,
      }),
    );
  }
  return [meeting, second];
});

const PLAIN = { moves: [], scratchings: [] };

const calledOff = (meeting: Meeting, { fromMs }: Switch, note: string): Meeting =>
  withRaces({ ...meeting, abandonedAtMs: fromMs }, (race) =>
    hasRun(race, fromMs) ? race : withStory(race, { abandoned: { atMs: fromMs, note }, ...announcedBy(race, fromMs) }),
  );

/** The start of a race that does not run is never moved. */
const announcedBy = ({ story }: Race, atMs: number) => ({
  advertised: story.advertised.filter((start) => start.fromMs <= atMs),
});

const hasRun = ({ story }: Race, atMs: number): boolean => story.jumpMs <= atMs || story.abandoned !== null;

/** The rest of the meeting does not run. */
export const meetingAbandoned = eachMeeting((meeting, on) => [calledOff(meeting, on, 'Meeting abandoned')]);

/** The rest of the meeting is postponed to the next day, but is not on that day's card. */
export const meetingPostponed = eachMeeting((meeting, on) => [
  calledOff(meeting, on, `Meeting postponed to ${addDays(meeting.day, 1)}`),
]);

const POOLS: readonly (readonly Track[])[] = [AU_HORSE, AU_HARNESS, AU_GREYHOUND, NZ_HORSE, NZ_HARNESS];

/**
 * The rest of the meeting is run at another track at the same hours by the same runners, as other races with other ids.
 */
export const meetingTransferred = eachMeeting((meeting, on, card) => {
  const left = meeting.races.filter((race) => !hasRun(race, on.fromMs));
  const [next] = left;
  if (!next) return [meeting];
  const fits = (track: Track): boolean =>
    track.category === meeting.track.category && isOn(meeting.day, track, firstStartMs(next));
  const track = POOLS.find((pool) => pool.some((one) => one.mnemonic === meeting.track.mnemonic))?.find(
    (one) => fits(one) && !card.some((other) => other.track.name === one.name),
  );
  if (!track) return [meeting];
  return [calledOff(meeting, on, `Meeting transferred to ${track.name}`), moved({ ...meeting, races: left }, track)];
});

function moved(meeting: Meeting, track: Track): Meeting {
  const id = uuidOf(mix(meeting.seed, hashText(track.name)), 'transferred');
  const serial = meeting.serial + SERIALS_APART;
  return withRaces({ ...meeting, track, id, serial }, (race) => ({
    ...race,
    id: uuidOf(mix(race.seed, hashText(track.name)), 'transferred'),
    serial: serial * 100 + race.number,
  }));
}
