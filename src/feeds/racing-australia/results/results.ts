// A meeting's results: the stage of each race, or why the meeting did not run.
import type { PublishedMeeting, PublishedRace } from '../../../domain/results/published-results';
import { countDrops, type Drops } from '../../reading/drops';
import { openPage, type Page, type Piece } from '../../reading/html';
import type { Mapped } from '../../transport/reply';
import { longDay, type MeetingKey, readKey, sameMeeting } from '../address';
import { raceTables, statedRunners, withStarts } from '../meeting-page';
import { linksIn, spaced, squeezed } from '../page';
import { type ReadResultRace, readResultRace } from './race';
import { RESULTS_SOURCE } from './runner';
import { isComplete, type PageFacts, withoutPartialFields } from './whole-fields';

/**
 * Null for another meeting's page, and for a page that is not a results page. A page without results yet has no races.
 */
export function mapResults(html: string, key: string): Mapped<PublishedMeeting> | null {
  const meeting = readKey(key);
  const $ = openPage(html);
  if (!meeting || !isOf($, meeting)) return null;
  const drops = countDrops();
  const read = readRaces($, drops);
  const note = read.some((race) => race.runners.some((runner) => runner.position !== null)) ? null : noteOf($);
  if (read.length === 0 && note === null && !NOT_OUT.test(spaced($, $('body')))) return null;
  const page = factsOf($, read);
  if (!isComplete(read, page)) drops.add('race_missing');
  drops.add('table_without_title', page.orphans);
  const races = withoutPartialFields(read, page);
  drops.add('race_field_partial', races.filter((race, i) => race.stage !== read[i]!.stage).length);
  const published = withStarts(races, meeting).map((race) => publishedRace(race, note));
  const { day, venue } = meeting;
  const value = { source: RESULTS_SOURCE, key, category: 'horse', day, venue, note, races: published } as const;
  return { value, bookAt: null, dropped: drops.counts() };
}

const NOT_OUT = /results for this meeting are not currently available/i;

/** Whether the day in the header and the meeting in the runners' links, if present, are this meeting's. */
function isOf($: Page, meeting: MeetingKey): boolean {
  const day = longDay($('.race-venue-date').first().text());
  const tables = $('table.race-strip-fields') as Piece;
  return (day === null || day === meeting.day) && linksIn($, tables).every((link) => sameMeeting(link, meeting));
}

/** Duplicate race number: keep the first, but mark it untrusted. */
function readRaces($: Page, drops: Drops): readonly ReadResultRace[] {
  const races = new Map<number, ReadResultRace>();
  for (const pair of raceTables($)) {
    const race = readResultRace($, pair, drops);
    const namesake = race && races.get(race.raceNumber);
    if (!race) drops.add('race_title_unreadable');
    else races.set(race.raceNumber, namesake ? { ...namesake, doubtful: true } : race);
    if (namesake) drops.add('race_number_repeated');
  }
  return [...races.values()].sort((a, b) => a.raceNumber - b.raceNumber);
}

function factsOf($: Page, races: readonly ReadResultRace[]): PageFacts {
  const anchors = $('a[name], a[href]').toArray();
  const numbers = anchors.map((a) => /^#?Race(\d+)$/i.exec($(a).attr('name') ?? $(a).attr('href') ?? '')?.[1]);
  return {
    statedStarters: statedRunners($),
    named: new Set(numbers.flatMap((digits) => (digits === undefined ? [] : Number(digits)))),
    orphans: $('table.race-strip-fields').length - races.filter((race) => race.tabled).length,
  };
}

/**
 * `transferred from` and `postponed from` mean that the meeting came here and runs. The text after the place (`due to
 * …`) is not part of its name.
 */
const NOTICE =
  /\bmeeting\s+(?:has been\s+|was\s+|is\s+)?(abandoned|postponed|transferred)(?!\s+from\b)(?:\s+to\s+([^.,;:(]{2,60}?)(?=\s+(?:after|as|because|due|following|on|owing)\b|[.,;:(]|$))?/i;

/**
 * In the contract's terms (A 3). The destination is kept only for a transfer: `postponed to Tuesday` becomes
 * `postponed`.
 */
function noteOf($: Page): string | null {
  const [, what, where] = NOTICE.exec(innermost($, $('body')) ?? '') ?? [];
  const kind = what?.toLowerCase() ?? null;
  return kind === 'transferred' && where !== undefined ? `transferred to ${where.trim()}` : kind;
}

/** The text of the innermost element with a notice, because the text after it is not part of the sentence. */
function innermost($: Page, piece: Piece): string | null {
  const text = squeezed(piece.text());
  if (!NOTICE.test(text)) return null;
  const below = piece.children().toArray().reverse();
  for (const child of below) {
    const found = innermost($, $(child));
    if (found !== null) return found;
  }
  return text;
}

function publishedRace(
  race: ReadResultRace & { readonly startTime: string | null },
  note: string | null,
): PublishedRace {
  const stage = note === null ? race.stage : 'abandoned';
  const { raceNumber, startTime, distanceM, name } = race;
  const runners = stage === 'interim' || stage === 'final' ? race.runners : [];
  const byNumber = [...runners].sort((a, b) => a.number - b.number);
  return { raceNumber, startTime, distanceM, raceName: name || null, stage, runners: byNumber };
}
