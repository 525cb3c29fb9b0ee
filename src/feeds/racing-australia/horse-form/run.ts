// One line of the form: `7th of 11 | BRAT 29Jun25 1500m Soft7 MDN-SW $37,500 ($750) John Allen 57.5kg Barrier 7 1st
// Tassron 59.5kg, 2nd Autumnheat 59.5kg 1:34.04 (600m 36.89), 7.9L, 5th@800m, 6th@400m, $10/$16/$15/$16`. Each fact is
// read separately: a missing or unreadable one is null.
import type { FormRun, Placegetter } from '../../../domain/form/horse-form';
import type { Page, Piece } from '../../reading/html';
import { countOf, numberOf, positiveOf } from '../../reading/read';
import { codeIn, compactDay } from '../address';
import { cellText, spaced, squeezed } from '../page';
import { LINKS, RESULT, RUN, TRIAL_LETTER } from './selectors';

/** Far above any line; bounds the work of the expressions below. */
const LONGEST_LINE = 1000;

const MEETING = /^(.+?)\s+(\d{1,2}[A-Za-z]{3}\d{2})\b/;
// For text with single blanks: each further `\s*` would multiply the ways to split a run of them.
const RACE = /^ ?(\d{3,5})m ([A-Za-z]+) ?(\d{1,2})?\b ?(.*?) ?(?:\$([\d,.]+))? ?(?:\(\$([\d,.]+)\))? ?$/;
const BURDEN = /^\s*(\d+(?:\.\d+)?)\s*kg\b(?:.*?\bBarrier\s+(\d+))?/i;
const CLOCK = /\b(?:(\d{1,2}):)?(\d{1,2}\.\d{1,2})\s*(?:\((\d{3,4})m\s+(\d{1,2}\.\d{1,2})\))?\s*(?:,|$)/;
const MARGIN = /(\d+(?:\.\d+)?)L\b/;
const IN_RUNNING = /(\d{1,2})(?:st|nd|rd|th)@(\d{3,4})m/gi;
const PRICES = /(\$\d[\d.,]*(?:\/\$\d[\d.,]*)*) ?[FE]* ?$/i;

/** Null for a row that is not a run; a run needs its track and day. */
export function readRun($: Page, row: Piece): FormRun | 'unreadable' | null {
  const result = row.children(RESULT);
  const cell = row.children(RUN);
  if (result.length === 0 || cell.length === 0) return null;
  const links = linksOf($, cell);
  const meeting = links.find(({ href }) => LINKS.meeting.test(href));
  const text = spaced($, cell).slice(0, LONGEST_LINE);
  const [head, track, day] = MEETING.exec(text) ?? [];
  const date = day ? compactDay(day) : null;
  if (head === undefined || track === undefined || date === null) return 'unreadable';
  const jockey = links.find(({ href }) => LINKS.jockey.test(href));
  const [race, rest] = dividedAt(text.slice(head.length), jockey?.text ?? null);
  const trial = result.find(TRIAL_LETTER).length > 0;
  const raw = squeezed(result.text());
  return {
    date,
    track,
    trial,
    raceNumber: null,
    resultRaw: raw,
    ...resultOf(raw),
    ...raceOf(race),
    jockey: cellText(jockey?.text),
    jockeyCode: codeIn(jockey?.href, 'jockeycode'),
    meetCode: codeIn(meeting?.href, 'meetcode'),
    ...burdenOf(rest, trial),
    ...finishOf(rest, trial),
    placegetters: placegettersOf(links, rest),
  };
}

interface Link {
  readonly href: string;
  readonly text: string;
}

const linksOf = ($: Page, cell: Piece): readonly Link[] =>
  cell
    .find('a[href]')
    .toArray()
    .map((one) => ({ href: $(one).attr('href')!, text: squeezed($(one).text()) }));

/**
 * The race's facts come before the jockey, the horse's after; without a jockey the text is split at the first weight.
 */
function dividedAt(text: string, jockey: string | null): readonly [string, string] {
  const at = jockey ? text.indexOf(jockey) : text.search(/\d+(?:\.\d+)?\s*kg\b/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + (jockey?.length ?? 0))];
}

