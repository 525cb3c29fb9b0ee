// How a registry's document becomes the field of our race, and which documents are refused (A 3, D17, D25).
import { createResultsReader } from '../../../src/activities/full-field/reader';
import {
  FIELD,
  hoursAfter,
  NAMES,
  openPublishedLab,
  type PublishedLab,
  publishedMeeting,
  publishedRace,
  START,
  startOf,
} from '../published';

let lab: PublishedLab;
beforeEach(async () => {
  lab = await openPublishedLab();
});
afterEach(() => lab.close());

const publish = (...races: ReturnType<typeof publishedRace>[]) => lab.publish(publishedMeeting({ races }));
const collect = (region?: string) => lab.collect(region);
const refusedAs = async () =>
  (await lab.query<{ refused: string | null }>('SELECT refused FROM published_races')).map(({ refused }) => refused);

test('an early field fills the race by its start; the same page again writes nothing, and a run with no missing field makes no call', async () => {
  const { raceId } = await lab.race();
  publish(publishedRace());
  expect(await collect()).toMatchObject({ documents: 2, filled: 1, refused: 0, failed: 0 });
  expect(await lab.row(raceId)).toMatchObject({
    field_status: 'complete',
    field_source: 'racing_australia',
    runners: FIELD,
  });
  const reads = lab.registry.reads.length;
  const before = await lab.query('SELECT xmin, * FROM published_races');
  expect(await collect()).toMatchObject({ documents: 0 });
  await lab.deps.stores.published.saveMeeting(publishedMeeting(), new Date(hoursAfter(4)).toISOString());
  expect(await lab.query('SELECT xmin, * FROM published_races')).toEqual(before);
  expect(lab.registry.reads).toHaveLength(reads);
});

test('an interim field is stored but not applied', async () => {
  const { raceId } = await lab.race();
  publish(publishedRace({ stage: 'interim' }));
  expect(await collect()).toMatchObject({ filled: 0, refused: 0 });
  expect(await lab.row(raceId)).toMatchObject({ field_status: 'pending', runners: null });
  expect(await lab.query('SELECT stage, race_id FROM published_races')).toEqual([
    { stage: 'interim', race_id: raceId },
  ]);
});

test('a field published before the result is applied at the next run, without reading the document again', async () => {
  const { raceId, stores, before } = await lab.race({}, null);
  publish(publishedRace());
  expect(await collect()).toMatchObject({ filled: 0, refused: 0 });
  const placings = [1, 2, 3].map((number) => ({ position: number, number, name: null }));
  const reported = {
    stage: 'final',
    note: null,
    protest: false,
    placings,
    straight: [],
    exotics: [],
    multiRace: [],
  } as const;
  await stores.results.saveResult({ raceId, source: 'tab', result: reported, at: before(-400) });
  lab.clock.nowMs += 60_000;
  expect(await collect()).toMatchObject({ filled: 1 });
  expect(lab.registry.reads.filter((what) => what.includes('Flemington'))).toHaveLength(1);
});

