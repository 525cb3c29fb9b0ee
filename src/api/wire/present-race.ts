// Presents a race of the board (A 2.2).
import type { Static } from '@sinclair/typebox';
import type { Category } from '../../domain/race/race';
import { factMembers } from '../../domain/race/race-facts';
import { horseRef } from '../../domain/race/runner';
import type { EventRace } from '../../store/reads/races/events';
import type { RaceHead, RaceIdentity, RaceName } from '../../store/reads/races/race-window';
import type { RunnerRow } from '../../store/reads/races/runners';
import { type Audience, type MarketState, marketStateFor } from '../kernel/endpoint/visibility';
import { RACE_STATUS, type RaceEvent, type Scratching } from './race-schema';

export function presentEvent(race: EventRace, audience: Audience): Static<typeof RaceEvent> {
  return {
    ...presentIdentity(race),
    ...presentFacts(race),
    status: RACE_STATUS,
    scratchings: race.scratched.map(presentScratching),
    ...(marketStateFor(audience, marketState(race)) as Pick<Static<typeof RaceEvent>, keyof MarketState>),
  };
}

export function marketState(race: RaceHead): MarketState {
  const { market_status, inplay, market_closed_at, inplay_at, market_state_source } = race;
  return { market_status, inplay, market_closed_at, inplay_at, market_state_source };
}

export const presentName = ({ race_id, venue, race_number, category, country, start_time }: RaceName) => ({
  race_id,
  venue,
  race_number,
  category,
  country,
  start_time,
});

export function presentIdentity(race: RaceIdentity) {
  const { race_id, venue, venue_id, venue_canonical, venue_site, race_number, category, country, start_time } = race;
  return { race_id, venue, venue_id, venue_canonical, venue_site, race_number, category, country, start_time };
}

export const presentFacts = (race: RaceHead) => ({
  ...factMembers(race),
  track_condition_changed_at: race.track_condition_changed_at,
});

export function presentScratching(runner: RunnerRow): Static<typeof Scratching> {
  const { name, number, barrier, scratchedAt, late, emergency } = runner;
  return { name, number, barrier, scratched_at: scratchedAt, late, emergency };
}

export function presentRunner(runner: RunnerRow, category: Category) {
  const { number, name, barrier, jockey, trainer, weightKg, form, runnerRef } = runner;
  return {
    number,
    name,
    barrier,
    jockey,
    trainer,
    weight: weightKg,
    form,
    runner_ref: runnerRef,
    horse_ref: horseRef(name, category),
  };
}
