// Declared dividends on a $1 stake: a row per bet, a column per tote. The bookmaker's own (`FIXED`) are shown with the
// placings.
import type { RaceOutcome } from './board/model';
import { dividendText, UNKNOWN } from './format';
import { type Html, html } from './html';
import { raceName } from './race-parts';

interface Bet {
  readonly kind: string;
  /** Runner number, or numbers in order. */
  readonly selection: string;
  readonly amounts: ReadonlyMap<string, number>;
}

export function dividendsTable(outcome: RaceOutcome): Html | null {
  const rows = declared(outcome);
  if (rows.length === 0) return null;
  const totes = [...new Set(rows.map((row) => row.product))];
  return html`<table class="dividends"><caption class="vh">Tote dividends on a $1 stake, ${raceName(outcome)}</caption>
<thead><tr><th scope="col" colspan="2">Tote</th>${totes.map((tote) => html`<th scope="col">${tote}</th>`)}</tr></thead>
<tbody>${betsOf(rows).map((bet) => betRow(bet, totes))}</tbody></table>`;
}

interface Declared {
  readonly kind: string;
  readonly selection: string;
  readonly product: string;
  readonly amount: number;
}

const MARKETS = { WIN: 'Win', PLC: 'Place' } as const;

function declared({ straight, exotics }: RaceOutcome): Declared[] {
  const tote = straight.filter((row) => row.product !== 'FIXED');
  return [
    ...tote.map((row) => ({ ...row, kind: MARKETS[row.market], selection: String(row.number) })),
    ...exotics.map((row) => ({ ...row, kind: row.type })),
  ];
}

/** In the order of their declaration: win, places as placed, exotics. */
function betsOf(rows: readonly Declared[]): Bet[] {
  const bets = new Map<string, Bet & { amounts: Map<string, number> }>();
  for (const { kind, selection, product, amount } of rows) {
    const key = `${kind} ${selection}`;
    const bet = bets.get(key) ?? { kind, selection, amounts: new Map() };
    bet.amounts.set(product, amount);
    bets.set(key, bet);
  }
  return [...bets.values()].sort((a, b) => rank(a) - rank(b));
}

const ORDER = ['Win', 'Place', 'Quinella', 'Exacta', 'Trifecta', 'First Four'];
const rank = ({ kind }: Bet): number => (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);

function betRow({ kind, selection, amounts }: Bet, totes: readonly string[]): Html {
  const cells = totes.map((tote) => {
    const amount = amounts.get(tote);
    return html`<td class="num">${amount === undefined ? UNKNOWN : dividendText(amount)}</td>`;
  });
  return html`<tr><th scope="row">${kind}</th><td class="selection">${selection.replaceAll(',', ' · ')}</td>${cells}</tr>`;
}
