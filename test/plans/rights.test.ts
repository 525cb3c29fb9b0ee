// A 4, A 4.13 and D11: which plans may call what only some may, and the keys that keep an older right.
import { PLAN_IDS, PLANS } from '../../src/plans/plans';
import { mayUse, RIGHTS, type RightName } from '../../src/plans/rights';

const BEFORE = '2026-09-19T23:59:59.999Z';
const SINCE = '2026-09-20T00:00:00.000Z';
const holders = (name: RightName, issuedAt: string) =>
  PLANS.filter((plan) => mayUse(name, plan, issuedAt)).map(({ id }) => id);
const plusAndAbove = PLAN_IDS.slice(PLAN_IDS.indexOf('plus'));

test.each(['clv', 'scan'] as const)('%s is for Plus and above, whenever the key was issued', (name) => {
  expect(holders(name, SINCE)).toEqual(plusAndAbove);
  expect(holders(name, BEFORE)).toEqual(plusAndAbove);
});

test('every market is for Plus and above; a Standard key issued before 20 September 2026 keeps it, a Hobby key never had it', () => {
  expect(holders('markets', SINCE)).toEqual(plusAndAbove);
  expect(holders('markets', BEFORE)).toEqual(['standard', ...plusAndAbove]);
});

test('the instant itself is no longer before, however it is written', () => {
  const standard = PLANS.find(({ id }) => id === 'standard')!;
  expect(mayUse('markets', standard, '2026-09-20T09:59:59+10:00')).toBe(true);
  expect(mayUse('markets', standard, '2026-09-20T10:00:00+10:00')).toBe(false);
});

test('a refusal can name every right', () => {
  for (const { title } of Object.values(RIGHTS)) expect(title).toMatch(/^\S.*\S$/);
});
