// The wire formats: the simulator serves only what was recorded from the real API or is published, and within the types
// that the connectors read (the compiler checks the rest, because each book builds those types).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventData } from '../../../src/simulator/books/entain/event';
import { LADBROKES } from '../../../src/simulator/books/profiles';
import { racecard } from '../../../src/simulator/books/tab/racecard';
import type { Race } from '../../../src/simulator/world/race';
import { createWorld, racesOf } from '../../../src/simulator/world/world';

const DAY = '2026-11-21';
const HOUR_MS = 3_600_000;
const races = racesOf(createWorld({ seed: 'a' }), DAY).filter((_, i) => i % 4 === 0);
const samples = join(process.env.SAMPLES_DIR ?? join(__dirname, '../../../../shared/samples'), 'entain-affiliates');
const withSamples = existsSync(samples) ? test : test.skip;

const event = (race: Race, hoursAfter: number): unknown =>
  JSON.parse(JSON.stringify(eventData(race, LADBROKES, race.story.advertised[0]!.startMs + hoursAfter * HOUR_MS)));

/** Paths of every key, arrays folded: `runners[].odds.fixed_win`. */
function keys(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => keys(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${path}.${key}`, ...keys(inner, `${path}.${key}`)]);
}

withSamples(
  'every key of an Entain event is in the recorded reply or the published OpenAPI (skipped without the samples folder)',
  () => {
    const recorded = JSON.parse(readFileSync(join(samples, 'Events-For-A-Specified-Race.json'), 'utf8'));
    const published = readFileSync(join(samples, 'openapi.json'), 'utf8');
    const recordedKeys = new Set(keys(recorded.data));
    const served = new Set(
      races
        .filter((_, i) => i % 4 === 0)
        .flatMap((race) => [-20, -0.1, 1].flatMap((hours) => keys(event(race, hours)))),
    );
    const unknown = [...served].filter(
      (key) => !recordedKeys.has(key) && !published.includes(`"${key.slice(key.lastIndexOf('.') + 1)}"`),
    );
    expect(unknown).toEqual([]);
    expect(served.size).toBeGreaterThan(80);
  },
);

withSamples('values have the recorded types (skipped without the samples folder)', () => {
  const recorded = JSON.parse(readFileSync(join(samples, 'Events-For-A-Specified-Race.json'), 'utf8')).data;
  const served = event(races.find((race) => !race.story.abandoned)!, 1) as Record<string, Record<string, unknown>>;
  for (const [ours, theirs] of [
    [served.race!, recorded.race],
    [(served.runners as unknown as Record<string, unknown>[])[0]!, recorded.runners[0]],
    [(served.results as unknown as Record<string, unknown>[])[0]!, recorded.results[0]],
    [(served.dividends as unknown as Record<string, unknown>[])[0]!, recorded.dividends[0]],
  ]) {
    const common = Object.keys(ours!).filter((key) => key in theirs && ours![key] !== null && theirs[key] !== null);
    expect(common.map((key) => [key, typeof ours![key]])).toEqual(common.map((key) => [key, typeof theirs[key]]));
    expect(common.length).toBeGreaterThan(5);
  }
});

test('AU brands do not send members that only TAB NZ sends', () => {
  const served = new Set(races.slice(0, 20).flatMap((race) => keys(event(race, 1))));
  for (const key of [
    '.runners[].odds.pool_win',
    '.runners[].is_emergency',
    '.runners[].is_late_scratched',
    '.race.class',
    '.race.protest',
    '.tote_pools',
  ]) {
    expect(served).not.toContain(key);
  }
});

test('Entain conditions are in one word, TAB’s in upper case', () => {
  const entain = new Set(
    races.map((race) => (event(race, -1) as { race: { track_condition: string } }).race.track_condition),
  );
  expect(
    [...entain].filter((text) => !/^(Firm[12]|Good[34]?|Soft[567]|Heavy([89]|10)|Synthetic|Fast|Slow)$/.test(text)),
  ).toEqual([]);
  expect([...entain]).toContain('Good4');
  const tab = new Set(
    races.map((race) => {
      const query = new URLSearchParams();
      const nowMs = race.story.advertised[0]!.startMs;
      return racecard(race, 'NSW', {
        method: 'GET',
        body: '',
        path: '',
        url: '',
        query,
        baseUrl: '',
        header: () => '',
        nowMs,
      }).meeting!.trackCondition!;
    }),
  );
  expect([...tab].filter((text) => !/^(FIRM[12]|GOOD[34]?|SOFT[567]|HVY([89]|10)|AWT|FAST|SLOW)$/.test(text))).toEqual(
    [],
  );
});