describe('the race of a document', () => {
  test('is found by the same meeting’s acceptances, even if the start has moved by more than half an hour', async () => {
    const { raceId } = await lab.race({ startTime: '2026-11-21T03:50:00.000Z' });
    publish(publishedRace());
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await refusedAs()).toEqual(['ambiguous_race']);
    await lab.query(`INSERT INTO registry_meetings (meeting_key, meeting_date, state, venue, venue_id, venue_canonical, venue_site,
        published, first_seen_at, listed_at) VALUES ('2026Nov21,VIC,Flemington', '2026-11-21', 'VIC', 'Flemington', 'flemington',
        'Flemington', 'flemington', true, now(), now())`);
    await lab.query(
      `INSERT INTO registry_races (meeting_key, race_number, race_id, race_name, distance_m, updated_at)
       VALUES ('2026Nov21,VIC,Flemington', 1, $1, 'Maiden', 1200, now())`,
      [raceId],
    );
    expect(await collect()).toMatchObject({ filled: 1, refused: 0 });
    expect(await refusedAs()).toEqual([null]);
    expect(await lab.refusals()).toEqual(['ambiguous_race']);
  });

  test('is found without a start by day, venue and number; two cards at the track are refused, and counted once', async () => {
    const { raceId } = await lab.race();
    publish(publishedRace({ startTime: null }));
    expect(await collect()).toMatchObject({ filled: 1 });
    await lab.query('DELETE FROM published_races');
    await lab.query("UPDATE race_results SET runners = NULL, field_status = 'pending' WHERE race_id = $1", [raceId]);
    await lab.query(`INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, card, race_number,
        country, start_time, first_seen_at, updated_at)
      SELECT gen_random_uuid(), meeting_date, category, venue, venue_id, venue_canonical, venue_site, 2, race_number, country,
        start_time + interval '20 minutes', first_seen_at, updated_at FROM races`);
    for (let i = 0; i < 3; i++) {
      lab.clock.nowMs += 2 * 3_600_000;
      expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    }
    expect(await lab.refusals()).toEqual(['ambiguous_race']);
    expect(await lab.row(raceId)).toMatchObject({ runners: null });
  });

  test('has the same names: other names are another race, and two runners with swapped numbers contradict the card and do not even join', async () => {
    const { raceId } = await lab.race();
    publish(publishedRace({ runners: FIELD.map((runner) => ({ ...runner, name: `Another Horse ${runner.number}` })) }));
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    lab.clock.nowMs += 3_600_000;
    const swapped = FIELD.map((runner) => ({ ...runner, name: NAMES[[0, 1, 3, 2][runner.number - 1]!]! }));
    publish(publishedRace({ runners: swapped }));
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await lab.query('SELECT race_id FROM published_races')).toEqual([{ race_id: null }]);
    expect(await lab.refusals()).toEqual(['another_race', 'runner_contradicted']);
    expect(await lab.row(raceId)).toMatchObject({ runners: null });
  });

  test('keeps the first of two documents', async () => {
    const { raceId } = await lab.race();
    const first = publishedMeeting({ races: [publishedRace({ stage: 'interim' })] });
    lab.publish(first, publishedMeeting({ key: '2026Nov21,VIC,Flemington,Again' }));
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await lab.refusals()).toEqual(['race_taken']);
    expect(await lab.row(raceId)).toMatchObject({ runners: null });
  });
});

describe('a field that is not applied', () => {
  test('lacks runners until a day later', async () => {
    const { raceId } = await lab.race();
    publish(publishedRace({ runners: FIELD.slice(0, 3) }));
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'pending', runners: null });
    lab.clock.nowMs = hoursAfter(24);
    publish(publishedRace());
    expect(await collect()).toMatchObject({ filled: 1, refused: 0 });
    expect(await lab.refusals()).toEqual(['partial_field']);
  });

  test('has another winner than our placings: never both, until one of them is corrected', async () => {
    const { raceId } = await lab.race();
    const official = FIELD.map((runner) => ({ ...runner, position: [2, 1, 3, 4][runner.number - 1]! }));
    publish(publishedRace({ runners: official }));
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'pending', runners: null });
    expect(await lab.refusals()).toEqual(['placings_contradicted']);
    const placings = [2, 1, 3].map((number, i) => ({ position: i + 1, number, name: null }));
    await lab.deps.stores.results.override(raceId, placings, 'positive swab', new Date(hoursAfter(3)).toISOString());
    lab.clock.nowMs = hoursAfter(3);
    expect(await collect()).toMatchObject({ filled: 1, refused: 0 });
  });

  test('stays stored when the placings change, with a note, until the corrected field replaces it', async () => {
    const { raceId } = await lab.race();
    publish(publishedRace());
    await collect();
    const placings = [2, 1, 3].map((number, i) => ({ position: i + 1, number, name: null }));
    await lab.deps.stores.results.override(raceId, placings, 'protest upheld', new Date(hoursAfter(3)).toISOString());
    lab.clock.nowMs = hoursAfter(3);
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await lab.row(raceId)).toMatchObject({
      field_status: 'complete',
      field_note: expect.stringContaining('differs'),
    });
    publish(
      publishedRace({ runners: FIELD.map((runner) => ({ ...runner, position: [2, 1, 3, 4][runner.number - 1]! })) }),
    );
    lab.clock.nowMs = hoursAfter(5);
    expect(await collect()).toMatchObject({ filled: 1, refused: 0 });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete', field_note: null });
  });

  test('is of a race that was abandoned', async () => {
    const { raceId, stores, before } = await lab.race({}, null);
    await stores.results.abandon(raceId, 'abandoned', 'tab', before(-100));
    await lab.race({ raceNumber: 2, startTime: '2026-11-21T03:40:00.000Z' });
    publish(publishedRace());
    expect(await collect()).toMatchObject({ filled: 0, refused: 1 });
    expect(await lab.refusals()).toEqual(['race_abandoned']);
    expect(await lab.row(raceId)).toMatchObject({ status: 'abandoned', runners: null });
  });
});

