// The ages of quotes and races: whole seconds, computed when the response is served (A 2.4 rule 5).
import { Type } from '@sinclair/typebox';
import { age, aged, BookmakerKey, instant, named, nullable, oneOf, Tier, yes } from './vocabulary';

const AgeBasis = named(
  'AgeBasis',
  oneOf(['poll', 'push'], {
    description:
      'What the age counts from. `poll`: the service’s poll of the book. `push`: the time that a push-fed book gives for its prices.',
  }),
);

/** Freshness of one quote. */
export const quoteFreshness = {
  last_update: aged(
    instant(
      'When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its prices.',
    ),
  ),
  age_seconds: age('Seconds since `last_update`.'),
  stale: yes('Whether the quote is older than the threshold of its tier: 120 s live, 1800 s card.'),
  refresh_tier: Tier,
  age_basis: AgeBasis,
};

/** Freshness of one race. */
export const raceFreshness = (oldest: string, freshest: string) => ({
  data_age_seconds: nullable(age(oldest)),
  freshest_age_seconds: nullable(age(freshest)),
  refresh_tier: Tier,
  stale: yes('Whether the oldest of these quotes is past the threshold of its tier.'),
  stale_bookmakers: Type.Array(BookmakerKey, { description: 'Books past the threshold of their refresh tier.' }),
  cached: aged(yes('Whether the data was read for an earlier request.')),
  cache_age_seconds: age('Seconds since the data was read; 0 if it was read for this request.'),
});
