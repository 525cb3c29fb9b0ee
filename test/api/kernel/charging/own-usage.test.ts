// An account's own reads: its use, its analytics and its key.
import { hashApiKey } from '../../../../src/store/keys/keys';
import { type Answer, keyRow, NOW, newKey } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { type Account, creditsOf, meteredApis } from './metered-apis';

const lab = meteredApis();
const { anAccount, get } = lab;

describe('an account’s own usage', () => {
  const spend = async (): Promise<{ account: Account; last: Answer }> => {
    const account = await anAccount();
    lab.wallMs = Date.parse('2026-10-31T23:00:00.000Z');
    await get(account.key);
    lab.wallMs = Date.parse(NOW);
    await get(account.key, '/v1/one');
    return { account, last: await get(account.key, '/v1/thing', 1) };
  };
  const own = async (key: string, path: string): Promise<Answer> => {
    const answer = await get(key, path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([...answer.headers.keys()].filter((name) => /^x-credits|^etag/.test(name))).toEqual([]);
    return answer;
  };

  test('equals the figures in the headers of its last charge', async () => {
    const { account, last } = await spend();
    const { body } = await own(account.key, '/v1/usage');
    expectConforms('usage', body);
    expect(creditsOf(last)).toEqual(['3', '4', '3000', '2996', '0.1']);
    expect(body).toMatchObject({
      plan: 'free',
      credits_used: 4,
      credits_limit: 3000,
      credits_remaining: 2996,
      warning: null,
      upgrade: null,
      period_start: '2026-11-01T00:00:00.000Z',
      reset_at: '2026-12-01T00:00:00.000Z',
      burn_rate_per_day: 0.2,
      projected_month_end_credits: 6,
      all_time: { calls: 3, credits: 7, endpoints: 2 },
      usage_by_endpoint: [
        { endpoint: '/v1/thing', calls: 2, credits: 6 },
        { endpoint: '/v1/one', calls: 1, credits: 1 },
      ],
      usage_by_endpoint_period: [
        { endpoint: '/v1/thing', calls: 1, credits: 3 },
        { endpoint: '/v1/one', calls: 1, credits: 1 },
      ],
      plans: { free: { credits_per_month: 3000, price_aud: 0 }, enterprise: { price_aud: null } },
    });
    expect(body.recent_activity).toHaveLength(3);
    expect(body.recent_activity.at(-1)).toEqual({ endpoint: '/v1/thing', credits: 3, ts: '2026-10-31T23:00:00.000Z' });
    expect(body.recent_activity_period).toHaveLength(2);
  });

  test('near the limit has the upgrade and the day on which the credits run out', async () => {
    const { key } = await anAccount('free', 2900);
    const { body } = await own(key, '/v1/usage');
    expect(body).toMatchObject({
      warning: 'approaching-limit',
      projected_exhaustion_date: '2026-11-21',
      upgrade: { recommended_plan: 'hobby', covers_projected_need: true, credits_per_month: 7500, checkout: null },
    });
    expectConforms('usage', body);
  });

  test('is summed by operation over the last days or the month', async () => {
    const { account } = await spend();
    const of = async (query: string) => (await own(account.key, `/v1/usage/analytics?${query}`)).body;
    const month = await of('period=billing');
    const days = await of('');
    const today = await of('days=1');
    for (const body of [month, days, today]) {
      expectConforms('usage_analytics', body);
      expect(body).toMatchObject({ credits_used_this_period: 4, credits_limit: 3000, credits_remaining: 2996 });
    }
    expect(month).toMatchObject({ period_start: '2026-11-01T00:00:00.000Z', total_calls: 2, total_credits: 4 });
    expect(days).toMatchObject({ period_start: '2026-10-23T00:00:00.000Z', period_days: 30, total_credits: 7 });
    expect(today).toMatchObject({ period_start: '2026-11-21T00:00:00.000Z', period_end: NOW, total_credits: 4 });
  });

  test('shows the key’s metadata without the key, the use of the whole account and the key’s last use', async () => {
    const { account } = await spend();
    const second = newKey();
    await lab.stores.keys.insert(hashApiKey(second), keyRow(second), account.accountId);
    const first = await own(account.key, '/v1/keys/info');
    const other = await own(second, '/v1/keys/info');
    for (const { body } of [first, other]) expectConforms('key_info', body);
    expect(first.body).toMatchObject({ org_id: account.accountId, credits_used: 4, last_used_at: NOW });
    expect(other.body).toMatchObject({ org_id: account.accountId, credits_used: 4, last_used_at: null });
    expect(first.text).not.toContain(account.key);
    expect(first.body.key_hint).toBe(`pe_live_…${account.key.slice(-4)}`);
  });

  test('states for an internal key that it is not limited (D38)', async () => {
    const key = newKey();
    await lab.stores.keys.insert(hashApiKey(key), keyRow(key, { role: 'internal' }));
    const { body } = await own(key, '/v1/usage');
    expectConforms('usage', body);
    expect(body).toMatchObject({ credits_used: 0, credits_limit: null, credits_remaining: null });
  });
});
