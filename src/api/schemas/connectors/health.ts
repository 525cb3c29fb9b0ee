// How the collectors are, and how often the service answered its probe.
import { Type } from '@sinclair/typebox';
import { amount, count, instant, named, nullable, oneOf, text, yes } from '../vocabulary';

export const ConnectorHealth = named(
  'ConnectorHealth',
  Type.Object({
    connector: text(),
    last_ok: nullable(instant('Last poll that was answered.')),
    last_poll: nullable(instant('Last poll.')),
    status: oneOf(['ok', 'error'], { description: 'Outcome of the last poll.' }),
    records_written: count(),
    message: nullable(text('What went wrong; null when nothing did.')),
  }),
);

export const Uptime = named(
  'Uptime',
  Type.Object({
    uptime_30d_pct: nullable(amount('Checks that passed, in percent; null when nothing was measured.')),
    checks: count('Checks of the trailing 30 days.'),
    probe_target: text(),
    measures: text(),
    note: text(),
    last_check: nullable(instant()),
    last_status: nullable(oneOf(['ok', 'fail'])),
    monitor_stale: yes('The newest check is older than 15 minutes, or there is none.'),
    last_check_age_min: nullable(amount()),
    window_first_check: nullable(instant()),
    window_span_days: nullable(amount('From the first check of the window until now.')),
    status: Type.Optional(oneOf(['no data yet'], { description: 'Only when nothing was measured.' })),
  }),
);
