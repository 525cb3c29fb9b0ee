// The race that consensus and intelligence are about (A 2.5, A 2.6).
import { Type } from '@sinclair/typebox';
import { raceIdentity } from '../../wire/race-schema';
import { aged, instant, named, nullable, oneOf, Tier, text, whole } from '../../wire/vocabulary';

export const ConsensusRace = named(
  'ConsensusRace',
  Type.Object({
    race_id: raceIdentity.race_id,
    venue: raceIdentity.venue,
    race_number: raceIdentity.race_number,
    category: raceIdentity.category,
    country: raceIdentity.country,
    start_time: raceIdentity.start_time,
    secs_to_jump: aged(whole('Seconds to the advertised start, rounded down; negative after it.')),
    refresh_tier: Tier,
    status: oneOf(['upcoming', 'jumped'], {
      description: '`jumped` once the market is seen closed; if no book reports that, from the advertised start.',
    }),
    as_of: aged(instant('Time of this response (UTC); ages count to it.')),
  }),
);

export const note = nullable(text('How to read the figures of a race that has jumped; null before the jump.'));
