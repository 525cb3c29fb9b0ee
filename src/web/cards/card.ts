// The picture that is shown where the address of a page is shared: what stands on it. It is looked at long after it was
// made, so its prices stand with their moment in it, and a race that is over never has open prices. Pure.
import { COMPARED_BOOKS } from '../../domain/bookmakers';
import { aetDay } from '../../domain/time/aet';
import { pricesState } from '../assets/freshness.mjs';
import type { RaceCard, RaceOutcome, RaceSheet, RaceView } from '../board/model';
import type { RaceTitle } from '../board/race-title';
import { clockText, dateText, ordinalText, priceText, timeText, UNKNOWN, zoneText } from '../format';
import { homeRaceOf } from '../home/home';
import type { HomeRunner } from '../home/model';
import { CODE_NAMES, isStaleNow, jumpText, raceName } from '../race-parts';

export interface ShareCard {
  /** `prices`: open prices, which are true for a moment. */
  readonly kind: 'prices' | 'still';
  readonly kicker: string;
  readonly title: string;
  readonly subtitle: string;
  /** At most `MOST_ROWS`. */
  readonly rows: readonly CardRow[];
  /** With its moment, if anything on the card has one. */
  readonly note: string;
}

export interface CardRow {
  readonly lead: string;
  readonly text: string;
  readonly figure: string;
  /** Beside the figure. */
  readonly source: string;
}

export const MOST_ROWS = 5;

/** `3:42:05 pm AEDT, Sat 21 Nov 2026`. */
const momentText = (ms: number): string =>
  `${clockText(ms)} ${zoneText(ms)}, ${dateText(ms)} ${aetDay(ms).slice(0, 4)}`;

const subtitleOf = ({ category, country, startMs }: RaceTitle): string =>
  `${CODE_NAMES[category]}, ${country ?? UNKNOWN} · ${timeText(startMs)} ${zoneText(startMs)}, ${dateText(startMs)} ${aetDay(startMs).slice(0, 4)}`;

export function raceCard({ sheet, outcome }: Pick<RaceView, 'sheet' | 'outcome'>, nowMs: number): ShareCard {
  const named = { title: raceName(sheet), subtitle: subtitleOf(sheet) };
  if (outcome !== null) return { ...named, ...resultOf(outcome) };
  if (sheet.state === 'abandoned') return { ...named, kind: 'still', kicker: 'Abandoned', rows: [], note: '' };
  if (sheet.state === 'jumped' || sheet.jumpedMs !== null) return { ...named, ...jumpedOf(sheet, nowMs) };
  return { ...named, ...pricesOf(sheet, nowMs) };
}

type Shown = Omit<ShareCard, 'title' | 'subtitle'>;

/** The moment is that of the oldest response whose price is shown. */
function pricesOf(sheet: RaceSheet, nowMs: number): Shown {
  const { runners, freshness } = homeRaceOf(sheet);
  const kicker = sheet.state === 'suspended' ? 'Suspended' : 'Best win prices';
  const listed = runners.slice(0, MOST_ROWS);
  const moments = listed.flatMap((runner) => (isCurrent(runner, nowMs) ? [runner.best.polledMs] : []));
  if (moments.length === 0 || pricesState(freshness, nowMs).state !== 'live')
    return { kind: 'prices', kicker: 'Next', rows: [], note: `No current prices at ${momentText(nowMs)}` };
  const note = `Prices at ${momentText(Math.min(...moments))}`;
  return { kind: 'prices', kicker, rows: listed.map((runner) => priceRow(runner, nowMs)), note };
}

type Current = HomeRunner & { readonly best: { readonly polledMs: number } };

const isCurrent = (runner: HomeRunner, nowMs: number): runner is Current =>
  runner.best !== null && runner.best.polledMs !== null && !isStaleNow(runner.best, nowMs);

function priceRow(runner: HomeRunner, nowMs: number): CardRow {
  const { number, name, best } = runner;
  const named = { lead: String(number), text: name };
  if (best === null || !isCurrent(runner, nowMs)) return { ...named, figure: UNKNOWN, source: '' };
  return { ...named, figure: priceText(best.price), source: best.book };
}

function jumpedOf({ jumpedMs, jumpBasis }: RaceSheet, nowMs: number): Shown {
  const jumped = jumpedMs === null ? '' : `Jumped ${jumpText(jumpedMs, jumpBasis)}. `;
  return { kind: 'still', kicker: 'Jumped', rows: [], note: `${jumped}No result at ${minuteText(nowMs)}` };
}

/** To the minute, so that a card is not another one every second. */
const minuteText = (ms: number): string => `${timeText(ms)} ${zoneText(ms)}, ${dateText(ms)} ${aetDay(ms).slice(0, 4)}`;

const RESULTS = { interim: 'Interim result', final: 'Result', abandoned: 'Abandoned' } as const;

function resultOf({ status, protest, placings, resultedMs }: RaceOutcome): Shown {
  const rows = placings.slice(0, MOST_ROWS).map(({ position, number, name, win }) => ({
    lead: ordinalText(position),
    text: `${number} ${name ?? UNKNOWN}`,
    figure: priceText(win),
    source: win === null ? '' : 'win',
  }));
  const at = resultedMs === null ? '' : `Result of ${momentText(resultedMs)}. `;
  const settled = rows.some(({ source }) => source !== '') ? 'Settled fixed prices.' : '';
  const kicker = protest ? `${RESULTS[status]}, protest` : RESULTS[status];
  return { kind: 'still', kicker, rows: status === 'abandoned' ? [] : rows, note: `${at}${settled}`.trim() };
}

/** The next races, without prices. */
export function boardCard(next: readonly RaceCard[], nowMs: number): ShareCard {
  const rows = next.slice(0, MOST_ROWS).map((race) => ({
    lead: '',
    text: raceName(race),
    figure: timeText(race.startMs),
    source: `${zoneText(race.startMs)}, ${dateText(race.startMs)}`,
  }));
  const note = rows.length === 0 ? 'No race was open for betting' : 'Next to jump';
  return {
    kind: 'still',
    kicker: 'Live board',
    title: 'Live racing odds',
    subtitle: `The prices of ${COMPARED_BOOKS.length} Australian bookmakers, each with its age`,
    rows,
    note: `${note} at ${minuteText(nowMs)}`,
  };
}

const still = (kicker: string, title: string, subtitle: string): ShareCard => {
  return { kind: 'still', kicker, title, subtitle, rows: [], note: '' };
};

export const HOME_CARD = still(
  'A live board and an API',
  'Australian fixed odds',
  `${COMPARED_BOOKS.length} bookmakers side by side, each price with its age`,
);

export const DOCS_CARD = still(
  'API reference',
  'Racing odds as JSON, CSV and Parquet',
  'Every operation with its parameters, cost, limits and an example',
);
