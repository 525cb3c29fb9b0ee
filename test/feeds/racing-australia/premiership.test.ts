// Premierships (B 2.8): the table as the site prints it, and the simulated tables compared with the races that they
// total.
import type { PremiershipTable } from '../../../src/domain/registry/premiership';
import { addDays } from '../../../src/domain/time/aet';
import { PATHS } from '../../../src/feeds/racing-australia/address';
import { mapPremiership } from '../../../src/feeds/racing-australia/premiership';
import { personCodeOf, stateOf } from '../../../src/simulator/registry/meetings';
import { officialField } from '../../../src/simulator/registry/official-field';
import { publicationOf } from '../../../src/simulator/registry/publication';
import { racingAustralia } from '../../../src/simulator/registry/racing-australia';
import { createWorld, racesOf } from '../../../src/simulator/world/world';
import { until } from '../../support/races/stream-lab';

const TABLE: PremiershipTable = { role: 'jockey', state: 'AUS', scope: 'all', seasonStartYear: 2026 };

test('reads columns by name, and keeps the first twenty', () => {
  const person = (name: string): string => `<a href="JockeyLastRuns.aspx?jockeycode=MTIz">${name}</a>`;
  const rows = Array.from(
    { length: 25 },
    (_, i) =>
      `<tr><td>${1234 - i}</td><td>${person(`Rider ${i}`)}</td><td>1</td><td>$1,234,567</td><td>12.5%</td><td>2</td><td>3</td><td>4</td><td>0</td></tr>`,
  );
  const html = `<div class="premiership-period">Period: 01-Aug-2026 to 21-Nov-2026</div><table><tr><th>Starts</th><th>Jockey</th><th>1st</th><th>Prize Money</th><th>Strike Rate</th><th>2nd</th><th>3rd</th><th>4th</th><th>5th</th></tr>${rows.join('')}</table>`;
  const { value } = mapPremiership(html, TABLE)!;
  expect([value.periodFrom, value.periodTo, value.rows.length]).toEqual(['2026-08-01', '2026-11-21', 20]);
  expect(value.rows[1]).toEqual({
    rank: 2,
    name: 'Rider 1',
    code: '123',
    firsts: 1,
    seconds: 2,
    thirds: 3,
    fourths: 4,
    fifths: 0,
    prizeMoney: 1_234_567,
    strikeRate: 12.5,
    starts: 1233,
  });
  expect(mapPremiership(html, { ...TABLE, role: 'trainer' })).toBeNull();
  expect(mapPremiership('<title>Just a moment...</title>', TABLE)).toBeNull();
});

describe('simulated tables', () => {
  const world = createWorld({ seed: 'season', intervalMinutes: 15 });
  const nowMs = Date.parse('2026-09-09T03:00:00Z');
  const site = racingAustralia(world);
  const read = (table: Partial<PremiershipTable>) => {
    const wanted = { ...TABLE, ...table };
    const [path = '', query] = PATHS.premiership(wanted).split('?');
    const rest = { method: 'GET', body: '', url: '', baseUrl: '', header: () => '' } as const;
    const { status, body } = site({ ...rest, path, query: new URLSearchParams(query), nowMs });
    return status === 200 ? mapPremiership(body, wanted)?.value : undefined;
  };
  beforeAll(() => until(() => read({}) !== undefined));

  const runs = (state: string | null, name: string): { position: number | null }[] => {
    const days = Array.from({ length: 40 }, (_, i) => addDays('2026-08-01', i));
    return days.flatMap((day) =>
      racesOf(world, day)
        .filter((race) => stateOf(race.meeting) && (state ?? race.meeting.track.state) === race.meeting.track.state)
        .filter((race) => publicationOf(race, nowMs) === 'final')
        .flatMap((race) => officialField(race, nowMs).filter((one) => one.status === 'ran' && one.jockey === name)),
    );
  };

  test('are the wins and starts of the world', () => {
    for (const state of ['AUS', 'VIC'] as const) {
      const { rows, periodFrom, periodTo } = read({ state })!;
      expect([periodFrom, periodTo, rows.length]).toEqual(['2026-08-01', '2026-09-09', 20]);
      const [leader] = rows;
      const own = runs(state === 'AUS' ? null : state, leader!.name);
      const at = (place: number): number => own.filter(({ position }) => position === place).length;
      expect([leader!.starts, leader!.firsts, leader!.fifths, leader!.code]).toEqual([
        own.length,
        at(1),
        at(5),
        String(personCodeOf(leader!.name)),
      ]);
      const wins = rows.map(({ firsts }) => firsts!);
      expect(wins).toEqual([...wins].sort((a, b) => b - a));
    }
  });

  test('last season is another table, whose total is the sum of its parts; earlier ones do not exist; picnics are empty', () => {
    const before = read({ seasonStartYear: 2025, state: 'NSW' })!;
    expect([before.periodTo, before.rows.length]).toEqual(['2026-07-31', 20]);
    const parts = (['metro', 'provincial', 'country'] as const).map(
      (scope) =>
        new Map(read({ seasonStartYear: 2025, state: 'NSW', scope })!.rows.map(({ name, firsts }) => [name, firsts!])),
    );
    const listed = before.rows.filter(({ name }) => parts.every((part) => part.has(name)));
    expect(listed.length).toBeGreaterThan(0);
    for (const { name, firsts } of listed) expect(parts.reduce((sum, part) => sum + part.get(name)!, 0)).toBe(firsts);
    expect(read({ seasonStartYear: 2024 })).toBeUndefined();
    expect(read({ scope: 'picnic' })!.rows).toEqual([]);
  });
});
