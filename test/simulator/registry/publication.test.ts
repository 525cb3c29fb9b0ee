// When a registry publishes: each race once, in the order of its stages, in time for the pass that should find it.

import { fieldSource, nextFieldPass } from '../../../src/domain/results/field-coverage';
import { addDays, aetDayBounds } from '../../../src/domain/time/aet';
import { officialField } from '../../../src/simulator/registry/official-field';
import { type PublishedStage, publicationOf, publishedResult } from '../../../src/simulator/registry/publication';
import type { Race } from '../../../src/simulator/world/race';
import { firstStartMs } from '../../../src/simulator/world/story/race-times';
import { createWorld, racesOf } from '../../../src/simulator/world/world';

const DAY = '2026-11-21';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const races = racesOf(createWorld({ seed: 'a' }), DAY);
const dayEndMs = aetDayBounds(DAY).endMs;
const sourceOf = ({ meeting }: Race) => fieldSource(meeting.track.category, meeting.track.country);
const horses = races.filter((race) => sourceOf(race) === 'racing_australia');
const dogs = races.filter((race) => sourceOf(race) === 'topaz');
const ran = (race: Race) => race.story.abandoned === null;

/** The first whole minute at which the stage is reached, counted from the first start. */
function reachedMs(race: Race, stage: PublishedStage): number | null {
  const fromMs = firstStartMs(race) - HOUR_MS;
  for (let atMs = fromMs; atMs < fromMs + 36 * HOUR_MS; atMs += MINUTE_MS)
    if (publicationOf(race, atMs) === stage) return atMs;
  return null;
}

test('a race only moves forward: none, interim, final; or none, abandoned', () => {
  for (const race of [...horses, ...dogs].filter((_, i) => i % 4 === 0)) {
    const order = ran(race) ? ['none', 'interim', 'final'] : ['none', 'abandoned'];
    const ranks = Array.from({ length: 36 * 12 }, (_, i) =>
      order.indexOf(publicationOf(race, firstStartMs(race) + i * 5 * MINUTE_MS)),
    );
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect([ranks[0], ranks.at(-1)]).toEqual([0, order.length - 1]);
  }
});

test('a horse race is interim minutes after the books have paid, and final the same evening with its meeting', () => {
  for (const race of horses.filter(ran).filter((_, i) => i % 5 === 0)) {
    const { finalMs } = race.story;
    const interimMs = reachedMs(race, 'interim')!;
    const publishedMs = reachedMs(race, 'final')!;
    expect(interimMs).toBeGreaterThan(finalMs + 5 * MINUTE_MS);
    expect(interimMs).toBeLessThan(finalMs + 22 * MINUTE_MS);
    const lastJumpMs = Math.max(...race.meeting.races.map((one) => one.story.jumpMs));
    expect(publishedMs).toBeGreaterThan(lastJumpMs);
    expect(publishedMs).toBeLessThan(lastJumpMs + 3 * HOUR_MS);
    expect(publicationOf(race, Date.parse(passOf(race)))).toBe('final');
  }
});

test('Victoria’s dogs are published at once, the other states’ only the next morning, before the pass that should find them', () => {
  for (const race of dogs.filter(ran)) {
    const quick = race.meeting.track.state === 'VIC';
    expect(publicationOf(race, race.story.finalMs + 10 * MINUTE_MS)).toBe(quick ? 'final' : 'none');
    expect(publicationOf(race, Math.max(race.story.finalMs + 10 * MINUTE_MS, dayEndMs))).toBe(quick ? 'final' : 'none');
    expect(publicationOf(race, Date.parse(passOf(race)))).toBe('final');
  }
  expect(new Set(dogs.map((race) => race.meeting.track.state)).size).toBeGreaterThan(2);
});

const passOf = (race: Race): string => {
  const { category, country } = race.meeting.track;
  const startTime = new Date(firstStartMs(race)).toISOString();
  return nextFieldPass({ category, country, startTime }, startTime)!;
};

test('a final race has the whole settled field; before, it has nothing', () => {
  for (const race of [...horses, ...dogs].filter(ran).filter((_, i) => i % 5 === 0)) {
    const late = aetDayBounds(addDays(DAY, 1)).endMs;
    const { stage, field, note, publishedMs } = publishedResult(race, late);
    expect({ stage, note, field }).toEqual({ stage: 'final', note: null, field: officialField(race, late) });
    expect(publicationOf(race, publishedMs!)).toBe('final');
    expect(publicationOf(race, publishedMs! - 1)).not.toBe('final');
    expect(publishedResult(race, race.story.finalMs)).toEqual({
      stage: 'none',
      field: [],
      note: null,
      publishedMs: null,
    });
  }
});

test('a race that does not run is published with its reason; no registry publishes harness and New Zealand', () => {
  const off = [...horses, ...dogs].filter((race) => !ran(race));
  for (const race of off) {
    expect(publicationOf(race, race.story.abandoned!.atMs)).toBe('none');
    expect(publishedResult(race, dayEndMs + 6 * HOUR_MS)).toMatchObject({
      stage: 'abandoned',
      field: [],
      note: race.story.abandoned!.note,
    });
  }
  const others = races.filter((race) => sourceOf(race) === null);
  expect(others.length).toBeGreaterThan(50);
  for (const race of others) expect(publicationOf(race, dayEndMs + 24 * HOUR_MS)).toBe('none');
});
