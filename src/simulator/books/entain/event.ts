// One whole race as Entain's event endpoint shows it. Results and dividends are omitted, not empty, until there are
// any.
import type { EntainEventData, EntainRace, EntainResult, EntainRunner } from '../../../feeds/entain/payload';
import type { Race } from '../../world/race';
import type { BookProfile } from '../profiles';
import { type BookView, viewOf } from '../view';
import { dividendRows } from './dividends';
import { runnerRows } from './runners';
import { CATEGORY_LETTERS, COUNTRIES, conditionText, isoSeconds, statusOf, weatherText } from './spellings';

export function eventData(race: Race, profile: BookProfile, nowMs: number): EntainEventData {
  const view = viewOf(race, profile, nowMs);
  const runners = runnerRows(race, profile, view, nowMs);
  const results = resultRows(race, view);
  const dividends = dividendRows(race, view);
  return {
    race: raceBlock(race, view),
    ...(results.length > 0 && { results }),
    ...(dividends.length > 0 && { dividends }),
    favourite: shortest(runners),
    mover: biggestFirmer(runners),
    runners,
    derivatives: null,
    error: '',
  };
}

function raceBlock(race: Race, view: BookView): EntainRace {
  const { meeting, story } = race;
  const ran = ['running', 'judging', 'interim', 'final'].includes(view.state.stage);
  const advertisedMs = view.state.advertisedStartMs;
  const actualMs = ran ? story.jumpMs : advertisedMs;
  return {
    event_id: race.id,
    meeting_id: meeting.id,
    meeting_name: meeting.track.name,
    display_meeting_name: meeting.track.display,
    status: statusOf(view),
    description: race.name,
    advertised_start: Math.floor(advertisedMs / 1000),
    actual_start: Math.floor(actualMs / 1000),
    advertised_start_string: goTime(advertisedMs),
    actual_start_string: goTime(actualMs),
    race_number: race.number,
    type: CATEGORY_LETTERS[meeting.track.category],
    start_type: meeting.track.category === 'harness' ? 'Mobile' : '',
    country: COUNTRIES[meeting.track.country],
    state: meeting.track.state,
    distance: race.distanceM,
    weather: weatherText(race, view.conditions),
    track_condition: conditionText(view.conditions),
    track_direction: ['NSW', 'QLD'].includes(meeting.track.state) ? 'Right' : 'Left',
    rail_position: meeting.rail,
    group: '',
    prize_monies: prizeMonies(race.prizes),
    entrant_count: race.runners.length,
    positions_paid: view.state.placesPaid,
    comment: '',
    ...(view.state.protestPending && { protest: true, protest_reason: 'second against first' }),
  };
}

/** `2025-07-17 00:50:00 +0000 UTC`, as Go prints an instant. */
const goTime = (ms: number): string => `${isoSeconds(ms).replace('T', ' ').slice(0, 19)} +0000 UTC`;

function prizeMonies(prizes: readonly number[]): Record<string, number> {
  const places = ['1st', '2nd', '3rd', '4th'];
  const rows = prizes.map((prize, i) => [places[i]!, prize] as const);
  return { ...Object.fromEntries(rows), total_value: prizes.reduce((sum, prize) => sum + prize, 0) };
}

/** The whole field; the winner's row carries the winning margin. */
function resultRows(race: Race, { state }: BookView): EntainResult[] {
  return state.placings.map(({ position, number, margin }, i) => {
    const runner = race.runners[number - 1]!;
    return {
      position,
      name: runner.name,
      barrier: runner.barrier ?? 0,
      runner_number: number,
      margin_length: i === 0 ? (state.placings[1]?.margin ?? 0) : margin,
      entrant_id: runner.id,
    };
  });
}

const priced = (runners: readonly EntainRunner[]): EntainRunner[] =>
  runners.filter((runner) => !runner.is_scratched && (runner.odds?.fixed_win ?? 0) > 1);

function shortest(runners: readonly EntainRunner[]): EntainRunner | null {
  return priced(runners).reduce<EntainRunner | null>(
    (best, runner) => (best && best.odds!.fixed_win! <= runner.odds!.fixed_win! ? best : runner),
    null,
  );
}

function biggestFirmer(runners: readonly EntainRunner[]): EntainRunner | null {
  const firmed = (runner: EntainRunner): number =>
    runner.odds!.fixed_win! / (runner.flucs?.[0] ?? runner.odds!.fixed_win!);
  const best = priced(runners).sort((a, b) => firmed(a) - firmed(b))[0];
  return best && firmed(best) < 1 ? best : null;
}
