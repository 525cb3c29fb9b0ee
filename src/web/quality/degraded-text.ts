// Why the data is degraded, as sentences: which bookmakers, how many markets, which sports.
import { connectorTitle } from '../../domain/registry/connectors';
import { percentText } from '../format';
import type { DataQuality } from './source';

export const SPORTS: Readonly<Record<string, string>> = {
  racing_horse: 'Thoroughbred',
  racing_harness: 'Harness',
  racing_greyhound: 'Greyhound',
  sports: 'Sports',
};

const LIST = new Intl.ListFormat('en-AU');
const listed = (names: readonly string[]): string => LIST.format(names);
const number = (n: number): string => n.toLocaleString('en-AU');
const sports = (keys: readonly string[]): string => listed(keys.map((key) => SPORTS[key] ?? key));

/** By reason. */
const SENTENCES: Readonly<Record<string, (quality: DataQuality) => readonly string[]>> = {
  connector_failed: ({ degraded_details: { connectors_failed: failed, connectors_silent: silent } }) => [
    ...(failed.length > 0 ? [`The last reading failed: ${listed(failed.map(connectorTitle))}.`] : []),
    ...(silent.length > 0 ? [`Not read yet: ${listed(silent.map(connectorTitle))}.`] : []),
  ],
  market_stale: (quality) => [staleSentence(quality)],
  sport_market_stale: ({ sport_market_quality: { ok, warn, stale } }) => [
    `${number(stale)} of ${number(ok + warn + stale)} sports markets are stale.`,
  ],
  audit_cross_check: ({ audits }) => [
    `Stored prices are out of bounds, so a bookmaker may be misread: ${sports(audits.filter(({ cross_checks }) => (cross_checks ?? 0) > 0).map(({ sport_key }) => sport_key))}.`,
  ],
  audit_differs: ({ audits }) => [
    `The newest audit found other prices at the bookmakers: ${listed(audits.filter(({ status }) => status === 'differs').map(differences))}.`,
  ],
  audit_failed: ({ audits }) => [
    `The newest audit did not end: ${sports(audits.filter(({ status }) => status === 'failed').map(({ sport_key }) => sport_key))}.`,
  ],
  audit_missing: ({ degraded_details }) => [`No recent audit: ${sports(degraded_details.sports_without_audit)}.`],
};

/** `The last reading failed: TAB and Betr. 3 of 120 markets are stale (2.5%): TAB 2 of 60, Neds 1 of 60.` */
export const degradedText = (quality: DataQuality): string =>
  quality.degraded_because.flatMap((reason) => SENTENCES[reason]?.(quality) ?? []).join(' ');

function staleSentence({ degraded_details, recent_market_quality: { ok, warn, stale } }: DataQuality): string {
  const all = ok + warn + stale;
  const books = degraded_details.stale_markets.map(
    (book) => `${connectorTitle(book.bookmaker)} ${number(book.stale)} of ${number(book.markets)}`,
  );
  return `${number(stale)} of ${number(all)} markets are stale (${percentText((100 * stale) / all)}): ${books.join(', ')}.`;
}

function differences(audit: DataQuality['audits'][number]): string {
  const found = [
    audit.diff_rows && `${number(audit.diff_rows)} different`,
    (audit.missing_api || audit.missing_source) &&
      `${number((audit.missing_api ?? 0) + (audit.missing_source ?? 0))} missing`,
  ].filter(Boolean);
  return `${sports([audit.sport_key])} (${found.join(', ')})`;
}
