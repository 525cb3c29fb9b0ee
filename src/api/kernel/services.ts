// What handlers may use, built once in `app.ts`. An endpoint never imports another endpoint.

import type { Accounts } from '../../accounts/accounts';
import type { Billing } from '../../accounts/billing/billing';
import type { OpenAccount } from '../../accounts/keys/open-account';
import type { OwnedKeys } from '../../accounts/keys/owned-keys';
import type { Referrals } from '../../accounts/referral/referrals';
import type { RaceClock } from '../../domain/time/clock';
import type { SessionStore } from '../../store/accounts/sessions';
import type { Reads } from '../../store/reads/reads';
import type { SharedAnswers } from '../../store/redis/shared-answers';
import type { AccountReader } from '../operations/account/account-reader';
import type { Backfills } from '../operations/backfill/backfill';
import type { BetslipBoard } from '../operations/betslip/betslip-links';
import type { BulkShelf } from '../operations/bulk/bulk';
import type { ChangesStream } from '../operations/changes/stream/changes-stream';
import type { FormReader } from '../operations/form/form-reader';
import type { Ingest } from '../operations/ingest/ingest';
import type { SportsIngest } from '../operations/ingest/sports-ingest';
import type { Intelligence } from '../operations/intelligence/analysis';
import type { IntelligenceScanner } from '../operations/intelligence/scanner';
import type { BestOddsBoard } from '../operations/prices/best-odds-board';
import type { AuditRunner } from '../operations/quality/audit-runner';
import type { DemoBoard } from '../operations/sandbox/demo-board';
import type { RacingDemo } from '../operations/sandbox/racing-demo';
import type { SportsDemo } from '../operations/sandbox/sports-demo';
import type { CoverageReport } from '../operations/site/measure-coverage';
import type { PlatformFacts } from '../operations/site/measure-facts';
import type { SportsBoard } from '../operations/sports/sports-board';
import type { WebhookService } from '../operations/webhooks/webhooks';
import type { WidgetService } from '../operations/widgets/widgets';
import type { LimitState } from './limits/rate-limit';

export interface Services {
  readonly account: AccountReader;
  readonly accounts: Accounts;
  readonly sessions: SessionStore;
  readonly ownedKeys: OwnedKeys;
  readonly openAccount: OpenAccount;
  readonly billing: Billing;
  readonly referrals: Referrals;
  readonly reads: Reads;
  readonly auditRunner: AuditRunner;
  readonly backfills: Backfills;
  readonly bestOdds: BestOddsBoard;
  readonly betslip: BetslipBoard;
  readonly bulk: BulkShelf;
  readonly demo: DemoBoard;
  readonly formReader: FormReader;
  readonly ingest: Ingest;
  readonly intelligence: Intelligence;
  readonly scanner: IntelligenceScanner;
  readonly sharedAnswers: SharedAnswers;
  readonly sports: SportsBoard;
  readonly sportsDemo: SportsDemo;
  readonly racingDemo: RacingDemo;
  readonly sportsIngest: SportsIngest;
  readonly webhooks: WebhookService;
  readonly widgets: WidgetService;
  readonly changesStream: ChangesStream;
  readonly clock: RaceClock;
  coverageReport(nowMs: number): Promise<CoverageReport>;
  platformFacts(nowMs: number): Promise<PlatformFacts>;
  /** Whether requests of keys are counted. */
  rateLimits(): LimitState;
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
}
