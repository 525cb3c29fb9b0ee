// The workflow types that a worker runs. The sandbox contains only what these import.
import './pinned';

export { archivePast } from './archive/archive-past';
export { bulkFiles } from './archive/bulk-files';
export { collectHistory } from './archive/collect-history';
export { fillRuns } from './archive/fill-runs';
export { backfill } from './backfill/backfill';
export { backfillSweep } from './backfill/backfill-sweep';
export { auditCredits, auditQuality, checkBetslipLinks, measureUptime } from './checks';
export { closeCredits } from './close-credits';
export { collectResults } from './collect-results';
export { discoverMeetings, registryJoin, sweepRaces } from './discover-meetings';
export { exchangeStream } from './feeds/exchange-stream';
export { pollSports } from './feeds/poll-sports';
export { race } from './race';
export { collectPremierships } from './registry/collect-premierships';
export { readForm } from './registry/read-form';
export { registryGate, sweepGates } from './registry/registry-gate';
export { registryState } from './registry/registry-state';
export { webhookDelivery } from './webhooks/webhook-delivery';
export { webhookSweep } from './webhooks/webhook-sweep';
