// How old what is said is. Ages are whole seconds, computed when the answer is served (A 2.4 rule 5).
import { Type } from '@sinclair/typebox';
import { age, BookmakerKey, instant, named, nullable, oneOf, Tier, yes } from './vocabulary';

const AgeBasis = named(
  'AgeBasis',
  oneOf(['poll', 'push'], {
    description: 'What the age is counted from: our poll of the book, or the instant that a push-fed book gives.',
  }),
);

/** Of one quote. */
export const quoteFreshness = {
  last_update: instant(
    'When the book last answered a poll of this race; of a push-fed book, when its prices stood there.',
  ),
  age_seconds: age('Seconds since `last_update`.'),
  stale: yes('Older than its tier allows: 120 s live, 1800 s card.'),
  refresh_tier: Tier,
  age_basis: AgeBasis,
};

/** Of one race. */
export const raceFreshness = (oldest: string, freshest: string) => ({
  data_age_seconds: nullable(age(oldest)),
  freshest_age_seconds: nullable(age(freshest)),
  refresh_tier: Tier,
  stale: yes('The oldest of these quotes is past its own threshold.'),
  stale_bookmakers: Type.Array(BookmakerKey, { description: 'Books past their refresh-tier threshold.' }),
  cached: yes('Whether this answer was computed for an earlier request.'),
  cache_age_seconds: age('Seconds since it was computed; 0 when it was computed for this request.'),
});
