// The mail of a price alert: the price that was seen, at which book and when, and how to stop. The names of runner and
// venue are the card's; nothing that a visitor typed is in it but the price.
import { bookmaker } from '../../domain/bookmakers';
import { aetClock } from '../../domain/time/aet';
import type { ReachedAlert } from '../../store/accounts/alerts/reached-alerts';
import { paragraphs, type Text } from '../mail/texts';
import { PAGES } from '../pages';

interface AlertLinks {
  readonly baseUrl: string;
  /** Stops mails of price alerts. */
  readonly stopUrl: string;
}

export function alertMail({ baseUrl, stopUrl }: AlertLinks, alert: ReachedAlert): Text {
  const { race, number, name, market, atLeast, seen } = alert;
  const price = decimal(seen.price);
  const book = bookmaker(seen.bookmaker)?.title ?? seen.bookmaker;
  const runner = `${number} ${name}`;
  const where = `${race.venue} R${race.race_number}`;
  return {
    subject: `${runner}: ${price} to ${market} at ${book}`,
    body: paragraphs(
      `${runner}, ${where}: ${price} to ${market} at ${book}. You wanted to know of at least ${decimal(atLeast)}.`,
      `We read this price on ${secondsOf(seen.polledAtMs)}. Prices change: look at the bookmaker before you bet.`,
      `The race is to start on ${startOf(Date.parse(race.start_time))}. All its prices:\n${baseUrl}/race/${race.race_id}`,
      `This alert is done: it is mailed once. Your alerts:\n${baseUrl}${PAGES.alerts}`,
      `Stop these mails, without signing in:\n${stopUrl}`,
      '18+ only. Is gambling a problem for you or someone near you? National Gambling Helpline, free at any hour: 1800 858 858, https://www.gamblinghelponline.org.au/',
    ),
    list: 'alerts',
  };
}

/** As prices are written: two decimals, more if the book has more. */
const decimal = (price: number): string => {
  const [, decimals = ''] = String(price).split('.');
  return decimals.length > 2 ? String(price) : price.toFixed(2);
};

const isoOf = (ms: number): string => new Date(ms).toISOString();

const secondsOf = (ms: number): string => momentOf(ms, 19);

const startOf = (ms: number): string => momentOf(ms, 16);

/** To the minute or the second, which is where its ISO text ends. */
const momentOf = (ms: number, end: 16 | 19): string =>
  `${isoOf(ms).slice(0, 10)} at ${isoOf(ms).slice(11, end)} UTC (${aetClock(ms)} in Sydney)`;
