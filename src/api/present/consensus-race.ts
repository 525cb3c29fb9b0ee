// The race that consensus and intelligence are about, in the words of the wire (A 2.5, D24).
import type { Static } from '@sinclair/typebox';
import { tierAt } from '../../domain/cadence';
import { hasJumped } from '../../domain/market/consensus-status';
import type { MarketStatus } from '../../domain/race';
import type { LiveRace } from '../../store/reads/asked-race';
import type { ConsensusRace } from '../schemas/consensus-race';
import { type Audience, marketStateFor } from '../visibility';
import { secsToJump } from './freshness';
import { marketState } from './race';

type Wire = Static<typeof ConsensusRace>;

const JUMPED =
  'The race has jumped: books drop off as they shut, so what is left compares ever fewer of them. The race leaves the live board ten ' +
  'minutes after the jump.';

export function presentConsensusRace(race: LiveRace, audience: Audience, nowMs: number): Wire {
  const { race_id, venue, race_number, category, country, start_time } = race;
  const secs = secsToJump(race.startMs, nowMs);
  return {
    race_id,
    venue,
    race_number,
    category,
    country,
    start_time,
    secs_to_jump: secs,
    refresh_tier: tierAt(secs),
    status: statusOf(race, audience, nowMs),
    as_of: new Date(nowMs).toISOString(),
  };
}

/** The note of a jumped race; null before. */
export const jumpedNote = (status: Wire['status']): string | null => (status === 'jumped' ? JUMPED : null);

function statusOf(race: LiveRace, audience: Audience, nowMs: number): Wire['status'] {
  const { market_status } = marketStateFor(audience, marketState(race));
  const signs = {
    startMs: race.startMs,
    jumped: race.jumped_at !== null,
    marketStatus: market_status as MarketStatus | null,
  };
  return hasJumped(signs, nowMs) ? 'jumped' : 'upcoming';
}