describe('reading', () => {
  test('reads one document for any number of concurrent requests, and none for later ones', async () => {
    const races = await Promise.all(
      [1, 2, 3].map((raceNumber) => lab.race({ raceNumber, startTime: startOf(raceNumber) })),
    );
    publish(...[1, 2, 3].map((raceNumber) => publishedRace({ raceNumber, startTime: startOf(raceNumber) })));
    lab.clock.nowMs = hoursAfter(16.1);
    const due = new Date(hoursAfter(16)).toISOString();
    const pass = (race: { raceId: string }) => lab.collector.pass(race.raceId, due);
    expect(await Promise.all(races.map(pass))).toEqual([true, true, true]);
    expect([...lab.registry.reads].sort()).toEqual(['2026Nov21,VIC,Flemington', 'list NSW', 'list VIC']);
    await Promise.all(races.map(pass));
    expect(lab.registry.reads).toHaveLength(3);
  });

  test('a pass without a field reads once what was not read since it became due', async () => {
    const { raceId } = await lab.race();
    lab.clock.nowMs = hoursAfter(16.1);
    const due = new Date(hoursAfter(16)).toISOString();
    expect([await lab.collector.pass(raceId, due), await lab.collector.pass(raceId, due)]).toEqual([false, false]);
    expect(lab.registry.reads).toEqual(['list VIC', 'list NSW']);
    publish(publishedRace({ stage: 'none', runners: [] }));
    lab.clock.nowMs = hoursAfter(40.1);
    const next = new Date(hoursAfter(40)).toISOString();
    expect([await lab.collector.pass(raceId, next), await lab.collector.pass(raceId, next)]).toEqual([false, false]);
    expect(lab.registry.reads.slice(2)).toEqual(['list VIC', 'list NSW', '2026Nov21,VIC,Flemington']);
  });

  test('a failed document is not retried for a minute; behind a wall no call is made for half an hour', async () => {
    const { raceId } = await lab.race();
    publish(publishedRace());
    const due = new Date(hoursAfter(1)).toISOString();
    lab.registry.fails = (what) => (what.includes('Flemington') ? 'malformed' : null);
    expect([await lab.collector.pass(raceId, due), await lab.collector.pass(raceId, due)]).toEqual([false, false]);
    expect(lab.registry.reads.filter((what) => what.includes('Flemington'))).toHaveLength(1);
    lab.clock.nowMs += 61_000;
    lab.registry.fails = () => 'blocked';
    await lab.collector.pass(raceId, due);
    const reads = lab.registry.reads.length;
    lab.registry.fails = () => null;
    expect(await lab.collector.pass(raceId, due)).toBe(false);
    expect(await collect()).toMatchObject({ failed: 1, filled: 0 });
    expect(lab.registry.reads).toHaveLength(reads);
    lab.clock.nowMs += 31 * 60_000;
    expect(await lab.collector.pass(raceId, due)).toBe(true);
  });

  test('waiting passes do not run into the wall that the first pass met', async () => {
    const venues = ['Flemington', 'Caulfield', 'Geelong', 'Moonee Valley'];
    const races = await Promise.all(venues.map((venue) => lab.race({ venue })));
    lab.publish(...venues.map((venue) => publishedMeeting({ key: `2026Nov21,VIC,${venue}`, venue })));
    await collect();
    await lab.query("UPDATE race_results SET runners = NULL, field_status = 'pending'");
    const before = lab.registry.reads.length;
    lab.registry.fails = () => 'blocked';
    lab.clock.nowMs = hoursAfter(16.1);
    const due = new Date(hoursAfter(16)).toISOString();
    await Promise.all(races.map(({ raceId }) => lab.collector.pass(raceId, due)));
    expect(lab.registry.reads).toHaveLength(before + 1);
  });

  test('a registry that requests a pause gets it, in its other regions too, and the region continues afterwards', async () => {
    await lab.race();
    await lab.race({ raceNumber: 2, startTime: startOf(2), venue: 'Caulfield' });
    lab.publish(publishedMeeting(), publishedMeeting({ key: '2026Nov21,VIC,Caulfield', venue: 'Caulfield' }));
    lab.registry.retryAfterMs = 90_000;
    for (const reason of ['rate_limited', 'http_error'] as const) {
      const before = lab.registry.reads.length;
      lab.registry.fails = (what) => (what.startsWith('list') ? null : reason);
      await expect(collect()).rejects.toMatchObject({ type: 'RegistryAway' });
      await expect(collect('NSW')).rejects.toMatchObject({
        type: 'RegistryAway',
      });
      lab.clock.nowMs += 89_000;
      await expect(collect()).rejects.toMatchObject({ type: 'RegistryAway' });
      expect(lab.registry.reads.slice(before)).toHaveLength(2);
      lab.clock.nowMs += 2000;
    }
    lab.registry.fails = () => null;
    expect(await collect()).toMatchObject({ documents: 3, failed: 0, filled: 1 });
  });

  test('successful lists do not make the connector healthy while every document fails', async () => {
    await lab.race();
    publish(publishedRace());
    const health = async () =>
      (
        await lab.query<{ status: string; polls: number }>('SELECT connector, status, polls::int FROM connector_health')
      )[0];
    lab.registry.fails = (what) => (what.startsWith('list') ? null : 'malformed');
    await collect();
    await collect('NSW');
    expect(await health()).toEqual({ connector: 'racing_australia_results', status: 'malformed', polls: 3 });
    lab.registry.fails = () => null;
    lab.clock.nowMs += 61_000;
    await collect();
    expect(await health()).toMatchObject({ status: 'ok' });
  });

  test('an unreachable region fails the attempt with a retry; a region that throws counts as failed', async () => {
    await lab.race();
    lab.registry.fails = () => 'network';
    await expect(collect()).rejects.toMatchObject({ type: 'RegistryAway' });
    lab.clock.nowMs += 61_000;
    lab.registry.listings = () => Promise.reject(new Error('a defect'));
    await expect(collect()).rejects.toMatchObject({ type: 'RegistryAway' });
    expect(await lab.query("SELECT reason FROM connector_counts WHERE kind = 'failed' ORDER BY 1")).toEqual([
      { reason: 'malformed' },
      { reason: 'network' },
    ]);
  });

  test('a failed list is not a list without meetings, even if a known document was read', async () => {
    await lab.race();
    publish(publishedRace({ stage: 'interim' }));
    await collect();
    lab.clock.nowMs += 2 * 3_600_000;
    lab.registry.fails = (what) => (what.startsWith('list') ? 'timeout' : null);
    await expect(collect()).rejects.toMatchObject({ type: 'RegistryAway' });
    lab.clock.nowMs += 61_000;
    lab.registry.fails = () => null;
    expect(await collect()).toMatchObject({ failed: 0 });
  });

  test('an older document is read again only after a pass over its races became due', async () => {
    await lab.race();
    publish(publishedRace({ stage: 'none', runners: [] }));
    const reads = () => lab.registry.reads.filter((what) => what.includes('Flemington')).length;
    for (const [hours, so] of [
      [2, 1],
      [4, 2],
      [48, 3],
      [50, 3],
      [63, 3],
      [65, 4],
      [67, 4],
      [89, 5],
      [143, 6],
    ] as const) {
      lab.clock.nowMs = hoursAfter(hours);
      await collect();
      expect([hours, reads()]).toEqual([hours, so]);
    }
    // After the horizon nothing is scheduled, but an operator can still read it.
    lab.clock.nowMs = hoursAfter(24 * 9);
    await collect();
    expect(reads()).toBe(6);
  });
});

