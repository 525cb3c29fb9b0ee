// Scenarios for one race. Pure functions from a race to the disturbed race; every instant comes from the switch and the
// race's own start.

import { plainRunner } from '../world/drawn-runner';
import { createField } from '../world/field';
import { strangersFrom } from '../world/population/entries';
import type { Race, Runner, Story, WorldScratching } from '../world/race';
import { mix } from '../world/random';
import { firstStartMs } from '../world/story/race-times';
import { createScratchings } from '../world/story/scratchings';
import { eachRace, happensAtMs, withStory } from './disturb';

const MINUTE_MS = 60_000;

/**
 * The start is put back by four minutes and, a minute after that announcement, by three more; the race is run that much
 * later.
 */
export const startMovedTwice = eachRace((race, on) => {
  const firstMs = happensAtMs(on, race, 20);
  if (firstMs + MINUTE_MS >= race.story.jumpMs || race.story.abandoned) return race;
  const moves = [
    { fromMs: firstMs, byMs: 4 * MINUTE_MS },
    { fromMs: firstMs + MINUTE_MS, byMs: 3 * MINUTE_MS },
  ];
  const { advertised } = race.story;
  const announcedMs = [...new Set([...advertised, ...moves].map((one) => one.fromMs))].sort((a, b) => a - b);
  const later = (atMs: number): number => moves.reduce((sum, move) => (move.fromMs <= atMs ? sum + move.byMs : sum), 0);
  return withStory(race, {
    ...delayed(race.story, later(Number.POSITIVE_INFINITY)),
    advertised: announcedMs.map((fromMs) => ({
      fromMs,
      startMs: advertised.findLast((start) => start.fromMs <= fromMs)!.startMs + later(fromMs),
    })),
  });
});

function delayed(story: Story, byMs: number): Partial<Story> {
  const { protest } = story;
  return {
    jumpMs: story.jumpMs + byMs,
    finishMs: story.finishMs + byMs,
    interimMs: story.interimMs + byMs,
    straightDividendsMs: story.straightDividendsMs + byMs,
    exoticDividendsMs: story.exoticDividendsMs + byMs,
    finalMs: story.finalMs + byMs,
    correctedMs: story.correctedMs === null ? null : story.correctedMs + byMs,
    protest: protest && {
      ...protest,
      lodgedMs: protest.lodgedMs + byMs,
      decidedMs: protest.decidedMs + byMs,
    },
  };
}

/** The lowest number still in the race gets another name from now on, as if another horse took the saddlecloth. */
export const runnerRenamed = eachRace((race) => {
  const out = new Set(race.story.scratchings.map((row) => row.number));
  const renamed = race.runners.find((runner) => !runner.vacant && !runner.emergency && !out.has(runner.number));
  return {
    ...race,
    runners: race.runners.map((runner) =>
      runner === renamed ? { ...plainRunner(runner), name: runner.sire } : runner,
    ),
  };
});

/** Betting closes ten minutes before the start and reopens a minute and a half later. */
export const marketReopened = eachRace((race, on) => {
  const fromMs = happensAtMs(on, race, 10);
  return withStory(race, { shut: [...race.story.shut, { fromMs, untilMs: fromMs + 1.5 * MINUTE_MS }] });
});

/** Prices freeze, at the earliest half an hour before the start; everything else continues. */
export const frozenPrices = eachRace((race, on) => withStory(race, { pricesStandFromMs: happensAtMs(on, race, 30) }));

/**
 * At the earliest fifty minutes before the start, a starter is scratched and the first emergency replaces it; a minute
 * later the other emergencies are out. A card without emergencies gets two.
 */
export const lateEmergencies = eachRace((race, on) => {
  const atMs = happensAtMs(on, race, 50);
  const { story } = race;
  const runners = race.runners.some((runner) => runner.emergency) ? race.runners : [...race.runners, ...reserves(race)];
  const started = new Set(story.promotions.map((promotion) => promotion.number));
  const first = runners.find((runner) => runner.emergency && !started.has(runner.number));
  const gone = runners.findLast((runner) => isStarter(runner, story));
  if (!first || !gone || atMs >= story.jumpMs || story.abandoned) return race;
  const swap = <T extends { readonly number: number }>(row: T): T => ({
    ...row,
    number: row.number === gone.number ? first.number : row.number,
  });
  const kept = story.scratchings.filter((row) => !runners[row.number - 1]!.emergency && row.kind !== 'vacant');
  const chosen = [...kept, { number: gone.number, atMs, kind: 'late' as const }];
  return {
    ...withStory(race, {
      scratchings: scratchingsOf({ ...race, runners }, chosen, first.number, atMs + MINUTE_MS),
      promotions: [...story.promotions, { number: first.number, atMs, barrier: gone.barrier }],
      crossed: story.crossed.map(swap),
      settled: story.settled.map(swap),
      mishaps: story.mishaps.map(swap),
    }),
    runners,
  };
});

const isStarter = (runner: Runner, { scratchings }: Story): boolean =>
  !runner.emergency && !scratchings.some((row) => row.number === runner.number);

/** Includes deductions. Emergencies without a start are out from `decidedMs` on. */
function scratchingsOf(
  race: Race,
  chosen: readonly Pick<WorldScratching, 'number' | 'atMs' | 'kind'>[],
  started: number,
  decidedMs: number,
): WorldScratching[] {
  const truth = { seed: race.seed, runners: race.runners, firstStartMs: firstStartMs(race) };
  const { category } = race.meeting.track;
  const drawn = createScratchings({ truth, category, jumpMs: race.story.jumpMs, plot: { scratchings: chosen } });
  return drawn.scratchings
    .filter((row) => row.number !== started)
    .map((row) => (row.kind === 'emergency' ? { ...row, atMs: decidedMs } : row))
    .sort((a, b) => a.atMs - b.atMs || a.number - b.number);
}

/** Two more runners, numbered after the others. */
function reserves(race: Race): Runner[] {
  const { meeting, number, runners } = race;
  const seed = mix(race.seed, 61);
  const entries = strangersFrom(meeting.seed, seed + 2 * number);
  const drawn = createField({ seed, worldSeed: meeting.seed, track: meeting.track, entries, size: 2 });
  return drawn
    .slice(0, 2)
    .map((runner, i) => ({ ...plainRunner(runner), number: runners.length + i + 1, barrier: null, emergency: true }));
}
