// Every scenario by its name, with one sentence for people. What each does stands in the file of its kind.
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
  /** `transport`: how replies travel. `reply`: which reply is sent. `world`: what the races are; these can be kept to a race or a venue. */
  readonly kind: 'transport' | 'reply' | 'world';
}

const transport = (name: string, description: string): Scenario => ({ name, description, kind: 'transport' });
const reply = (name: string, description: string): Scenario => ({ name, description, kind: 'reply' });

const WORLD: readonly (readonly [name: string, disturb: Disturb, description: string])[] = [
  [
    'frozen_prices',
    frozenPrices,
    'Prices stand still, half an hour before the start at the earliest; all else moves on.',
  ],
  ['race_renumbered', raceRenumbered, 'Two races of a meeting change their numbers; their own ids stay.'],
  ['venue_respelt', venueRespelt, 'The track is named with a sponsor and in full.'],
  ['venue_misspelt', venueMisspelt, 'The track is named by a word that nobody knows.'],
  [
    'two_cards_at_one_track',
    twoCardsAtOneTrack,
    'A second card with the same race numbers, 20 minutes after the first.',
  ],
  ['meeting_abandoned', meetingAbandoned, 'What is left of the meeting does not run.'],
  ['meeting_transferred', meetingTransferred, 'What is left of the meeting is run at another track, under other ids.'],
  ['meeting_postponed', meetingPostponed, 'What is left of the meeting is put off to the next day.'],
  ['start_moved_twice', startMovedTwice, 'Put back by four minutes and, a minute later, by three more.'],
  ['runner_renamed', runnerRenamed, 'The lowest number still in bears another name.'],
  ['late_emergencies', lateEmergencies, 'A starter comes out late and the first emergency gets its place.'],
  ['market_reopened', marketReopened, 'Betting shuts ten minutes before the start and opens again 90 seconds later.'],
  [
    'barrier_scratching',
    barrierScratching,
    'A starter, none of the first two, comes out half a minute before the jump.',
  ],
  ['dead_heat', deadHeat, 'The first two share the first place.'],
  ['interim_changed', interimChanged, 'The first two are posted the wrong way round and put right 90 seconds later.'],
  ['protest_upheld', protestUpheld, 'Where they are ridden or driven, the second protests and gets the race.'],
  ['protest_dismissed', protestDismissed, 'Where they are ridden or driven, the second protests in vain.'],
  ['never_resulted', neverResulted, 'The race is run, and nothing is ever heard of its outcome.'],
  ['published_late', publishedLate, 'The registry has nothing of the race for three days.'],
  ['partial_field', partialField, 'The registry lacks the last third of the field until a day after its final result.'],
];

export const DISTURBANCES: ReadonlyMap<string, Disturb> = new Map(WORLD.map(([name, disturb]) => [name, disturb]));

/** Those that change the name of a track and nothing else. */
export const SPELLINGS: ReadonlySet<string> = new Set(['venue_respelt', 'venue_misspelt']);

export const SCENARIOS: readonly Scenario[] = [
  transport('rate_limited', '429 with Retry-After: 30.'),
  transport('blocked', '403 with a page.'),
  transport('server_error', '500.'),
  transport('hanging', 'The request is taken and never answered.'),
  transport('slow_loris', 'The reply comes a byte at a time, four a second.'),
  transport('connection_reset', 'Half a reply, then the connection is reset.'),
  transport('truncated_json', 'The reply ends in the middle, and says that it is whole.'),
  transport('html_with_200', 'A page with status 200 instead of the reply.'),
  transport('challenge_page', 'A "Just a moment..." page with status 200 instead of the reply.'),
  transport('wrong_content_type', 'The right reply under application/octet-stream.'),
  transport('gzip_bomb', 'A few kilobytes that unpack to 64 megabytes.'),
  reply('duplicated', 'The reply of the first instant again and again, each time under a newer stamp.'),
  reply('out_of_order', 'For every second ten seconds, replies of half a minute ago under their own older stamps.'),
  ...WORLD.map(([name, , description]): Scenario => ({ name, description, kind: 'world' })),
];

export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);
export const scenarioOf = (name: string): Scenario | undefined => SCENARIOS.find((one) => one.name === name);
