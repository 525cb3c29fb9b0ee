// Every scenario by name, with one sentence that describes it. The code of each is in the file of its kind.
import type { Disturb } from './disturb';
import {
  meetingAbandoned,
  meetingPostponed,
  meetingTransferred,
  raceRenumbered,
  twoCardsAtOneTrack,
  venueMisspelt,
  venueRespelt,
} from './meeting-scenarios';
import { frozenPrices, lateEmergencies, marketReopened, runnerRenamed, startMovedTwice } from './race-scenarios';
import {
  barrierScratching,
  deadHeat,
  interimChanged,
  neverResulted,
  partialField,
  protestDismissed,
  protestUpheld,
  publishedLate,
} from './result-scenarios';

export interface Scenario {
  readonly name: string;
  readonly description: string;
  /**
   * `transport`: how replies travel. `reply`: which reply is sent. `world`: what happens to the races; only these can
   * be limited to a race or a venue.
   */
  readonly kind: 'transport' | 'reply' | 'world';
}

const transport = (name: string, description: string): Scenario => ({ name, description, kind: 'transport' });
const reply = (name: string, description: string): Scenario => ({ name, description, kind: 'reply' });

const WORLD: readonly (readonly [name: string, disturb: Disturb, description: string])[] = [
  [
    'frozen_prices',
    frozenPrices,
    'Prices freeze, half an hour before the start at the earliest; everything else goes on.',
  ],
  ['race_renumbered', raceRenumbered, 'Two races of a meeting change their numbers; their own ids stay.'],
  ['venue_respelt', venueRespelt, 'The track is named with a sponsor and in full.'],
  ['venue_misspelt', venueMisspelt, 'The track name has a typing error that no table has.'],
  [
    'two_cards_at_one_track',
    twoCardsAtOneTrack,
    'A second card with the same race numbers, 20 minutes after the first.',
  ],
  ['meeting_abandoned', meetingAbandoned, 'The rest of the meeting does not run.'],
  ['meeting_transferred', meetingTransferred, 'The rest of the meeting is run at another track, under other ids.'],
  ['meeting_postponed', meetingPostponed, 'The rest of the meeting is postponed to the next day.'],
  ['start_moved_twice', startMovedTwice, 'The start moves back by four minutes and, a minute later, by three more.'],
  ['runner_renamed', runnerRenamed, 'The lowest number still in gets another name.'],
  ['late_emergencies', lateEmergencies, 'A starter is scratched late and the first emergency gets its place.'],
  ['market_reopened', marketReopened, 'Betting closes ten minutes before the start and opens again 90 seconds later.'],
  [
    'barrier_scratching',
    barrierScratching,
    'A starter outside the first two is scratched half a minute before the jump.',
  ],
  ['dead_heat', deadHeat, 'The first two share the first place.'],
  ['interim_changed', interimChanged, 'The first two are posted in the wrong order and corrected 90 seconds later.'],
  ['protest_upheld', protestUpheld, 'Not at greyhounds: the second protests, and the protest is upheld.'],
  ['protest_dismissed', protestDismissed, 'Not at greyhounds: the second protests, and the protest is dismissed.'],
  ['never_resulted', neverResulted, 'The race is run, but its result never comes.'],
  ['published_late', publishedLate, 'The registry publishes nothing of the race for three days.'],
  ['partial_field', partialField, 'The registry lacks the last third of the field until a day after its final result.'],
];

export const DISTURBANCES: ReadonlyMap<string, Disturb> = new Map(WORLD.map(([name, disturb]) => [name, disturb]));

/** Scenarios that change only the name of a track. */
export const SPELLINGS: ReadonlySet<string> = new Set(['venue_respelt', 'venue_misspelt']);

export const NOTHING_LISTED = 'nothing_listed';

export const SCENARIOS: readonly Scenario[] = [
  transport('rate_limited', '429 with Retry-After: 30.'),
  transport('blocked', '403 with a page.'),
  transport('server_error', '500.'),
  transport('hanging', 'The request is accepted and never answered.'),
  transport('slow_loris', 'The reply comes a byte at a time, four a second.'),
  transport('connection_reset', 'Half a reply, then the connection is reset.'),
  transport('truncated_json', 'The reply ends in the middle, with headers of a whole one.'),
  transport('html_with_200', 'A page with status 200 instead of the reply.'),
  transport('challenge_page', 'A "Just a moment..." page with status 200 instead of the reply.'),
  transport('wrong_content_type', 'The correct reply under application/octet-stream.'),
  transport('gzip_bomb', 'A few kilobytes that unpack to 64 megabytes.'),
  reply('duplicated', 'The first reply again and again, each time with a newer timestamp.'),
  reply('out_of_order', 'In every second span of ten seconds, replies of half a minute ago with their own timestamps.'),
  reply(
    NOTHING_LISTED,
    'Lists are empty, of races and of matches; what is found by its id is answered, and the list of sports stands.',
  ),
  reply('sides_exchanged', 'The feed of sports lists every match with its home side as the visitors.'),
  ...WORLD.map(([name, , description]): Scenario => ({ name, description, kind: 'world' })),
];

export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);
export const scenarioOf = (name: string): Scenario | undefined => SCENARIOS.find((one) => one.name === name);
