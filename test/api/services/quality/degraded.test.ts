import { degradedBecause, type QualityState } from '../../../../src/api/services/quality/degraded';
import { RACING_SPORTS } from '../../../../src/domain/race/sport';
import type { AuditRow } from '../../../../src/store/reads/quality/audits';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const MINUTE = 60_000;
const audit = (sport_key: string, minutesAgo: number, status: AuditRow['status'] = 'ok') =>
  ({ sport_key, status, started_at: new Date(NOW - minutesAgo * MINUTE).toISOString() }) as AuditRow;
const FINE: QualityState = {
  connectors: [{ status: 'ok' }, { status: 'idle' }],
  markets: { ok: 2655, warn: 31, stale: 0 },
  audits: RACING_SPORTS.map((sport) => audit(sport, 12)),
};
const because = (over: Partial<QualityState>, speed = 1) => degradedBecause({ ...FINE, ...over }, NOW, speed);

test('nothing is wrong', () => {
  expect(because({})).toEqual([]);
  expect(because({ markets: { ok: 0, warn: 0, stale: 0 } })).toEqual([]);
});

test('one stale market of a hundred is no reason, more are', () => {
  expect(because({ markets: { ok: 98, warn: 1, stale: 1 } })).toEqual([]);
  expect(because({ markets: { ok: 97, warn: 1, stale: 1 } })).toEqual(['market_stale']);
});

test('audits that have stopped are missing, whatever the last ones found; on a faster clock a run takes longer', () => {
  const since = (minutes: number) => [...FINE.audits.slice(1), audit(RACING_SPORTS[0]!, minutes)];
  expect(because({ audits: since(30) })).toEqual([]);
  expect(because({ audits: since(31) })).toEqual(['audit_missing']);
  expect(because({ audits: FINE.audits.slice(1) })).toEqual(['audit_missing']);
  expect(because({ audits: since(160) }, 10)).toEqual([]);
  expect(because({ audits: since(166) }, 10)).toEqual(['audit_missing']);
});

test('every reason is given, in one order', () => {
  const audits = [audit(RACING_SPORTS[0]!, 5, 'failed'), audit(RACING_SPORTS[1]!, 5, 'differs')];
  expect(because({ audits, connectors: [{ status: 'error' }], markets: { ok: 0, warn: 0, stale: 3 } })).toEqual([
    'connector_failed',
    'market_stale',
    'audit_differs',
    'audit_failed',
    'audit_missing',
  ]);
});
