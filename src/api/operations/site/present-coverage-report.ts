// Presents the parts of the coverage report that no other operation has. Only bookmakers that customers may see (A 1,
// D42).
import type { Static } from '@sinclair/typebox';
import { bookmaker, EXPECTED_BOOKS, visibleToCustomers } from '../../../domain/bookmakers';
import type { CodeBooks } from '../../../store/reads/archive/book-coverage';
import type { ConnectorHealthRow } from '../../../store/reads/connectors/connector-health';
import { roundPct } from '../../wire/rounded';
import { presentConnector, withSilent } from '../connectors/present-health';
import type { CoverageReport } from './coverage-report-schema';

type Wire = Static<typeof CoverageReport>;
type Prices = NonNullable<Wire['prices']>;

const MEASURED =
  'Races that started on these Sydney days, have left the board and are archived, without abandoned ones: of how many the archive has at least ' +
  'one win price of the bookmaker before the jump, and of how many a genuine closing line.';

const COLLECTED = EXPECTED_BOOKS.filter(visibleToCustomers);

export const presentPrices = (codes: readonly CodeBooks[]): Pick<Prices, 'races' | 'measured' | 'by_code'> => ({
  races: codes.reduce((sum, { races }) => sum + races, 0),
  measured: MEASURED,
  by_code: [...codes].sort(byRaces).map(presentCode),
});

function presentCode({ category, country, races, books }: CodeBooks): Prices['by_code'][number] {
  const counted = new Map(books.map(([key, priced, closed]) => [key, { priced, closed }]));
  const keys = new Set([...counted.keys(), ...COLLECTED]);
  const rows = [...keys].filter(visibleToCustomers).map((key) => {
    // A book without a price in these races was counted, with 0 races.
    const { priced, closed } = counted.get(key) ?? { priced: 0, closed: 0 };
    return {
      bookmaker: key,
      title: bookmaker(key)!.title,
      races_priced: priced,
      races_priced_pct: roundPct((100 * priced) / races),
      races_closed: closed,
      races_closed_pct: roundPct((100 * closed) / races),
    };
  });
  return { category, country, races, bookmakers: rows.sort(byPriced) };
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byRaces = (a: CodeBooks, b: CodeBooks): number =>
  b.races - a.races || order(a.country ?? '~', b.country ?? '~') || order(a.category, b.category);

type Row = Prices['by_code'][number]['bookmakers'][number];

const byPriced = (a: Row, b: Row): number =>
  b.races_priced - a.races_priced || b.races_closed - a.races_closed || order(a.bookmaker, b.bookmaker);

export const presentBooks = (rows: readonly ConnectorHealthRow[]): NonNullable<Wire['bookmakers']> =>
  withSilent(rows)
    .filter(({ connector }) => COLLECTED.includes(connector))
    .map(presentConnector)
    .map(({ connector, status, last_poll, last_ok }) => ({
      bookmaker: connector,
      title: bookmaker(connector)!.title,
      // The status of a book that was never polled was not measured.
      status: last_poll === null ? null : status,
      last_ok,
    }));
