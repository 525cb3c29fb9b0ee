// Recorded replies pass through connector and store without loss: reading returns what the connector mapped from the
// file.
import type { FeedResult } from '../../src/domain/race/feed-race';
import { placingsKey } from '../../src/domain/results/placings';
import { mapEvent, mapMeetings } from '../../src/feeds/entain/map';
import { mapHistory } from '../../src/feeds/tab/history';
import { createStores } from '../../src/store/create-stores';
import { listedRace } from '../support/races/builders';
import { aFewAtOnce, describeRecorded, placeAll, readRecorded as read, TAB_HISTORY } from '../support/races/recorded';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

const AT = '2025-07-17T00:00:00.000Z';

const kindsOf = ({ straight, exotics, multiRace }: FeedResult): string[] =>
  [...new Set([...straight.map((row) => row.market), ...[...exotics, ...multiRace].map((row) => row.code)])].sort();

/**
 * The first two results of each form: stage, protest, positions, kinds of dividend. Other results of the same form take
 * the same path into the store, which costs the server some 20 ms.
 */
function ofEachForm<T extends { readonly result: FeedResult }>(results: readonly T[]): readonly T[] {
  const forms = Map.groupBy(results, ({ result }) =>
    JSON.stringify([result.stage, result.protest, result.placings.map((placing) => placing.position), kindsOf(result)]),
  );
  return [...forms.values()].flatMap((form) => form.slice(0, 2));
}

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

describeRecorded('Entain affiliates', () => {
  test('the list of meetings: every race, at home and abroad, is stored as it was listed', async () => {
    const list = mapMeetings(read('entain-affiliates/List-of-meetings.json'))!.value;
    const { placed, refused } = placeAll(list);
    expect([list.length, refused.length]).toEqual([748, 0]);
    const changes = await createStores(db.pool).races.saveCard('ladbrokes_au', placed, AT);
    expect(changes.filter((change) => change.created)).toHaveLength(748);
    const { rows } = await db.pool.query(
      `SELECT b.source_race_id AS "sourceRaceId", r.category, r.venue, r.country, r.meeting_date AS "meetingDate",
              r.race_number AS "raceNumber", r.start_time AS "startTime", r.race_name AS "raceName", r.distance_m AS "distanceM",
              r.track_condition AS "trackCondition", r.weather
         FROM races r JOIN race_books b USING (race_id)`,
    );
    const byId = <T extends { sourceRaceId: string }>(items: readonly T[]) =>
      [...items].sort((a, b) => (a.sourceRaceId < b.sourceRaceId ? -1 : 1));
    const instants = list.map((race) => ({ ...race, startTime: new Date(race.startTime).toISOString() }));
    expect(byId(rows)).toEqual(byId(instants));
  });

  test('a whole race: runners, prices, placings and dividends are read back unchanged', async () => {
    const snapshot = mapEvent(
      read('entain-affiliates/Events-For-A-Specified-Race.json'),
      'https://book.example',
    )!.value;
    const stores = createStores(db.pool);
    const { placed } = placeAll([listedRace({ sourceRaceId: snapshot.sourceRaceId, startTime: snapshot.startTime! })]);
    const { raceId } = placed[0]!;
    await stores.races.saveCard('ladbrokes_au', placed, AT);
    const observedAt = new Date(Date.parse(snapshot.startTime!) + 600_000).toISOString();
    const poll = {
      raceId,
      bookmakerKey: 'ladbrokes_au',
      fence: { epoch: 0, attempt: 0 },
      observedAt,
      bookAt: null,
      snapshot,
    };
    expect(await stores.quotes.savePoll({ ...poll, marketStateSource: false, startSource: true })).toMatchObject({
      changed: 8,
    });
    const book = (await db.pool.query('SELECT * FROM race_books')).rows[0];
    const sorted = [...snapshot.runners].sort((a, b) => a.number - b.number);
    for (const leg of ['win', 'place', 'top2', 'top3', 'top4'] as const)
      expect(book[leg]).toEqual(sorted.map((runner) => runner[leg]));
    expect(book.tote).toEqual(Object.fromEntries(sorted.map((runner) => [runner.number, runner.toteWin])));
    const runners = await db.pool.query(
      `SELECT number, name, barrier, jockey, trainer, weight_kg AS "weightKg", form, runner_ref AS "runnerRef", emergency
         FROM race_runners ORDER BY number`,
    );
    expect(sorted).toMatchObject(runners.rows);

    const stored = await stores.results.saveResult({
      raceId,
      source: 'ladbrokes_au',
      result: snapshot.result!,
      at: observedAt,
    });
    expect(stored).toMatchObject({ status: 'interim', placingsKey: placingsKey(snapshot.result!.placings) });
    const result = (await db.pool.query('SELECT * FROM race_results')).rows[0];
    expect(result.placings).toHaveLength(8);
    for (const placing of result.placings) {
      const runner = sorted.find((each) => each.number === placing.number)!;
      expect(placing).toMatchObject({ name: runner.name, win_price: runner.win, place_price: runner.place });
    }
    const amounts = [...snapshot.result!.straight, ...snapshot.result!.exotics].map((row) => row.amount);
    expect([...result.dividends.straight, ...result.dividends.exotics].map((row) => row.amount).sort()).toEqual(
      amounts.sort(),
    );
  });
});

describeRecorded('TAB, six days of history', () => {
  test('every race is placed once; results in each form are stored with their placings, dead heats and abandonments', async () => {
    const history = mapHistory(read(TAB_HISTORY))!.value;
    const stores = createStores(db.pool);
    const { placed, refused } = placeAll(history.map((race) => race.listed));
    expect(placed.length + refused.length).toBe(1473);
    expect(new Set(placed.map((race) => race.raceId)).size).toBe(placed.length);
    await stores.races.saveCard('tab', placed, AT);
    const published = new Map(history.map((race) => [race.listed.sourceRaceId, race.result]));
    const results = placed.flatMap(({ raceId, listed }) => {
      const result = published.get(listed.sourceRaceId);
      return result ? [{ raceId, result }] : [];
    });
    const heats = results.filter(
      ({ result }) => new Set(result.placings.map((placing) => placing.position)).size < result.placings.length,
    );
    const spread = results.filter((_, i) => i % 5 === 0);
    const chosen = [...new Set([...ofEachForm(results), ...heats, ...spread])];
    await aFewAtOnce(chosen, async ({ raceId, result }) => {
      if (result.stage === 'abandoned') await stores.results.abandon(raceId, result.note ?? 'abandoned', 'tab', AT);
      else await stores.results.saveResult({ raceId, source: 'tab', result, at: AT });
    });
    const { rows } = await db.pool.query('SELECT race_id, status, placings, placings_key FROM race_results');
    const stored = new Map(rows.map((row) => [row.race_id, row]));
    expect(stored.size).toBe(chosen.length);
    for (const { raceId, result } of chosen) {
      const row = stored.get(raceId)!;
      expect(row.status).toBe(result.stage === 'abandoned' ? 'abandoned' : 'interim');
      expect(row.placings_key).toBe(placingsKey(result.placings));
      expect(row.placings).toHaveLength(result.placings.length);
    }
    expect(chosen.filter(({ result }) => result.stage === 'abandoned').length).toBeGreaterThan(0);
    const counts = { refused: refused.length, withoutResult: placed.length - results.length, heats: heats.length };
    expect(counts).toEqual({ refused: 0, withoutResult: 0, heats: 9 });
  });
});
