import { horizonWindow } from '../../../../src/api/kernel/endpoint/board-window';
import { HORIZON, hoursUsed } from '../../../../src/api/kernel/endpoint/horizon';
import { planNamed } from '../../../../src/plans/plans';
import type { BoardQuery } from '../../../../src/store/reads/races/board';
import type { EventsQuery } from '../../../../src/store/reads/races/events';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, storedKey } from '../../../support/api/api';
import { boardRace } from '../../../support/races/board-race';

const now = Date.parse('2026-11-21T03:00:00.000Z'); // 14:00 in Sydney
const HOUR_MS = 3_600_000;
const baseUrl = 'https://api.example.com';

function check(plan: string, query: { hours_ahead: number; date?: string }) {
  const headers: Record<string, string> = {};
  const caller = { ...storedKey('x'), keyHash: Buffer.alloc(32), plan: planNamed(plan)! };
  const run = () =>
    HORIZON.check({
      ...({ caller, query, nowMs: now, baseUrl } as never as Parameters<typeof HORIZON.check>[0]),
      setHeader: (name, value) => Object.assign(headers, { [name]: value }),
    });
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
  const extensions = { required_plan: 'plus', upgrade_url: 'https://api.example.com/account' };
  expect(run).toThrow(expect.objectContaining({ code: 'horizon_exceeded', extensions }));
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

test('a day reaches as far as the plan does, at any time of the day (A 4.1)', () => {
  const midnight = Date.parse('2026-11-20T13:05:00.000Z'); // 00:05 in Sydney
  const reached = (hours: number, nowMs: number, date: string) =>
    (Date.parse(horizonWindow({ hours_ahead: 4, date }, nowMs, hours).until) - nowMs) / HOUR_MS;
  for (const horizon of [24, 48, 168]) {
    expect(reached(horizon, midnight, '2026-11-21')).toBe(horizon);
    // The length is the same all day, so that rows cached for an outage are found under it.
    expect(reached(horizon, midnight + 9 * HOUR_MS, '2026-11-21')).toBe(horizon);
  }
  expect(reached(168, midnight, '2026-11-25')).toBe(168);
});

test('the window includes races with a delayed start', () => {
  expect(horizonWindow({ hours_ahead: 4 }, now, 24)).toEqual({
    at: '2026-11-21T03:00:00.000Z',
    from: '2026-11-21T02:40:00.000Z',
    until: '2026-11-21T07:00:00.000Z',
  });
  expect(horizonWindow({ hours_ahead: 4, date: '2026-11-22' }, now, 48)).toMatchObject({ day: '2026-11-22' });
});

describe('just after midnight in Sydney', () => {
  const midnight = Date.parse('2026-11-20T13:05:00.000Z');
  const keys = memoryKeys();
  const PLANS = ['free', 'standard', 'plus'].map((plan) => [plan, keys.add({ plan })] as const);
  /** By its hours ahead; foreign races of a day start after its end. */
  const races = [10, 30, 50].map((hours) => ({
    ...boardRace({ startMs: midnight + hours * HOUR_MS, race_id: `${hours}` }),
    scratched: [],
  }));
  const within = async ({ until }: EventsQuery | BoardQuery) => races.filter((race) => race.start_time < until);
  const reads = { events: within, board: within, betslipIds: async () => [] } as unknown as Reads;

  test.each([
    ['events', false],
    ['next-to-go', false],
    ['best-odds', false],
    ['events', true],
    ['next-to-go', true],
    ['best-odds', true],
  ])('%s shows each plan the races within its own horizon, whoever asks first', async (operation, reversed) => {
    const api = await startApi({ reads, keys, responsesCachedMs: 60_000 });
    api.now = midnight;
    try {
      const seen = new Map<string, string[]>();
      for (const [plan, key] of reversed ? PLANS.toReversed() : PLANS) {
        const { body } = await api.get(`/v1/racing/${operation}?date=2026-11-21`, key);
        seen.set(
          plan,
          body.map((race: { race_id: string }) => race.race_id),
        );
      }
      expect(seen.get('free')).toEqual(['10']);
      expect(seen.get('standard')).toEqual(['10', '30']);
      expect(seen.get('plus')).toEqual(['10', '30', '50']);
    } finally {
      await api.close();
    }
  });
});
