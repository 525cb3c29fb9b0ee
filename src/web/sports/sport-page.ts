// The matches of one sport by day and competition, with the best head-to-head price of each side.
import { aetDay } from '../../domain/time/aet';
import { type Html, html } from '../html';
import { counted, dayText } from '../past/words';
import { countdown, startTime } from '../race-parts';
import type { MatchRow, ShownPrice, SportView } from './model';
import {
  arbTag,
  asOf,
  bestPrice,
  matchesText,
  matchName,
  matchPath,
  pageLinks,
  pricesBlock,
  sportPath,
  sportWays,
} from './parts';
import type { SportChoice } from './sport-views';

export function sportChoice(query: Readonly<Record<string, unknown>>): SportChoice {
  const { competition, page } = query;
  return {
    competition: typeof competition === 'string' ? competition : null,
    page: typeof page === 'string' && /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1,
  };
}

/** In one order: equal choices have one address. */
export function choicePath(path: string, { competition, page }: SportChoice): string {
  const chosen = [
    competition !== null && `competition=${encodeURIComponent(competition)}`,
    page > 1 && `page=${page}`,
  ].filter(Boolean);
  return chosen.length === 0 ? path : `${path}?${chosen.join('&')}`;
}

export function sportMain(view: SportView, nowMs: number): Html {
  const { key, title, total, rows, competition, atMs, newestMs } = view;
  const of = competition === null ? '' : ` of ${competition}`;
  return pricesBlock(
    newestMs,
    nowMs,
    html`<header class="day-head"><h1 id="page-title">${title}</h1>
<p>${matchesText(total)} to come${of}, each side’s best head-to-head price · ${asOf(atMs)}</p></header>
${sportWays(sportPath(key), [[sportPath(key), title]])}
${competitionFold(view)}
${rows.length === 0 ? html`<p class="empty">No book prices a match of this sport.</p>` : daysOf(rows, nowMs).map((day) => daySection(day, view, nowMs))}
${pageLinks(view, 'matches', (page) => choicePath(sportPath(key), { competition, page }))}`,
  );
}

/** Open while one is chosen. */
function competitionFold({ key, competitions, competition }: SportView): Html | false {
  const link = (name: string | null, text: string): Html =>
    html`<li><a href="${choicePath(sportPath(key), { competition: name, page: 1 })}"${name === competition && html` aria-current="true"`}>${text}</a></li>`;
  const links = competitions.map(({ name, matches }) => link(name, `${name} ${matches}`));
  return (
    competitions.length > 1 &&
    html`<details class="competitions"${competition !== null && html` open`}><summary>${counted(competitions.length, 'competition')}</summary><nav class="filters" aria-label="Competitions"><ul>${link(null, 'All')}${links}</ul></nav></details>`
  );
}

interface MatchDay {
  readonly day: string;
  readonly title: string;
  /** By the first start; the name is null where it is unknown. */
  readonly competitions: readonly (readonly [name: string | null, rows: readonly MatchRow[]])[];
}

function daysOf(rows: readonly MatchRow[], nowMs: number): readonly MatchDay[] {
  const today = aetDay(nowMs);
  return [...Map.groupBy(rows, ({ startMs }) => aetDay(startMs))].map(([day, ofDay]) => ({
    day,
    title: day === today ? `Today, ${dayText(day, today)}` : dayText(day, today),
    competitions: [...Map.groupBy(ofDay, ({ competition }) => competition)],
  }));
}

function daySection({ day, title, competitions }: MatchDay, { hasDraw }: SportView, nowMs: number): Html {
  const isOne = competitions.length === 1 && competitions[0]![0] === null;
  return html`<section class="panel matches" aria-labelledby="day-${day}"><h2 id="day-${day}">${title}</h2>
${competitions.map(([name, rows]) => html`${!isOne && html`<h3>${name ?? 'Competition not named'}</h3>`}<ul class="match-list${hasDraw && ' three'}">${rows.map((row) => matchItem(row, hasDraw, nowMs))}</ul>`)}</section>`;
}

function matchItem(row: MatchRow, hasDraw: boolean, nowMs: number): Html {
  const { eventId, startMs, books, homeTeam, awayTeam, arbPct } = row;
  return html`<li><p class="match-when">${startTime(startMs, startMs)} ${countdown(startMs, nowMs)}</p>
<p class="match-who"><a href="${matchPath(eventId)}">${matchName(row)}</a> <span class="match-facts">${counted(books, 'book')}${arbPct !== null && html` ${arbTag(arbPct)}`}</span></p>
<ul class="match-bests">${side(homeTeam, row.home, nowMs)}${hasDraw && side('Draw', row.draw, nowMs)}${side(awayTeam, row.away, nowMs)}</ul></li>`;
}

const side = (name: string, price: ShownPrice | null, nowMs: number): Html =>
  html`<li><span class="bp-side">${name}</span> ${bestPrice(price, nowMs)}</li>`;
