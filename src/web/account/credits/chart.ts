// A month's credits by day as columns, stacked by operation or key, drawn on the server: it needs no script. The tables
// beside it have the same figures. Parts beyond the largest few are one colour.
import type { CreditMonth } from '../../../plans/credits';
import type { DayUsage } from '../../../store/credits/daily-usage';
import { type Html, html } from '../../html';
import { amountText, countText, shortDayText } from '../moments';

const DAY_MS = 86_400_000;
/** Colours of the style sheet; the last is of all other parts. */
const MOST_COLOURS = 6;

interface PartUse {
  /** As in `DayUsage`. */
  readonly part: string;
  readonly calls: number;
  readonly credits: number;
  /** 1 to 6. */
  readonly colour: number;
}

/** Most credits first. */
export function byPart(days: readonly DayUsage[]): readonly PartUse[] {
  const sums = new Map<string, { calls: number; credits: number }>();
  for (const { part, calls, credits } of days) {
    const sum = sums.get(part) ?? { calls: 0, credits: 0 };
    sums.set(part, { calls: sum.calls + calls, credits: sum.credits + credits });
  }
  const rows = [...sums].map(([part, sum]) => ({ part, ...sum }));
  rows.sort((a, b) => b.credits - a.credits || (a.part < b.part ? -1 : 1));
  return rows.map((row, i) => ({ ...row, colour: Math.min(i + 1, MOST_COLOURS) }));
}

interface Bar {
  readonly colour: number;
  readonly credits: number;
}

interface ChartBar {
  readonly startMs: number;
  readonly credits: number;
  /** From the bottom up, by colour. */
  readonly parts: readonly Bar[];
}

/** One column a day of the whole month. */
export function columnsOf(days: readonly DayUsage[], { startMs, endMs }: CreditMonth): readonly ChartBar[] {
  const colours = new Map(byPart(days).map(({ part, colour }) => [part, colour]));
  const count = Math.round((endMs - startMs) / DAY_MS);
  return Array.from({ length: count }, (_, i) => {
    const dayMs = startMs + i * DAY_MS;
    const day = new Date(dayMs).toISOString().slice(0, 10);
    const parts = Array.from({ length: MOST_COLOURS }, (_, c) => ({
      colour: c + 1,
      credits: days.reduce(
        (sum, use) => sum + (use.day === day && colours.get(use.part) === c + 1 ? use.credits : 0),
        0,
      ),
    })).filter(({ credits }) => credits > 0);
    return { startMs: dayMs, parts, credits: parts.reduce((sum, { credits }) => sum + credits, 0) };
  });
}

/** What the scale ends at: a round number, at least 10, whose half is a whole one. */
export function niceCeiling(most: number): number {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(most, 1))));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((nice) => nice >= most)!;
}

/** Units of the drawing, which is stretched to its place. */
const HEIGHT = 100;
const STEP = 10;
const WIDTH = 7;

export function creditChart(days: readonly DayUsage[], month: CreditMonth): Html {
  const columns = columnsOf(days, month);
  const top = niceCeiling(Math.max(...columns.map((column) => column.credits)));
  const last = columns.at(-1)!;
  return html`<div class="use-chart"><div class="use-scale" aria-hidden="true"><span>${countText(top)}</span><span>${countText(top / 2)}</span><span>0</span></div>
<svg role="img" aria-label="${chartLabel(columns)}" viewBox="0 0 ${columns.length * STEP} ${HEIGHT}" preserveAspectRatio="none">
${columns.map((column, i) => drawn(column, i, top))}</svg>
<div class="use-days" aria-hidden="true"><span>${shortDayText(month.startMs)}</span><span>${shortDayText(columns[Math.floor(columns.length / 2)]!.startMs)}</span><span>${shortDayText(last.startMs)}</span></div></div>`;
}

function drawn({ startMs, parts, credits }: ChartBar, i: number, top: number): Html {
  let below = 0;
  const bars = parts.map(({ colour, credits: height }) => {
    below += height;
    const y = HEIGHT - (below / top) * HEIGHT;
    return html`<rect class="use-${colour}" x="${i * STEP + (STEP - WIDTH) / 2}" y="${fixed(y)}" width="${WIDTH}" height="${fixed((height / top) * HEIGHT)}"/>`;
  });
  return html`<g><title>${shortDayText(startMs)}: ${amountText(credits, 'credit')}</title><rect class="use-day" x="${i * STEP}" y="0" width="${STEP}" height="${HEIGHT}"/>${bars}</g>`;
}

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

function chartLabel(columns: readonly ChartBar[]): string {
  const busiest = columns.reduce((most, column) => (column.credits > most.credits ? column : most));
  if (busiest.credits === 0) return 'Chart of credits by day: none used yet.';
  return `Chart of credits by day; the most on ${shortDayText(busiest.startMs)}, ${amountText(busiest.credits, 'credit')}. The tables below list them.`;
}
