// On which server a read runs while the replica is used, and that no answer joins the two.
import type { Pool } from 'pg';
import type { PagePlan } from '../../../../src/store/reads/archive/pages/page-plan';
import type { Reads } from '../../../../src/store/reads/reads';
import { withReplica } from '../../../../src/store/reads/reads-of-the-past';

const NOW = Date.parse('2026-11-30T02:00:00Z');
const LONG_AGO = '2026-11-20T00:00:00Z';
const TODAY = '2026-11-30T00:00:00Z';
const PAGE = { limit: 1, offset: 0 };
const RACES = { categories: ['horse'] } as const;
const RACE = { raceId: 'r1' };

const NAMES = [
  ...['premierships', 'sportHistory', 'results', 'sportCoverage', 'competitions', 'directory', 'rides', 'starts'],
  ...['closingLines', 'days', 'pastRaces', 'coverage', 'priceHistory', 'racesToReplay', 'streamClosingLines'],
];

/** Each of its reads answers with the name of its server; a plan is an object. */
function readsOf(server: string): Reads {
  const members = {
    ...Object.fromEntries(NAMES.map((name) => [name, () => server])),
    planPage: async () => ({ server }),
  };
  return { ...members, archive: members, people: members, search: members } as unknown as Reads;
}

function routed(usesReplica = () => true): Reads {
  const streams = { replica: {} as Pool, primary: {} as Pool };
  return withReplica(readsOf('primary'), {
    read: (onReplica, onPrimary) => (usesReplica() ? onReplica() : onPrimary()),
    ...{ reads: readsOf('replica'), streams, now: () => NOW },
  });
}

type Served = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;
const day = (until: string) => ({ day: until.slice(0, 10), since: until, until });

test.each([
  ['premierships', [{}], 'replica'],
  ['people.directory', [{}], 'replica'],
  ['people.rides', [{}], 'primary'],
  ['search.starts', [{}], 'primary'],
  ['results', [{ day: '2026-11-20' }], 'primary'],
  ['sportCoverage', [LONG_AGO], 'primary'],
  ['competitions', ['soccer_epl'], 'primary'],
  ['sportHistory', [{ until: LONG_AGO }], 'replica'],
  ['sportHistory', [{ until: TODAY }], 'primary'],
  ['archive.closingLines', [RACES, PAGE], 'replica'],
  ['archive.closingLines', [RACE, PAGE], 'primary'],
  ['archive.days', [[day(LONG_AGO)]], 'replica'],
  ['archive.days', [[day(LONG_AGO), day(TODAY)]], 'primary'],
  ['archive.pastRaces', [LONG_AGO, LONG_AGO], 'replica'],
  ['archive.pastRaces', [TODAY, TODAY], 'primary'],
  ['archive.coverage', [], 'primary'],
  ['archive.priceHistory', ['r1', [], null], 'primary'],
  ['archive.racesToReplay', [[], null], 'primary'],
])('%s of %j', async (path, values, server) => {
  const [name, part] = path.split('.').reverse() as [string, string?];
  const reads = routed() as unknown as Served & Record<string, Served>;
  expect(await (part ? reads[part]! : reads)[name]!(...values)).toBe(server);
});

test('a file is read on the primary unless its plan was on the replica', async () => {
  let usesReplica = false;
  const { archive } = routed(() => usesReplica);
  const plan = () => archive.planPage('line', RACES, PAGE);
  const streamOf = (begin?: PagePlan): unknown => archive.streamClosingLines(RACES, 1, begin);
  const ofPrimary = await plan();
  usesReplica = true;
  expect(streamOf(ofPrimary)).toBe('primary');
  expect(streamOf()).toBe('primary');
  expect(streamOf(await archive.planPage('line', RACE, PAGE))).toBe('primary');
  expect(streamOf(await plan())).not.toBe('primary');
});
