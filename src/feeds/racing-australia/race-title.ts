// The table above each race: its title line and the text below. The text is one run without markup, so facts are found
// by their labels.
import type { RegistryRace } from '../../domain/registry/registry';
import { countOf, dollarsOf, positiveOf, textOf } from '../reading/read';
import { squeezed } from './page';

export type TitleFacts = Omit<RegistryRace, 'runners' | 'startTime'>;

/**
 * For text with single blanks. Bounded: without a match, every possible start would be scanned to the end of the page.
 */
const TITLE = /Race (\d{1,3}) ?- ?(\d{1,2}:\d{2} ?[AP]M)? ?(.{0,300}?) ?\((\d[\d,]{0,9}) ?METRES?\)/i;
const PRIZE = /Of\s*\$\s*([\d,]+)/i;
const PLACE = /\b(\d{1,2}(?:st|nd|rd|th))\s*\$\s*([\d,]+)/gi;
const CLASS =
  /\b(Group\s*[123]|Listed|Maiden|BenchMark\s*\d{1,3}|BM\s*\d{1,3}|Class\s*\d{1,3}|Rating\s*\d{1,3}\+?|Open|No class restriction|Restricted)\b/i;
const APPRENTICES = /\bApprentices can(not| not)? claim\b/i;
const LABELS =
  /\b(Track Name|Track Type|Track Condition|Field Limit|Timing Method|Time|Last 600m|Official Comments)\s*:/i;

/** Punctuation and blanks at either end. The lookbehind avoids a quadratic scan of a long run of full stops. */
const ENDS = /^[\s,.;]+|(?<![\s,.;])[\s,.;]+$/g;
const LONGEST_CONDITIONS = 2000;

/** Null if there is no title line. */
export function readTitle(raw: string): TitleFacts | null {
  const text = squeezed(raw);
  const found = TITLE.exec(text);
  const raceNumber = countOf(found?.[1]);
  const distanceM = countOf(found?.[4]?.replaceAll(',', ''));
  if (!found || raceNumber === null || distanceM === null) return null;
  const below = text.slice(found.index + found[0].length);
  const conditions = conditionsIn(below);
  return {
    raceNumber,
    name: found[3]!.trim(),
    startLocal: found[2]?.replace(/\s/g, '').toUpperCase() ?? null,
    distanceM,
    raceClass: (conditions && CLASS.exec(conditions)?.[1]) ?? null,
    conditions,
    apprenticesCanClaim: claimIn(conditions),
    prizeTotal: dollarsOf(PRIZE.exec(below)?.[1]),
    prizes: prizesIn(below),
    trackName: labelled(below, 'Track Name'),
    trackType: labelled(below, 'Track Type'),
    fieldLimit: countOf(/^\d+/.exec(labelled(below, 'Field Limit') ?? '')?.[0]),
  };
}

/** `Apprentices can claim`, `Apprentices cannot claim`; null if neither is printed. */
function claimIn(conditions: string | null): boolean | null {
  const found = conditions && APPRENTICES.exec(conditions);
  return found ? found[1] === undefined : null;
}

export interface ResultTitleFacts {
  /** The winning time in seconds; null if none is printed, or if the first past the post did not win. */
  readonly winnerTimeS: number | null;
  /** The time of the race's last 600 m, in seconds. */
  readonly last600mS: number | null;
  /** The text around the title line, without the race's name, which may contain anything. */
  readonly text: string;
  /** The same text without the stewards' comments. */
  readonly official: string;
}

/** `Original 1st placegetter (Name) Disqualified`, `Protest … upheld`: the time belongs to a horse that did not win. */
const NOT_THE_WINNER = /\boriginal (?:1st|first|winner)\b|\bupheld\b/i;

/** What a results page adds to the title line. */
export function readResultTitle(raw: string): ResultTitleFacts {
  const text = squeezed(raw).replace(TITLE, ' ');
  const [official = '', comments = ''] = text.split(/\bOfficial Comments\s*:/i, 2);
  const timeS = secondsIn(labelled(official, 'Time'));
  const last600mS = secondsIn(labelled(official, 'Last 600m'));
  return { last600mS, winnerTimeS: NOT_THE_WINNER.test(comments) ? null : timeS, text, official };
}

/** `1:36.50`; `0:00.00` means no time. */
function secondsIn(text: string | null): number | null {
  const [, minutes = '0', seconds] = /^(?:(\d+):)?(\d{1,2}(?:\.\d+)?)/.exec(text ?? '') ?? [];
  return positiveOf(seconds === undefined ? null : Math.round((Number(minutes) * 60 + Number(seconds)) * 100) / 100);
}

function prizesIn(text: string): Readonly<Record<string, number>> | null {
  const rows = [...text.matchAll(PLACE)].flatMap(([, place, sum]) => {
    const value = dollarsOf(sum);
    return value === null ? [] : [[place!.toLowerCase(), value] as const];
  });
  return rows.length > 0 ? Object.fromEntries(rows) : null;
}

/** The text between the prize money and the first label: age, sex, class and handicap in the registry's own text. */
function conditionsIn(below: string): string | null {
  const label = LABELS.exec(below);
  const text = (label ? below.slice(0, label.index) : below).replace(PRIZE, '').replace(PLACE, '').replace(ENDS, '');
  return textOf(text, LONGEST_CONDITIONS);
}

/** The value after `label:` up to the next label. */
function labelled(text: string, label: string): string | null {
  const start = new RegExp(`\\b${label}\\s*:\\s*`, 'i').exec(text);
  if (!start) return null;
  const rest = text.slice(start.index + start[0].length);
  const end = LABELS.exec(rest);
  return textOf((end ? rest.slice(0, end.index) : rest).replace(ENDS, ''));
}