test('an operator collects a race or a day weeks late: any fill completes (A 3)', async () => {
  const one = await lab.race();
  const two = await lab.race({ raceNumber: 2, startTime: startOf(2) });
  publish(publishedRace());
  lab.clock.nowMs = hoursAfter(24 * 30);
  const gone = { status: 'unavailable', source: 'racing_australia', note: null, expectedAt: null } as const;
  for (const { raceId } of [one, two]) await lab.deps.stores.results.saveFieldState(raceId, gone, START);
  expect(await lab.collector.race(one.raceId)).toMatchObject({ documents: 3, filled: 1 });
  publish(publishedRace(), publishedRace({ raceNumber: 2, startTime: startOf(2) }));
  lab.clock.nowMs += 1000;
  expect(await lab.collector.day('2026-11-21')).toMatchObject({ documents: 3, filled: 1 });
  for (const { raceId } of [one, two]) expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete' });
  const trot = await lab.race({ category: 'harness', venue: 'Menangle' });
  await expect(lab.collector.race(trot.raceId)).rejects.toThrow(/no registry/);
});

test('a request for a document as of now does not share the older copy that a concurrent request accepts', async () => {
  await lab.race();
  publish(publishedRace());
  await collect();
  const reader = createResultsReader(lab.deps);
  const { key } = publishedMeeting();
  const readAt = new Date(lab.clock.nowMs).toISOString();
  lab.clock.nowMs += 60_000;
  const now = new Date(lab.clock.nowMs).toISOString();
  const readings = [readAt, now].map((since) => reader.document(lab.registry, key, since));
  expect(await Promise.all(readings)).toMatchObject([{ kind: 'fresh' }, { kind: 'read' }]);
});

test('a request whose freshness check overlaps another read checks again and does not read', async () => {
  await lab.race();
  publish(publishedRace());
  await collect();
  const { published } = lab.deps.stores;
  const answers: Promise<void>[] = [];
  const readAt: typeof published.readAt = async (document) => {
    const answered = answers.shift();
    const seen = await published.readAt(document);
    await answered;
    return seen;
  };
  const stores = { ...lab.deps.stores, published: { ...published, readAt } };
  const reader = createResultsReader({ ...lab.deps, stores });
  const { key } = publishedMeeting();
  lab.clock.nowMs += 60_000;
  const now = new Date(lab.clock.nowMs).toISOString();
  let answer = (): void => undefined;
  answers.push(
    new Promise<void>((done) => {
      answer = done;
    }),
  );
  const late = reader.document(lab.registry, key, now);
  expect(await reader.document(lab.registry, key, now)).toMatchObject({ kind: 'read' });
  answer();
  expect(await late).toMatchObject({ kind: 'fresh' });
});
