// The race that consensus and intelligence are about (A 2.5, A 2.6).
import { Type } from '@sinclair/typebox';
import { raceIdentity } from '../race';
import { instant, named, nullable, oneOf, Tier, text, whole } from '../vocabulary';

export const ConsensusRace = named(
  'ConsensusRace',
  Type.Object({
    race_id: raceIdentity.race_id,
    venue: raceIdentity.venue,
    race_number: raceIdentity.race_number,
    category: raceIdentity.category,
    country: raceIdentity.country,
    start_time: raceIdentity.start_time,
    secs_to_jump: whole('Seconds to the advertised start, rounded down; negative after it.'),
    refresh_tier: Tier,
    status: oneOf(['upcoming', 'jumped'], {
      description: 'Jumped once the market was seen shut or, where no book tells, from the advertised start.',
    }),
    as_of: instant('The instant of this answer: ages count to it.'),
  }),
);

export const note = nullable(text('What to bear in mind of a race that has jumped; null before.'));
