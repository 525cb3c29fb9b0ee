// POST /v1/data-quality/audit/run (A 4.13, D14; shapes 3.8). Operators only.

import type { RaceClock } from '../../../domain/time/clock';
import { ExpectedRefusal } from '../../../errors';
import type { AuditRow } from '../../../store/reads/quality/audits';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { choice } from '../../wire/parameters';
import { AuditedSportKey } from '../../wire/vocabulary';
import type { AuditRunner } from './audit-runner';
import { exampleRun, MarketType, OrderedRun } from './audit-schema';
import { failedBefore, presentOrderedAudit } from './present-audit';

/** Wall. */
const WITHIN_MS = 25_000;

const { id: run_id, ...rest } = exampleRun;

const away = (detail: string) => new ExpectedRefusal('unavailable', detail, { retry_after_seconds: 10 });

/** A run whose workflow failed never ends, unless it had ended before. */
const asFailed = (run: AuditRow): AuditRow => (run.status === 'running' ? { ...run, status: 'failed' } : run);

export const runAudit = endpoint<{ auditRunner: AuditRunner; clock: RaceClock; reads: Reads }>()({
  method: 'post',
  path: '/v1/data-quality/audit/run',
  operationId: 'run_audit',
  tag: 'Data Quality',
  summary: 'Audit a sport now',
  description:
    'Starts an audit and waits up to 25 seconds for its end. A run that takes longer is returned with `status` `running` and null figures; read it ' +
    'later in `GET /v1/data-quality/audit/latest`. While an audit of the sport that was ordered here is under way, the response is that run: ' +
    'repeating a request starts no second one.',
  auth: 'internal',
  cost: flat(0),
  query: {
    sport_key: {
      ...choice(AuditedSportKey, { 'x-fold': 'lower', description: 'Sport to audit.' }),
      default: 'racing_horse',
    },
    market: {
      ...choice(MarketType, { 'x-fold': 'lower', description: 'Accepted and not used: every market is audited.' }),
      default: 'win',
    },
  },
  errors: ['unavailable'],
  ok: { description: 'The run.', schema: OrderedRun, example: { run_id, ...rest } },
  async handler({ query: { sport_key }, nowMs, services: { auditRunner, reads, clock } }) {
    const ordered = await auditRunner.run(sport_key, WITHIN_MS);
    if (ordered === null) throw away('The audit could not be ordered. Try again.');
    const run = await reads.audit(ordered.runId, failedBefore(nowMs, clock.speed));
    if (run) return { body: presentOrderedAudit(ordered.failed ? asFailed(run) : run) };
    if (ordered.failed) throw away('The audit failed before it began. Try again.');
    throw away('No worker has begun this audit. Its run starts when one is free.');
  },
});
