// Maps Entain affiliates, pure. `mapMeetings` reads the meetings list and a meeting by id, `mapEvent` one race.
// Null if the whole reply is not as documented. Unknown fields are ignored (open schema).
import type { FeedRunner, FeedScratching, ListedRace, RaceFacts, RaceSnapshot } from '../../domain/race/feed-race';
import { NO_FACTS } from '../../domain/race/not-reported';
import type { Instant, MarketStatus } from '../../domain/race/race';
import { countDrops, type Drops } from '../reading/drops';
import { indicative, winAndPlace } from '../reading/legs';
import {
  asRow,
  countOf,
  dollarsOf,
  flagOf,
  idOf,
  instantOf,
  instantOfSeconds,
  type JsonObject,
  listOf,
  numberOf,
  positiveOf,
  rowOf,
  textOf,
} from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { meetingRows, racesOfMeeting } from './list';
import { resultOf } from './result';

export function mapMeetings(payload: unknown): Mapped<readonly ListedRace[]> | null {
  const body = rowOf(payload);
  const meetings = meetingRows(body);
  if (!meetings) return null;
  const drops = countDrops();
  const value = meetings.flatMap((meeting) => racesOfMeeting(meeting, drops));
  return { value, bookAt: bookAtOf(body), dropped: drops.counts() };
}

/** `site`: the brand's site, for the race page. */
export function mapEvent(payload: unknown, site: string): Mapped<RaceSnapshot> | null {
  const body = rowOf(payload);
  const data = rowOf(body.data);
  const race = asRow(data.race);
  const sourceRaceId = idOf(race?.event_id);
  if (!race || !sourceRaceId || !Array.isArray(data.runners)) return null;
  const drops = countDrops();
  const value: RaceSnapshot = {
    sourceRaceId,
    startTime: instantOfSeconds(race.advertised_start),
    facts: factsOf(race),
    marketStatus: marketStatusOf(race.status, drops),
    inPlay: null,
    runners: runnersOf(data.runners, drops),
    result: resultOf(data, race, drops),
    sourceUrl: racePage(site, race, sourceRaceId),
  };
  return { value, bookAt: bookAtOf(body), dropped: drops.counts() };
}

/** Prices have no timestamps of their own; the reply's applies to all. */
function bookAtOf(body: JsonObject): Instant | null {
  return instantOf(rowOf(body.header).generated_time);
}

function factsOf(race: JsonObject): RaceFacts {
  return {
    ...NO_FACTS,
    raceName: textOf(race.description),
    distanceM: countOf(race.distance),
    trackCondition: textOf(race.track_condition),
    weather: textOf(race.weather),
    raceClass: textOf(race.class),
    prizeTotal: dollarsOf(rowOf(race.prize_monies).total_value),
    rail: textOf(race.rail_position),
    placesPaid: countOf(race.positions_paid),
  };
}

const SHUT = new Set(['Closed', 'Live', 'Interim', 'Final', 'Abandoned']);

/** An unknown status is read as closed: a price wrongly hidden does less harm than one wrongly offered. */
function marketStatusOf(status: unknown, drops: Drops): MarketStatus | null {
  const text = textOf(status);
  if (text === null) return null;
  if (text === 'Open') return 'OPEN';
  if (!SHUT.has(text)) drops.add('status_unknown');
  return 'CLOSED';
}

const KEYS = { number: ['runner_number'], name: 'name' } as const;

function runnersOf(rows: readonly unknown[], drops: Drops): FeedRunner[] {
  return readRunners(
    rows,
    KEYS,
    (row, number, name) => {
      // Other markets (head to head) would repeat the field with other prices.
      if (row.primary_market === false) {
        drops.add('not_primary_market');
        return null;
      }
      const scratching = scratchingOf(row, drops);
      const odds = rowOf(row.odds);
      const weight = rowOf(row.weight);
      return {
        number,
        name,
        barrier: countOf(row.barrier),
        jockey: textOf(row.jockey),
        trainer: textOf(row.trainer_name),
        weightKg: positiveOf(weight.total) ?? positiveOf(weight.allocated),
        form: textOf(row.last_twenty_starts),
        runnerRef: null,
        emergency: flagOf(row.is_emergency),
        scratching,
        ...winAndPlace(odds.fixed_win, odds.fixed_place, scratching !== null, drops),
        // Sent by TAB NZ only.
        toteWin: scratching ? null : indicative(odds.pool_win),
        ...idsOf(row),
      };
    },
    drops,
  );
}

/** One id per runner for every market: the documented deep link uses it. */
function idsOf(row: JsonObject): Pick<FeedRunner, 'sourceIds'> {
  const id = idOf(row.entrant_id);
  return id === null ? {} : { sourceIds: { win: id, place: id } };
}

/**
 * `is_scratched` decides; the timestamps alone do not. Deductions are fractions; the OpenAPI document names them
 * `deductions`, replies `deduction`.
 */
function scratchingOf(row: JsonObject, drops: Drops): FeedScratching | null {
  if (row.is_scratched !== true) return null;
  const deduction = asRow(row.deduction) ?? rowOf(row.deductions);
  return {
    at: instantOfSeconds(row.scratch_time) ?? instantOf(row.scr_time),
    late: flagOf(row.is_late_scratched),
    winDeduction: fractionOf(deduction.win, drops),
    placeDeduction: fractionOf(deduction.place, drops),
  };
}

function fractionOf(value: unknown, drops: Drops): number | null {
  if (value == null) return null;
  const fraction = numberOf(value);
  if (fraction !== null && fraction >= 0 && fraction <= 1) return fraction;
  drops.add('deduction_not_a_fraction');
  return null;
}

function racePage(site: string, race: JsonObject, eventId: string): string | null {
  const slug = textOf(race.meeting_name)
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug ? `${site}/racing/${slug}/${encodeURIComponent(eventId)}` : null;
}

/**
 * `/racing/list` rows have no venue and no code, so no race can be placed. Each is counted, and the list is never
 * polled.
 */
export function mapRaceList(payload: unknown): Mapped<readonly ListedRace[]> | null {
  const body = rowOf(payload);
  const data = asRow(body.data);
  if (!data || !Array.isArray(data.races)) return null;
  const drops = countDrops();
  drops.add('race_without_venue', listOf(data.races).length);
  return { value: [], bookAt: bookAtOf(body), dropped: drops.counts() };
}
