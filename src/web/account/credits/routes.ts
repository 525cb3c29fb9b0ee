// The addresses of the page of credits and of its downloads.
import { type CreditMonth, periodAt } from '../../../plans/credits';
import type { AccountPagesDeps } from '../deps';
import type { OwnerVisits } from '../panels/owner-visits';
import { creditsPage, VIEWS } from './page';

/** Of the chooser; sums of days are kept for longer. */
const MOST_MONTHS = 24;
const CSV = 'text/csv; charset=utf-8';

export function creditRoutes({ get, post }: OwnerVisits, deps: AccountPagesDeps): void {
  const { accounts, account, dailyUsage, ownedKeys } = deps;
  get('/account/credits', async ({ accountId, accountSince }, { query }) => {
    const months = monthsSince(Date.parse(accountSince), account.wallMs());
    const month = months.find(({ id }) => id === `${query.get('month')}-01`) ?? months[0]!;
    const view = VIEWS.find((one) => one === query.get('by')) ?? 'endpoint';
    const [days, keys, statements] = await Promise.all([
      dailyUsage.inPeriod(accountId, month.id, view === 'key' ? 'key' : 'endpoint'),
      ownedKeys.list(accountId),
      accounts.statementMonths(accountId),
    ]);
    return { page: creditsPage({ month, view, months, days, keys, statements }) };
  });
  post('/account/statement', async ({ accountId }, { form }) => {
    const month = form.get('month') ?? '';
    const pieces = await accounts.statement(accountId, `${month}-01`);
    return { download: { name: `racing-odds-statement-${month}.csv`, type: CSV, pieces } };
  });
  post('/account/statement/heads', async ({ accountId }) => ({
    download: {
      name: 'racing-odds-statement-heads.csv',
      type: CSV,
      pieces: [await accounts.statementHeads(accountId)],
    },
  }));
}

/** Newest first. */
function monthsSince(sinceMs: number, nowMs: number): readonly CreditMonth[] {
  const months = [periodAt(nowMs)];
  while (months.length < MOST_MONTHS && months.at(-1)!.startMs > sinceMs)
    months.push(periodAt(months.at(-1)!.startMs - 1));
  return months;
}