/** `7th of 11`; `FF of 9` and the like have no place. A trial's letter comes first. */
function resultOf(raw: string): Pick<FormRun, 'position' | 'fieldSize'> {
  const [, place, size] = /(?:(\d{1,2})(?:st|nd|rd|th)|\b[A-Z]{2,3})\s+of\s+(\d{1,2})/i.exec(raw) ?? [];
  return { position: countOf(place), fieldSize: countOf(size) };
}

type RaceFacts = Pick<FormRun, 'distanceM' | 'going' | 'goingRating' | 'raceClass' | 'prizeTotal' | 'prizeWon'>;

function raceOf(text: string): RaceFacts {
  const [, distance, going, rating, raceClass, total, won] = RACE.exec(text) ?? [];
  return {
    distanceM: countOf(distance),
    going: cellText(going),
    goingRating: countOf(rating),
    raceClass: cellText(raceClass),
    prizeTotal: dollars(total),
    // A line without it won nothing, if the line prints prizes at all.
    prizeWon: dollars(won) ?? (total === undefined ? null : 0),
  };
}

const dollars = (text: string | undefined): number | null => numberOf(text?.replaceAll(',', ''));

/** Trials print zeros. */
function burdenOf(text: string, trial: boolean): Pick<FormRun, 'weightKg' | 'barrier'> {
  const [, weight, barrier] = BURDEN.exec(text) ?? [];
  return { weightKg: trial ? numberOf(weight) : positiveOf(weight), barrier: countOf(barrier) };
}

type Finish = Pick<
  FormRun,
  'timeS' | 'sectionalDistanceM' | 'sectionalTimeS' | 'marginLengths' | 'inRunning' | 'prices' | 'sp'
>;

function finishOf(text: string, trial: boolean): Finish {
  const [, minutes, seconds, sectionalM, sectionalS] = CLOCK.exec(text) ?? [];
  const [, margin] = MARGIN.exec(text) ?? [];
  const [, quoted = ''] = PRICES.exec(text) ?? [];
  const quotes = trial ? [] : quoted.split('/').flatMap((quote) => dollars(quote.slice(1)) ?? []);
  const sp = quotes.at(-1) ?? 0;
  const time = seconds === undefined ? null : Math.round((Number(minutes ?? 0) * 60 + Number(seconds)) * 100) / 100;
  return {
    timeS: positiveOf(time),
    sectionalDistanceM: countOf(sectionalM),
    sectionalTimeS: positiveOf(sectionalS),
    marginLengths: numberOf(margin),
    inRunning: [...text.matchAll(IN_RUNNING)].map(([, place, at]) => ({ atM: Number(at), position: Number(place) })),
    // 1 or less is not a price.
    prices: quotes.filter((price) => price > 1),
    sp: sp > 1 ? sp : null,
  };
}

function placegettersOf(links: readonly Link[], text: string): readonly Placegetter[] {
  let from = 0;
  return links
    .filter(({ href, text: name }) => LINKS.horse.test(href) && name !== '')
    .flatMap(({ href, text: name }) => {
      // A name may be part of the previous one.
      const at = afterPlace(text, name, from);
      if (at < 0) return [];
      from = at + name.length;
      const [, place] = PLACE.exec(text.slice(0, at))!;
      const [, weight] = /^\s*(\d+(?:\.\d+)?)\s*kg/i.exec(text.slice(from)) ?? [];
      const position = countOf(place);
      return position === null
        ? []
        : [{ name, position, code: codeIn(href, 'horsecode'), weightKg: positiveOf(weight) }];
    });
}

const PLACE = /(\d{1,2})(?:st|nd|rd|th)\s*$/i;

/** The index of the name after a place; -1 if there is none. */
function afterPlace(text: string, name: string, from: number): number {
  let at = text.indexOf(name, from);
  while (at >= 0 && !PLACE.test(text.slice(0, at))) at = text.indexOf(name, at + 1);
  return at;
}
