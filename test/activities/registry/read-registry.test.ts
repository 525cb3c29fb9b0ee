// World → pages → connector → store → our races, compared with the world's own data.
import { discover } from '../../../src/activities/polling/lists/discover';
import { joinRegistry } from '../../../src/activities/registry/join-registry';
import { readRegistry } from '../../../src/activities/registry/read-registry';
import { REGISTRY, REGISTRY_STATES } from '../../../src/domain/registry/registry';
import type { FeedFailure, FeedReply } from '../../../src/feeds/feed';
import { createRegistryFeed, type RegistryFeed } from '../../../src/feeds/racing-australia/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { horseCodeOf } from '../../../src/simulator/registry/meetings';
import type { Race } from '../../../src/simulator/world/race';
import { racesOf } from '../../../src/simulator/world/world';
import { PATIENT_MS } from '../../support/patient';
import { type ActivityLab, HOUR, MINUTE, NOON, openLab } from '../lab';

const SCRIPT = [
  {
    startMs: NOON + 4 * HOUR,
    venue: 'Sandown',
    runners: 15,
    scratchings: [
      { number: 3, secondsBefore: 6 * 3600, kind: 'early' },
      { number: 5, secondsBefore: 3600 },
    ],
    regradedSecondsBefore: 7200,
  },
  { startMs: NOON + 4 * HOUR + 40 * MINUTE, venue: 'Sandown' },
  { startMs: NOON + 5 * HOUR, venue: 'Doomben' },
  { startMs: NOON + 30 * HOUR, venue: 'Flemington' },
  { startMs: NOON + 3 * HOUR, venue: 'Menangle', category: 'harness' },
] as const;

let lab: ActivityLab;
let simulator: Simulator;
let feed: RegistryFeed;
const deps = (over: Partial<RegistryFeed> = {}) => ({ ...lab.deps, registry: { ...feed, ...over } });
const readAll = async () => {
  for (const state of REGISTRY_STATES) await readRegistry(deps(), state);
};

beforeEach(async () => {
  lab = await openLab(SCRIPT);
  simulator = createSimulator({ seed: 'test', now: () => lab.clock.nowMs, races: SCRIPT });
  const baseUrl = `${await simulator.listen(0)}/${REGISTRY}`;
  const endpoint = { baseUrl, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  feed = createRegistryFeed(createRegistrySite({ endpoint, now: () => lab.clock.nowMs, wait: async () => undefined }));
});
afterEach(async () => {
  await simulator.close();
  await lab.close();
});

const sandown = (): Race =>
  racesOf(simulator.world, '2026-11-21').find((race) => race.meeting.track.name === 'Sandown')!;
const runnersOf = (venueId: string) =>
  lab.query<Record<string, unknown>>(
    `SELECT u.number, u.name, u.jockey, u.trainer, u.barrier, u.weight_kg, u.form, u.runner_ref, u.emergency, u.scratched,
            u.scratched_at
       FROM race_runners u JOIN races r USING (race_id)
      WHERE r.venue_id = '${venueId}' AND r.race_number = 1 ORDER BY u.number`,
  );

test('a race that books list is enriched from acceptances under its registry name, one code per entry', async () => {
  await discover(lab.deps, { days: 2 });
  await readAll();
  const race = sandown();
  const field = await runnersOf('sandown');
  expect(field.map(({ scratched, scratched_at, ...runner }) => runner)).toEqual(
    race.runners.map((runner) => ({
      number: runner.number,
      name: runner.name.toUpperCase(),
      jockey: runner.jockey,
      trainer: runner.trainer,
      barrier: runner.barrier,
      weight_kg: runner.weightKg,
      form: runner.form,
      runner_ref: `ra:${horseCodeOf(race, runner)}`,
      emergency: runner.emergency,
    })),
  );
  const [facts] = await lab.query(`SELECT race_class, conditions, prize_total, rail, track_name FROM races
                                    WHERE venue_id = 'sandown' AND race_number = 1`);
  expect(facts).toEqual({
    race_class: expect.any(String),
    conditions: expect.stringContaining(race.raceClass),
    prize_total: race.prizes.reduce((sum, prize) => sum + prize, 0),
    rail: race.meeting.rail,
    track_name: 'Main',
  });
  const joined = await lab.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM registry_races WHERE race_id IS NOT NULL',
  );
  expect(joined).toEqual([{ n: 4 }]);
});

test('if it is read before any book lists the race, the registry waits for the race and is joined by the first discovery', async () => {
  await readAll();
  expect(await lab.query('SELECT 1 FROM races')).toEqual([]);
  expect(await joinRegistry(deps())).toEqual({ joined: 0, refused: 0, merged: 0 });
  await discover(lab.deps, { days: 2 });
  expect(await joinRegistry(deps())).toEqual({ joined: 4, refused: 0, merged: 4 });
  expect(await runnersOf('doomben')).not.toEqual([]);
  expect(await joinRegistry(deps())).toEqual({ joined: 0, refused: 0, merged: 0 });
});

test('a meeting already in progress when first read is read once, from the calendar of results', async () => {
  await discover(lab.deps, { days: 2 });
  lab.clock.nowMs = NOON + 5 * HOUR;
  const keys: string[] = [];
  const acceptances: RegistryFeed['acceptances'] = (key) => {
    keys.push(key);
    return feed.acceptances(key);
  };
  const counting = deps({ acceptances });
  expect(await readRegistry(counting, 'VIC')).toMatchObject({ meetings: 2, failed: 0 });
  expect(keys).toEqual([expect.stringContaining('Flemington'), expect.stringContaining('Sandown')]);
  const race = sandown();
  expect((await runnersOf('sandown')).map(({ runner_ref }) => runner_ref)).toEqual(
    race.runners.map((runner) => `ra:${horseCodeOf(race, runner)}`),
  );
  await readRegistry(counting, 'VIC');
  expect(keys.filter((key) => key.includes('Sandown'))).toHaveLength(1);
});

