// The API's side of the account pages: its services and stores, and the HTTP of a request.
import { Readable } from 'node:stream';
import type { MailStops } from '../../../accounts/mail/stop-links';
import type { Stores } from '../../../store/stores';
import type { OwnedAlerts } from '../../../web/account/alerts/source';
import type { AccountBrowser, AccountPagesDeps } from '../../../web/account/deps';
import { type ProblemLog, refusalOf } from '../../kernel/http/problem';
import { opened, sendStream } from '../../kernel/http/response/streamed';
import { readForm } from '../../kernel/input/form';
import { bodyJudge } from '../../kernel/input/judge-body';
import { PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import type { OwnerFileDeps } from '../../kernel/owner-file';
import { type Browser, browserOf } from '../../kernel/session/browser';
import { sessionCookie } from '../../kernel/session/session';
import { keepPasskeyTry, keepSignedIn, keepSignup, visitorOf } from '../../kernel/session/visitor';
import { ENDPOINTS } from '../../operations';
import { readWhitelist } from '../../operations/keys/whitelist';
import { PasswordChange } from '../../operations/session/credentials-schema';
import { TeamKeyRequest } from '../../operations/team-keys/team-key-schema';
import type { Parts } from '../../parts';
import { createOwnedFiles } from './owned-files';
import { createOwnedJobs } from './owned-jobs';

interface AccountPages {
  readonly parts: Parts;
  readonly stores: Pick<
    Stores,
    | 'bookmakerChoices'
    | 'dailyUsage'
    | 'overage'
    | 'refusedCalls'
    | 'ownedWebhooks'
    | 'ownedWidgets'
    | 'bulkFiles'
    | 'teamKeys'
  >;
  readonly alerts: OwnedAlerts;
  readonly mailStops: MailStops;
  /** How files are sent. */
  readonly sending: Pick<OwnerFileDeps<unknown>, 'work' | 'judgeLarge' | 'stalledAfterMs' | 'cutOff'>;
  /** Racing time, epoch milliseconds. */
  now(): number;
  readonly baseUrl: string;
  readonly ownOrigins: readonly string[];
  readonly log: ProblemLog;
}

export function createAccountPages(given: AccountPages): AccountPagesDeps {
  const { parts, stores, alerts, mailStops, baseUrl, ownOrigins, log, now, sending } = given;
  const { accounts, billing, account, ownedKeys, referrals, sessions, webhooks: webhookService } = parts.services;
  const {
    dailyUsage,
    overage,
    refusedCalls,
    ownedWebhooks: webhooks,
    ownedWidgets: widgets,
    bookmakerChoices: bookmakers,
  } = stores;
  return {
    ...{ accounts, billing, account, ownedKeys, referrals, sessions, webhookService },
    ...{
      dailyUsage,
      overage,
      refusedCalls,
      webhooks,
      widgets,
      bookmakers,
      alerts,
      mailStops,
      baseUrl,
      ownOrigins,
      judge,
      readForm,
    },
    jobs: createOwnedJobs(parts.services.backfills, now),
    files: createOwnedFiles({
      manifest: stores.bulkFiles,
      file: { ...parts, ...sending, baseUrl, now, primaryHash: stores.teamKeys.primaryHash },
      wallMs: account.wallMs,
    }),
    served: new Set(ENDPOINTS.flatMap(({ gate }) => gate?.right ?? [])),
    browserOf: (ctx) => accountBrowser(browserOf(ctx, baseUrl), baseUrl, parts),
    async sendDownload(ctx, { name, type, pieces }) {
      const reply = { open: () => Readable.from(pieces), type, fileName: name, compressible: true } as const;
      await sendStream(ctx, reply, await opened(ctx, reply));
    },
    refusalOf: (ctx, error) => refusalOf(ctx, error, log),
  };
}

interface BrowserParts {
  readonly sessions: Pick<Parts['sessions'], 'find'>;
  readonly ipLimit: Pick<Parts['ipLimit'], 'take'>;
}

export function accountBrowser(browser: Browser, baseUrl: string, { sessions, ipLimit }: BrowserParts): AccountBrowser {
  const { address, network, cookie, setCookie } = browser;
  const name = sessionCookie(baseUrl);
  return {
    ...{ address, cookie, setCookie },
    visitor: visitorOf(browser, baseUrl),
    hasSession: cookie(name) !== undefined,
    session: () => sessions.find(cookie(name)),
    keepSignup: (pending) => keepSignup(browser, baseUrl, pending),
    keepPasskeyTry: (wanted) => keepPasskeyTry(browser, baseUrl, wanted),
    keepSignedIn: (signedIn) => keepSignedIn(browser, baseUrl, signedIn),
    forgetSession: () => setCookie(name, '', 0),
    countProviderCall: () => ipLimit.take('Billing', network, PROVIDER_PER_MINUTE),
  };
}

const judgeKey = bodyJudge(TeamKeyRequest);
const judgePassword = bodyJudge(PasswordChange);

const judge: AccountPagesDeps['judge'] = {
  label: (text) => judgeKey({ label: text }).label,
  addresses(texts) {
    const { ip_whitelist } = judgeKey({ label: 'any', ip_whitelist: texts });
    return readWhitelist(ip_whitelist!, '/ip_whitelist', null);
  },
  password: ({ current, password }) => void judgePassword({ current_password: current, new_password: password }),
};
