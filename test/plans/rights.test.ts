// A 4, A 4.13, A 5.3, A 8, B 4 and D11: which plans may call restricted features, and which keys keep an older right.
import fc from 'fast-check';
import { LIMITS, planWithMore } from '../../src/plans/limits';
import { PLAN_IDS, PLANS, type PlanId, planNamed } from '../../src/plans/plans';
import { accessTo, mayUse, plansWith, RIGHTS, type RightName } from '../../src/plans/rights';
import { runs } from '../support/property';

const BEFORE = '2026-09-19T23:59:59.999Z';
const SINCE = '2026-09-20T00:00:00.000Z';
const holders = (name: RightName, issuedAt: string) =>
  PLANS.filter((plan) => mayUse(name, plan, issuedAt)).map(({ id }) => id);
const andAbove = (id: PlanId): readonly PlanId[] => PLAN_IDS.slice(PLAN_IDS.indexOf(id));
const daysOf = (name: RightName, id: PlanId, issuedAt: string) => accessTo(name, planNamed(id)!, issuedAt)?.days;

test.each<[RightName, PlanId, source: string]>([
  ['clv', 'plus', 'A 4.13'],
  ['scan', 'plus', 'A 4.6'],
  ['backfill', 'plus', 'B 4.10'],
  ['webhooks', 'plus', 'D13'],
  ['sports_history', 'standard', 'A 4.13'],
  ['bulk_days', 'business', 'A 4.13'],
  ['bulk_months', 'platform', 'A 4.13'],
  ['widgets', 'platform', 'A 4.13'],
  ['team_keys', 'business', 'A 5.3'],
])('%s is for %s and above, whenever the key was issued (%s)', (name, least) => {
  expect(holders(name, SINCE)).toEqual(andAbove(least));
  expect(holders(name, BEFORE)).toEqual(andAbove(least));
});

test.each<RightName>(['markets', 'price_paths'])(
  '%s is for Plus and above; a Standard key issued before 20 September 2026 keeps it, a Hobby key never had it',
  (name) => {
    expect(holders(name, SINCE)).toEqual(andAbove('plus'));
    expect(holders(name, BEFORE)).toEqual(andAbove('standard'));
  },
);

test('stored names of plans that have a right, including older ones', () => {
  expect(plansWith('webhooks')).toEqual(['plus', 'business', 'platform', 'scale', 'enterprise', 'pro', 'growth']);
});

test('the archive is whole for Plus and above, and for Standard the last 90 days, unless its key is older (B 4.1)', () => {
  for (const id of andAbove('plus')) expect(daysOf('archive', id, SINCE)).toBeNull();
  expect([daysOf('archive', 'standard', SINCE), daysOf('archive', 'standard', BEFORE)]).toEqual([90, null]);
  for (const id of ['free', 'hobby'] as const) expect(daysOf('archive', id, BEFORE)).toBeUndefined();
});

test('the instant itself is no longer before, however it is written', () => {
  const standard = PLANS.find(({ id }) => id === 'standard')!;
  expect(mayUse('markets', standard, '2026-09-20T09:59:59+10:00')).toBe(true);
  expect(mayUse('markets', standard, '2026-09-20T10:00:00+10:00')).toBe(false);
});

test('a refusal can name every right', () => {
  for (const { title } of Object.values(RIGHTS)) expect(title).toMatch(/^\S.*\S$/);
});

const right = fc.constantFrom(...(Object.keys(RIGHTS) as RightName[]));
const plan = fc.constantFrom(...PLANS);
const issued = fc
  .date({ min: new Date('2026-08-01'), max: new Date('2026-12-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const reach = (name: RightName, one: (typeof PLANS)[number], at: string): number => {
  const access = accessTo(name, one, at);
  return access === null ? 0 : (access.days ?? Infinity);
};

test('a larger plan or an older key never has less', () => {
  fc.assert(
    fc.property(right, plan, plan, issued, issued, (name, one, other, at, later) => {
      const [small, large] = one.rank <= other.rank ? [one, other] : [other, one];
      const [older, newer] = at <= later ? [at, later] : [later, at];
      expect(reach(name, large, at)).toBeGreaterThanOrEqual(reach(name, small, at));
      expect(reach(name, one, older)).toBeGreaterThanOrEqual(reach(name, one, newer));
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  ['starter', 'standard'],
  ['pro', 'business'],
  ['growth', 'plus'],
] as const)('a legacy key of plan %s has what %s has, and cannot be bought (A 5.5)', (legacy, id) => {
  expect(planNamed(legacy)).toBe(planNamed(id));
  expect(PLAN_IDS).not.toContain(legacy);
});

test('team keys are 3 on Business, 5 on Platform, 10 on Scale, primary included; widgets are ten from Platform on (A 8)', () => {
  expect(PLAN_IDS.map((id) => LIMITS[id].keys)).toEqual([1, 1, 1, 1, 3, 5, 10, 10]);
  expect(PLAN_IDS.map((id) => LIMITS[id].widgets)).toEqual([0, 0, 0, 0, 0, 10, 10, 10]);
  for (const id of PLAN_IDS) expect(LIMITS[id].keys > 1).toBe(mayUse('team_keys', planNamed(id)!, SINCE));
});

test('streams are 1 on Standard, 2 on Plus, 5 on Business, 20 on Platform (D61)', () => {
  expect(PLAN_IDS.map((id) => LIMITS[id].streams)).toEqual([0, 0, 1, 2, 5, 20, 20, 20]);
});

test.each([
  ['business', 'platform'],
  ['platform', 'scale'],
  ['scale', undefined],
] as const)('the plan with more keys than %s is %s', (id, more) => {
  expect(planWithMore('keys', planNamed(id)!)?.id).toBe(more);
});
