// Scenarios for a result: at the judge, in the stewards' room, at the registry. Pure functions from a race to the
// disturbed race. A result that is already posted or published never changes: it is too late for the scenario.

import { publicationOf } from '../registry/publication';
import type { Race, Story } from '../world/race';
import { firstPairSwapped, levelAtFirst, without } from '../world/story/placings';
import { NEVER_MS, startersOf, truthOf } from '../world/story/race-times';
import { scratchingOf } from '../world/story/scratchings';
import { eachRace, withStory } from './disturb';
import type { Switch } from './switches';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

const changesResult = (change: (race: Race) => Partial<Story>) =>
  eachRace((race, on) => (isPosted(race, on) || race.story.abandoned ? race : withStory(race, change(race))));

const isPosted = ({ story }: Race, { fromMs }: Switch): boolean => fromMs >= story.interimMs;

/** Delays payment until the placings are decided. */
function paidAfter(story: Story, decidedMs: number) {
  const straightDividendsMs = Math.max(story.straightDividendsMs, decidedMs + 30 * SECOND_MS);
  const exoticDividendsMs = straightDividendsMs + story.exoticDividendsMs - story.straightDividendsMs;
  const finalMs = Math.max(story.finalMs, straightDividendsMs + 5 * SECOND_MS);
  return { straightDividendsMs, exoticDividendsMs, finalMs };
}

/** The first two are posted in the wrong order, which is corrected a minute and a half later. */
export const interimChanged = changesResult(({ story }) => {
  const correctedMs = story.interimMs + 90 * SECOND_MS;
  const crossed = firstPairSwapped(story.settled);
  return { ...paidAfter(story, correctedMs), crossed, correctedMs, protest: null };
});

/** The race is run, but its result never comes. */
export const neverResulted = changesResult(() => ({
  interimMs: NEVER_MS,
  straightDividendsMs: NEVER_MS,
  exoticDividendsMs: NEVER_MS,
  finalMs: NEVER_MS,
  correctedMs: null,
  protest: null,
}));

/** The first two finish in a dead heat. */
export const deadHeat = changesResult(({ story }) => {
  const level = levelAtFirst(story.settled);
  return { crossed: level, settled: level, deadHeat: true, correctedMs: null, protest: null };
});

const LODGED_AFTER_MS = 40 * SECOND_MS;
const HEARD_FOR_MS = 200 * SECOND_MS;

const protested = (upheld: boolean) =>
  changesResult(({ story, meeting }) => {
    // Greyhounds have no protests: there are no riders.
    if (meeting.track.category === 'greyhound') return {};
    const lodgedMs = story.interimMs + LODGED_AFTER_MS;
    const decidedMs = lodgedMs + HEARD_FOR_MS;
    const settled = upheld ? firstPairSwapped(story.crossed) : story.crossed;
    return { ...paidAfter(story, decidedMs), settled, correctedMs: null, protest: { lodgedMs, decidedMs, upheld } };
  });

/** The second protests against the winner, and the protest is upheld. */
export const protestUpheld = protested(true);
/** The second protests against the winner, and the protest is dismissed. */
export const protestDismissed = protested(false);

const AT_THE_BARRIER_MS = 30 * SECOND_MS;
const LEAST_RUNNERS = 5;

/** Half a minute before the jump a starter is scratched: the highest number that is not among the first two. */
export const barrierScratching = eachRace((race, on) => {
  const { story, runners } = race;
  const atMs = story.jumpMs - AT_THE_BARRIER_MS;
  const started = startersOf(race);
  const firstTwo = story.crossed.slice(0, 2).map((placing) => placing.number);
  const gone = runners.findLast(({ number }) => started.has(number) && !firstTwo.includes(number));
  if (!gone || started.size <= LEAST_RUNNERS || on.fromMs > atMs || story.abandoned) return race;
  const out = { number: gone.number, atMs, kind: 'barrier' as const };
  return withStory(race, {
    scratchings: [...story.scratchings, scratchingOf(truthOf(race), out, story.scratchings)],
    crossed: without(story.crossed, [gone.number]),
    settled: without(story.settled, [gone.number]),
    mishaps: story.mishaps.filter((mishap) => mishap.number !== gone.number),
  });
});

/** The registry publishes nothing about the race for three days. */
export const publishedLate = eachRace((race, on) =>
  publicationOf(race, on.fromMs) === 'none'
    ? withStory(race, { document: { ...race.story.document, lateByMs: 3 * DAY_MS } })
    : race,
);

/** The registry's document lacks the last third of the field until a day after publication. */
export const partialField = eachRace((race, on) => {
  const { settled, document } = race.story;
  const numbers = settled
    .slice(Math.min(settled.length - 1, Math.ceil((settled.length * 2) / 3)))
    .map((row) => row.number);
  if (publicationOf(race, on.fromMs) === 'final') return race;
  return withStory(race, { document: { ...document, lacking: { numbers, forMs: DAY_MS } } });
});
