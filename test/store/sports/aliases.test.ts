// Names in the database: seeded, found by their shape in a push, and decided by an operator.
import { SEED } from '../../../src/domain/sports/identity/teams/seed';
import { sportOf } from '../../../src/domain/sports/sports';
import { SPORT_NAME_COMMANDS } from '../../../src/ops/sports/aliases';
import { createStores } from '../../../src/store/create-stores';
import { migrate, readMigrations } from '../../../src/store/pg/migrate';
import type { Wiring } from '../../../src/wiring/service';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { priced } from '../../support/sports/matches';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const START = '2026-11-21T09:00:00.000Z';
const at = (minute: number): string => new Date(Date.parse('2026-11-21T02:00:00.000Z') + minute * 60_000).toISOString();

const listed = (sportKey: string, homeTeam: string, awayTeam: string, commenceTime = START) => ({
  sport: sportOf(sportKey)!,
  sourceId: null,
  homeTeam,
  awayTeam,
  competition: null,
  commenceTime,
  markets: [{ market: 'h2h' as const, prices: priced('h2h', { home: 1.8, away: 2.1 }) }],
});
type Listed = ReturnType<typeof listed>;

/** A separate process, with its own cache. */
const processOf = () => {
  const { sportIngest } = createStores(db.pool);
  return (bookmakerKey: string, minute: number, events: readonly Listed[]) =>
    sportIngest.push({ bookmakerKey, observedAt: at(minute), events }, at(minute));
};
/** Books by match, of a sport. */
const matchesOf = async (sportKey: string): Promise<string[]> => {
  const { rows } = await db.pool.query(
    `SELECT string_agg(b.bookmaker_key, ' ' ORDER BY b.bookmaker_key) AS books FROM sport_events e JOIN sport_event_books b USING (event_id)
      WHERE e.sport_key = $1 AND b.taken_back_at IS NULL GROUP BY e.event_id ORDER BY 1`,
    [sportKey],
  );
  return rows.map(({ books }) => books);
};
const [aliases] = SPORT_NAME_COMMANDS;
const ops = (options: Record<string, string> = {}): Promise<string> => {
  const nowMs = (): number => Date.parse(at(30));
  return Promise.resolve(
    aliases!.run(
      { stores: createStores(db.pool), now: nowMs, wallMs: nowMs } as Wiring,
      { options, words: [] },
      () => undefined,
    ),
  );
};
const levelOf = async (): Promise<number> =>
  Number((await db.pool.query('SELECT level FROM sport_names_level')).rows[0].level);

test('every sport is seeded, once per version of the seed', async () => {
  const { rows } = await db.pool.query('SELECT sport_key, count(*)::int AS teams FROM sport_teams GROUP BY 1');
  expect(Object.fromEntries(rows.map((one) => [one.sport_key, one.teams]))).toEqual(
    Object.fromEntries(Object.entries(SEED).map(([sportKey, { teams }]) => [sportKey, teams.length])),
  );
  const before = await levelOf();
  expect((await migrate(db.pool)).applied).toEqual([]);
  expect(await levelOf()).toBe(before);
});

test('names join by their shape; a name beside another joins once its match is unique', async () => {
  const push = processOf();
  await push('tab', 1, [
    listed('tennis_atp', 'Owen Sarkady', 'Mats Lindqvern'),
    listed('mlb', 'NY Yankees', 'LA Angels'),
  ]);
  await push('neds', 1, [
    listed('tennis_atp', 'Sarkady O.', 'Lindqvern, M.'),
    listed('mlb', 'Yankees', 'Los Angeles Angels'),
  ]);
  await push('unibet', 1, [listed('tennis_atp', 'Otto Sarkady', 'Mats Lindqvern')]);
  expect(await matchesOf('tennis_atp')).toEqual(['neds tab', 'unibet']);
  expect(await matchesOf('mlb')).toEqual(['neds tab']);
  await push('neds', 2, [listed('tennis_atp', 'Sarkady O.', 'Lindqvern, M.', '2026-11-21T09:08:00.000Z')]);
  expect(await matchesOf('tennis_atp')).toEqual(['neds tab', 'unibet']);
});

describe('two names of one team', () => {
  const north = (name: string) => [listed('rugby_union', name, 'Bath')];

  test('are reported, join from the next push after they are accepted, in every process, and may be rejected again', async () => {
    const [one, other] = [processOf(), processOf()];
    await one('tab', 3, north('Quarrymen XV'));
    await other('neds', 3, north('Penwith Old Boys'));
    expect(await matchesOf('rugby_union')).toEqual(['neds', 'tab']);
    const lines = (await ops()).split('\n').filter((line) => line.includes('rugby_union'));
    expect(lines).toEqual([expect.stringMatching(/Penwith Old Boys +neds +Quarrymen XV +tab +1 /)]);
    const accept = lines[0]!.split(' ')[0]!;

    expect(await ops({ accept })).toMatch(/are one team from the next push on$/);
    const level = await levelOf();
    expect(await ops({ accept })).toMatch(/are one team, as before$/);
    expect(await levelOf()).toBe(level);
    await one('tab', 4, north('Quarrymen XV'));
    await other('neds', 4, north('Penwith Old Boys'));
    expect(await matchesOf('rugby_union')).toEqual(['neds tab']);
    expect(await ops()).not.toContain('rugby_union');

    expect(await ops({ reject: accept })).toMatch(/are two teams from the next push on$/);
    await one('tab', 5, north('Quarrymen XV'));
    await other('neds', 5, north('Penwith Old Boys'));
    expect(await matchesOf('rugby_union')).toEqual(['neds', 'tab']);
    expect(await ops()).not.toContain('rugby_union');
  });

  test('are not reported if the tables know both teams, one book lists both, or they are different sides of a club', async () => {
    const push = processOf();
    await push('tab', 6, [
      listed('afl', 'Geelong', 'Sydney'),
      listed('soccer_other', 'Vale A', 'Roston'),
      listed('soccer_other', 'Vale A', 'Marley'),
    ]);
    await push('neds', 6, [listed('afl', 'Geelong', 'Carlton'), listed('soccer_other', 'Vale A', 'Roston (W)')]);
    const report = await ops();
    expect(report).not.toContain('afl');
    expect(report).not.toMatch(/Roston.*Marley|Marley.*Roston|\(W\)/);
  });

  test('an unreported id is an error, and so are both options together', async () => {
    await expect(ops({ accept: 'none' })).rejects.toThrow('There is no report none');
    await expect(async () => ops({ accept: 'a', reject: 'b' })).rejects.toThrow('Give --accept or --reject');
  });

  test('names that an operator accepted survive a new seed', async () => {
    await db.pool.query(`INSERT INTO sport_spellings VALUES ('nrl', 'souths', 'sydney-roosters', 'operator')
                         ON CONFLICT (sport_key, spelling) DO UPDATE SET team_key = EXCLUDED.team_key, origin = EXCLUDED.origin`);
    await db.pool.query(`DELETE FROM schema_migrations WHERE name LIKE 'seeds/%'`);
    expect((await migrate(db.pool, readMigrations())).applied).toEqual(['seeds/sport_names']);
    await processOf()('tab', 7, [listed('nrl', 'Souths', 'Storm')]);
    const { rows } = await db.pool.query(`SELECT home_key FROM sport_events WHERE sport_key = 'nrl'`);
    expect(rows).toEqual([{ home_key: 'sydney-roosters' }]);
  });
});
