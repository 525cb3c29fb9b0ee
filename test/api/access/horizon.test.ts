import { HORIZON, hoursUsed } from '../../../src/api/access/horizon';
import { windowOf } from '../../../src/api/board-window';
import { aetDayBounds } from '../../../src/domain/time/aet';
import { PLANS, planNamed } from '../../../src/plans/plans';
import { keyRow } from '../../support/api/api';

const now = Date.parse('2026-11-21T03:00:00.000Z'); // 14:00 in Sydney

function check(plan: string, query: { hours_ahead: number; date?: string }) {
  const headers: Record<string, string> = {};
  const caller = { ...keyRow('x'), plan: planNamed(plan)! };
  const run = () =>
    HORIZON.check({ caller, query, nowMs: now, setHeader: (name, value) => Object.assign(headers, { [name]: value }) });
  return { headers, run };
}

test.each([
  ['free', 24],
  ['hobby', 24],
  ['standard', 48],
  ['plus', 168],
  ['scale', 168],
])('%s looks %i hours ahead and no further', (plan, hours) => {
  const within = check(plan, { hours_ahead: hours });
  within.run();
  expect(within.headers).toEqual({ 'X-Horizon-Hours': String(hours), 'X-Horizon-Used-Hours': String(hours) });
  if (hours < 168) expect(check(plan, { hours_ahead: hours + 1 }).run).toThrow(/plan looks \d+ hours ahead/);
});

test('a refusal names the plan that reaches far enough, and still reports the horizon', () => {
  const { run, headers } = check('free', { hours_ahead: 72 });
  expect(run).toThrow(expect.objectContaining({ code: 'horizon_exceeded', extensions: { required_plan: 'plus' } }));
  expect(run).toThrow('The Free plan looks 24 hours ahead; 72 hours need the Plus plan or above.');
  expect(headers['X-Horizon-Used-Hours']).toBe('72');
});

test('a date counts to the end of its day in Sydney', () => {
  expect(hoursUsed({ hours_ahead: 4, date: '2026-11-21' }, now)).toBe(10);
  expect(hoursUsed({ hours_ahead: 4, date: '2026-11-22' }, now)).toBe(34);
  expect(check('free', { hours_ahead: 4, date: '2026-11-21' }).run).not.toThrow();
  expect(check('free', { hours_ahead: 4, date: '2026-11-22' }).run).toThrow(expect.objectContaining({ status: 403 }));
  expect(check('standard', { hours_ahead: 4, date: '2026-11-22' }).run).not.toThrow();
});

test('today counts 24 hours at most, also on the day when clocks go back', () => {
  const midnight = Date.parse('2026-04-04T13:00:00.000Z'); // 25 hours before the end of 5 April
  expect(hoursUsed({ hours_ahead: 4, date: '2026-04-05' }, midnight)).toBe(24);
});

test('no day reaches past the ceiling of a plan that it is open to', () => {
  const midnight = Date.parse('2026-11-20T13:05:00.000Z'); // 00:05 in Sydney
  for (const date of ['2026-11-21', '2026-11-22', '2026-11-25', '2026-11-27']) {
    const query = { hours_ahead: 4, date };
    const ceiling = PLANS.map(({ horizonHours }) => horizonHours).filter(
      (hours) => hours >= hoursUsed(query, midnight),
    )[0]!;
    const { until } = windowOf(query, midnight);
    expect(Date.parse(until)).toBeLessThanOrEqual(midnight + ceiling * 3_600_000);
    expect(Date.parse(until)).toBeGreaterThanOrEqual(
      Math.min(aetDayBounds(date).endMs, midnight + ceiling * 3_600_000),
    );
  }
  // Later in the day the foreign races of its evening come into view.
  expect(windowOf({ hours_ahead: 4, date: '2026-11-21' }, now).until).toBe('2026-11-22T03:00:00.000Z');
});

test('the window includes races that start late', () => {
  expect(windowOf({ hours_ahead: 4 }, now)).toEqual({
    from: '2026-11-21T01:50:00.000Z',
    until: '2026-11-21T07:00:00.000Z',
  });
  expect(windowOf({ hours_ahead: 4, date: '2026-11-22' }, now)).toMatchObject({ day: '2026-11-22' });
});
