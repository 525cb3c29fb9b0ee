// The last poll of each connector, and the measured uptime of the service.
import { Type } from '@sinclair/typebox';
import { aged, amount, count, instant, named, nullable, oneOf, text, yes } from '../../wire/vocabulary';

export const LastPoll = named('LastPoll', oneOf(['ok', 'error'], { description: 'Outcome of the last poll or push.' }));

export const ConnectorHealth = named(
  'ConnectorHealth',
  Type.Object({
    connector: text(),
    last_ok: nullable(instant('Last successful poll (UTC); null if there was none.')),
    last_poll: nullable(instant('Last poll (UTC); null if there was none.')),
    status: LastPoll,
    records_written: count('Number of records written since collection began; for a book, price changes.'),
    message: nullable(text('What went wrong; null if nothing did.')),
  }),
);

export const Uptime = named(
  'Uptime',
  Type.Object({
    uptime_30d_pct: nullable(amount('Checks that passed, in percent; null if nothing was measured.')),
    checks: count('Number of checks in the last 30 days.'),
    probe_target: text('Address that is probed.'),
    measures: text('What is measured, as a sentence.'),
    note: text('Where the measurement is taken.'),
    last_check: nullable(instant('Time of the newest check (UTC).')),
    last_status: nullable(oneOf(['ok', 'fail'])),
    monitor_stale: yes('Whether the newest check is older than 15 minutes or there is none.'),
    last_check_age_min: aged(nullable(amount('Age of the newest check, in minutes.'))),
    window_first_check: nullable(instant('Time of the first check in the window (UTC).')),
    window_span_days: aged(nullable(amount('Days from the first check of the window until now.'))),
    status: Type.Optional(oneOf(['no data yet'], { description: 'Present only if nothing was measured.' })),
  }),
);
