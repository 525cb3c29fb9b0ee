// The workflows that end on the build on which they started: short work that is started again and again, so that its
// code may change without a patch. All others, above all the races, change over to a promoted build with their next
// task (decision 0015).
import type { WorkflowDefinitionOptions } from '@temporalio/common';
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { archivePast } from './archive/archive-past';
import { bulkFiles } from './archive/bulk-files';
import { collectHistory } from './archive/collect-history';
import { fillRuns } from './archive/fill-runs';
import { backfillSweep } from './backfill/backfill-sweep';
import { auditCredits, auditQuality, checkBetslipLinks, measureUptime } from './checks';
import { closeCredits } from './close-credits';
import { collectResults } from './collect-results';
import { discoverMeetings, registryJoin, sweepRaces } from './discover-meetings';
import { collectPremierships } from './registry/collect-premierships';
import { readForm } from './registry/read-form';
import { sweepGates } from './registry/registry-gate';
import { registryState } from './registry/registry-state';
import { webhookSweep } from './webhooks/webhook-sweep';

const PINNED: readonly ((...args: never[]) => Promise<unknown>)[] = [
  archivePast,
  auditCredits,
  auditQuality,
  backfillSweep,
  bulkFiles,
  checkBetslipLinks,
  closeCredits,
  collectHistory,
  collectPremierships,
  collectResults,
  discoverMeetings,
  fillRuns,
  measureUptime,
  readForm,
  registryJoin,
  registryState,
  sweepGates,
  sweepRaces,
  webhookSweep,
];

/** A worker without a build has no deployment, and the server refuses its results if they name a behaviour. */
const ofBuild = (): WorkflowDefinitionOptions =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {};

for (const workflow of PINNED) setWorkflowOptions(ofBuild, workflow);
