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
import type { LimitState } from '../access/limits/rate-limit';
import type { FormReader } from '../form-reader';
import type { ChangesStream } from '../stream/changes-stream';
import type { AccountReader } from './account';
import type { Backfills } from './backfill';
import type { BestOddsBoard } from './best-odds-board';
import type { BetslipBoard } from './betslip-links';
import type { BulkShelf } from './bulk';
import type { DemoBoard } from './demo/demo-board';
import type { RacingDemo } from './demo/racing-demo';
import type { Ingest } from './ingest';
import type { Intelligence } from './intelligence';
import type { IntelligenceScanner } from './intelligence-scan';
import type { AuditRunner } from './quality/audit-runner';
import type { CoverageReport } from './reports/coverage-report';
import type { PlatformFacts } from './reports/platform-facts';
import type { SportsBoard } from './sports/sports-board';
import type { SportsDemo } from './sports/sports-demo';
import type { SportsIngest } from './sports/sports-ingest';
import type { WebhookService } from './webhooks/webhooks';
import type { WidgetService } from './widgets/widgets';

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
