// The price alerts behind the account pages, in memory: one in each state, a race to make another of, one that was just
// reached, and the links in mails that stop them.
import type { MailStops } from '../../../src/accounts/mail/stop-links';
import type { Category } from '../../../src/domain/race/race';
import type { PriceAlert } from '../../../src/store/accounts/alerts/price-alerts';
import type { OwnedAlerts } from '../../../src/web/account/alerts/source';

export const ALERT_RACE = '0d5a1f9e-6f4c-4b6e-9a53-3d9e4f6a7b11';
const MINUTE_MS = 60_000;

/** `recorded`: notes each call of a method. */
export function memoryAlerts(
  atMs: number,
  recorded: <T extends object>(methods: T) => T,
): { readonly alerts: OwnedAlerts; readonly mailStops: MailStops } {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const race = {
    ...{ race_id: ALERT_RACE, venue: 'Randwick', race_number: 5, category: 'horse' as Category, country: 'AU' },
    start_time: iso(atMs + 20 * MINUTE_MS),
  };
  const title = {
    ...{ raceId: ALERT_RACE, venue: race.venue, raceNumber: 5, category: race.category, country: 'AU' },
    startMs: atMs + 20 * MINUTE_MS,
  };
  const alert = (i: number, over: Partial<PriceAlert>): PriceAlert => ({
    ...{ ...race, alertId: ALERT_RACE.replace('0', String(i)), state: 'ahead', number: 7, name: 'Fast <Horse>' },
    ...{ market: 'win', atLeast: 4.5, createdAt: iso(atMs - 60 * MINUTE_MS), reached: null, ended: null },
    ...over,
  });
  const seen = { at: iso(atMs), price: 5, bookmaker: 'sportsbet', polledAt: iso(atMs - 4000) };
  const alerts = [
    alert(1, {}),
    alert(2, { state: 'jumped' }),
    ...(['sent', 'waiting', 'given_up', 'unknown', 'off', null] as const).map((mail, i) =>
      alert(3 + i, { reached: { ...seen, mail } }),
    ),
    alert(9, { ended: { at: iso(atMs), reason: 'jumped', comesBack: true } }),
    alert(9, { market: 'place', ended: { at: iso(atMs), reason: 'scratched', comesBack: false } }),
    // Its race is ahead again, and its owner stopped all since.
    alert(9, { atLeast: 9, ended: { at: iso(atMs), reason: 'jumped', comesBack: false } }),
  ];
  const runners = [
    { number: 7, name: 'Fast <Horse>', win: 4.2, place: null },
    { number: 8, name: 'Slow Horse', win: 101, place: 11 },
  ];
  const { price, bookmaker, polledAt } = seen;
  const news = { ...race, number: 7, name: 'Fast <Horse>', market: 'win', atLeast: 4.5 } as const;
  const owned = {
    list: async () => ({ nowMs: atMs, alerts }),
    countOpen: async () => alerts.filter(({ reached, ended }) => reached === null && ended === null).length,
    offer: async (raceId: string) => (raceId === ALERT_RACE ? { race: title, nowMs: atMs, runners } : null),
    news: async () => ({ open: 2, reached: [{ ...news, alertId: 'one', price, bookmaker, polledAt }] }),
    ...recorded({ add: async () => 'added' as const, remove: async () => {}, stop: async () => {} }),
  };
  const isLink = async (_: unknown, token: string) => token === 'ours';
  return { alerts: owned, mailStops: { isLink, ...recorded({ stop: isLink }) } };
}
