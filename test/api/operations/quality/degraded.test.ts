import { degradedOf, type QualityState } from '../../../../src/api/operations/quality/degraded';
import { AUDITED_SPORTS } from '../../../../src/domain/quality/audit';
import type { AuditRow } from '../../../../src/store/reads/quality/audits';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const MINUTE = 60_000;
const audit = (sport_key: string, minutesAgo: number, status: AuditRow['status'] = 'ok') =>
  ({ sport_key, status, cross_checks: 0, started_at: new Date(NOW - minutesAgo * MINUTE).toISOString() }) as AuditRow;
const connector = (name: string, status: string, last_poll: string | null = '2026-11-21T02:59:50.000Z') =>
  ({ connector: name, status, last_poll }) as const;
const FINE: QualityState = {
  connectors: [connector('tab', 'ok'), connector('neds', 'idle')],
  markets: { ok: 2655, warn: 31, stale: 0 },
  books: [],
  sports: { ok: 900, warn: 99, stale: 111 },
  audits: AUDITED_SPORTS.map((sport) => audit(sport, 12)),
};
const because = (over: Partial<QualityState>, speed = 1) => degradedOf({ ...FINE, ...over }, NOW, speed).because;

test('without a fault there is no reason', () => {
  expect(because({})).toEqual([]);
  expect(because({ markets: { ok: 0, warn: 0, stale: 0 } })).toEqual([]);
});

test('one stale market of a hundred is not a reason, more are', () => {
  expect(because({ markets: { ok: 98, warn: 1, stale: 1 } })).toEqual([]);
  expect(because({ markets: { ok: 97, warn: 1, stale: 1 } })).toEqual(['market_stale']);
});

test('one stale sports market of ten is not a reason, more or all are', () => {
  const over = (ok: number, stale: number) => because({ sports: { ok, warn: 0, stale } });
  expect([over(9, 1), over(8, 1), over(0, 3), over(0, 0)]).toEqual([
    [],
    ['sport_market_stale'],
    ['sport_market_stale'],
    [],
  ]);
});

test('audits that have stopped are missing, whatever the last ones found; on a faster clock a run takes longer', () => {
  const since = (minutes: number) => [...FINE.audits.slice(1), audit(AUDITED_SPORTS[0]!, minutes)];
  expect(because({ audits: since(30) })).toEqual([]);
  expect(because({ audits: since(31) })).toEqual(['audit_missing']);
  expect(because({ audits: FINE.audits.slice(1) })).toEqual(['audit_missing']);
  expect(because({ audits: since(160) }, 10)).toEqual([]);
  expect(because({ audits: since(166) }, 10)).toEqual(['audit_missing']);
});

test('every reason is given, in one order', () => {
  const audits = [
    audit(AUDITED_SPORTS[0]!, 5, 'failed'),
    { ...audit(AUDITED_SPORTS[1]!, 5, 'differs'), cross_checks: 2 },
  ];
  const sports = { ok: 0, warn: 0, stale: 7 };
  expect(
    because({ audits, sports, connectors: [connector('tab', 'error')], markets: { ok: 0, warn: 0, stale: 3 } }),
  ).toEqual([
    'connector_failed',
    'market_stale',
    'sport_market_stale',
    'audit_differs',
    'audit_cross_check',
    'audit_failed',
    'audit_missing',
  ]);
});

test('the reasons name the bookmakers, markets and sports concerned', () => {
  const [first, ...others] = AUDITED_SPORTS;
  const { details } = degradedOf(
    {
      connectors: [connector('tab', 'error'), connector('playup', 'error', null), connector('neds', 'ok')],
      markets: { ok: 3, warn: 0, stale: 4 },
      books: [
        { bookmaker: 'tab', stale: 1, markets: 2 },
        { bookmaker: 'neds', stale: 0, markets: 2 },
        { bookmaker: 'unibet', stale: 3, markets: 3 },
      ],
      sports: { ok: 0, warn: 0, stale: 0 },
      audits: [audit(first!, 12)],
    },
    NOW,
    1,
  );
  expect(details).toEqual({
    connectors_failed: ['tab'],
    connectors_silent: ['playup'],
    stale_markets: [
      { bookmaker: 'unibet', stale: 3, markets: 3 },
      { bookmaker: 'tab', stale: 1, markets: 2 },
    ],
    sports_without_audit: others,
  });
});