test('a sheet scratches as of its first reading, and the same pages again change nothing', async () => {
  await discover(lab.deps, { days: 2 });
  await readAll();
  const out = async () =>
    (await runnersOf('sandown')).flatMap(({ number, scratched, scratched_at }) =>
      scratched ? [[number, scratched_at]] : [],
    );
  expect(await out()).toContainEqual([3, new Date(NOON).toISOString()]);
  const changes = () =>
    lab.query('SELECT kind, race_number, number FROM registry_changes ORDER BY observed_at, 1, 2, 3');
  const before = await changes();
  lab.clock.nowMs += 30 * MINUTE;
  await readAll();
  expect(await changes()).toEqual(before);
  // The second sheet is published, and the track is regraded, while the meeting is still in the calendar.
  lab.clock.nowMs = NOON + 3 * HOUR + 5 * MINUTE;
  await readAll();
  expect(await out()).toContainEqual([5, new Date(lab.clock.nowMs).toISOString()]);
  expect((await changes()).slice(before.length)).toContainEqual({ kind: 'scratching', race_number: 1, number: 5 });
  const ratings = await lab.query<{ prev: string | null; rating: string }>(
    `SELECT prev_track_condition AS prev, track_condition AS rating FROM registry_track_changes
      WHERE venue_id = 'sandown' ORDER BY observed_at`,
  );
  const { conditions } = sandown().meeting;
  const rated = conditions.map(({ going, rating }) => `${going} ${rating}`);
  expect(ratings).toEqual([
    { prev: null, rating: rated[0] },
    { prev: rated[0], rating: rated[1] },
  ]);
});

test('every document is counted in the connector’s health; a failed one does not stop the others', async () => {
  const failed: FeedReply<never> = {
    kind: 'failed',
    reason: 'malformed',
    detail: 'a stub',
    retryAfterMs: null,
    observedAt: new Date(NOON).toISOString(),
  };
  const report = await readRegistry(deps({ acceptances: async () => failed }), 'VIC');
  // Sandown today and Flemington tomorrow: calendar, tracks, two acceptances, and the published sheets.
  expect(report).toMatchObject({ meetings: 2, failed: 2 });
  expect(report.documents).toBeGreaterThan(4);
  expect(await lab.query("SELECT polls::int FROM connector_health WHERE connector = 'racing_australia'")).toEqual([
    { polls: report.documents },
  ]);
  expect(
    await lab.query("SELECT kind, reason, count::int FROM connector_counts WHERE connector = 'racing_australia'"),
  ).toEqual([{ kind: 'failed', reason: 'malformed', count: 2 }]);
});

test('behind a wall or before a pause is over no more calls are made; an unreachable site is a failure with a retry', async () => {
  const calls: string[] = [];
  const no = (reason: FeedFailure, retryAfterMs: number | null) => async (what: string) => {
    calls.push(what);
    return {
      kind: 'failed',
      reason,
      detail: '',
      retryAfterMs,
      observedAt: new Date(NOON).toISOString(),
    } as const;
  };
  const all = (reason: FeedFailure, retryAfterMs: number | null = null) => ({
    calendar: no(reason, retryAfterMs),
    underWay: no(reason, retryAfterMs),
    trackConditions: no(reason, retryAfterMs),
  });
  expect(await readRegistry(deps(all('blocked')), 'NSW')).toMatchObject({ documents: 1, failed: 1 });
  expect(calls).toEqual(['NSW']);
  await expect(readRegistry(deps(all('network')), 'NSW')).rejects.toMatchObject({ type: 'RegistryAway' });
  expect(calls.splice(0)).toEqual(['NSW', 'NSW', 'NSW', 'NSW']);
  // The reply names the time of the next call; documents already read stay stored, the rest is read then.
  for (const [reply, nextRetryDelay] of [
    [all('rate_limited'), 60_000],
    [all('http_error', 90_000), 90_000],
  ] as const) {
    const failure = { type: 'RegistryAway', nextRetryDelay };
    await expect(readRegistry(deps(reply), 'NSW')).rejects.toMatchObject(failure);
    expect(calls.splice(0)).toEqual(['NSW']);
  }
});

test('an unreadable calendar is not a calendar without meetings, even if the tracks were read', async () => {
  const failed = async () =>
    ({
      kind: 'failed',
      reason: 'timeout',
      detail: '',
      retryAfterMs: null,
      observedAt: new Date(NOON).toISOString(),
    }) as const;
  for (const list of ['calendar', 'underWay']) {
    await expect(readRegistry(deps({ [list]: failed }), 'VIC')).rejects.toMatchObject({ type: 'RegistryAway' });
  }
  expect(await readRegistry(deps(), 'VIC')).toMatchObject({ meetings: 2, failed: 0 });
});

test('a registry race that matches two of our races is refused and counted', async () => {
  await discover(lab.deps, { days: 2 });
  await readRegistry(deps(), 'QLD');
  await lab.query('UPDATE registry_races SET race_id = NULL');
  // Our race was moved by hours: the same number on that day, but another start.
  await lab.query("UPDATE races SET start_time = start_time + interval '2 hours' WHERE venue_id = 'doomben'");
  expect(await joinRegistry(deps())).toMatchObject({ joined: 0, refused: 1 });
  expect(
    await lab.query(
      "SELECT reason, count::int FROM connector_counts WHERE connector = 'racing_australia' AND kind = 'refused'",
    ),
  ).toEqual([{ reason: 'ambiguous_race', count: 1 }]);
});
