// A meeting's acceptances: pairs of a title table and a table of runners, under a header that says how the track is.
import type { RegistryCard, RegistryRace, RegistryRunner, RegistryTrack } from '../../domain/registry';
import { stateInstant } from '../../domain/state-time';
import { countDrops, type Drops } from '../drops';
import { countOf, positiveOf } from '../read';
import type { Mapped } from '../reply';
import { codeIn, type MeetingKey, readKey } from './address';
import { openPage, type Page, type Piece, readRows, said, spaced, type TableRow } from './page';
import { readTitle } from './race-title';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Null when the page holds no race: a stub, or a meeting whose acceptances are not out. */
export function mapAcceptances(html: string, key: string): Mapped<RegistryCard> | null {
  const meeting = readKey(key);
  const $ = openPage(html);
  if (!meeting) return null;
  const drops = countDrops();
  const races = readRaces($, drops);
  if (races.length === 0) return null;
  const card = { key, track: trackOf($), statedRunners: statedRunners($), races: withStarts(races, meeting) };
  return { value: card, bookAt: null, dropped: drops.counts() };
}

type UndatedRace = Omit<RegistryRace, 'startTime'>;

function readRaces($: Page, drops: Drops): readonly UndatedRace[] {
  return raceTables($).flatMap(({ title, table }) => {
    const facts = readTitle(title);
    const rows = table && readRows($, table, ['no', 'horse']);
    if (!facts) drops.add('race_title_unreadable');
    else if (!rows) drops.add('race_runners_missing');
    else return [{ ...facts, runners: readRunners(rows, drops) }];
    return [];
  });
}

/** Each title with the table of runners that follows it before the next title. */
export function raceTables($: Page): readonly { readonly title: string; readonly table: Piece | null }[] {
  const tables = $('table.race-title, table.race-strip-fields').toArray();
  return tables.flatMap((element, i) => {
    if (!$(element).hasClass('race-title')) return [];
    const next = tables[i + 1];
    const table = next && !$(next).hasClass('race-title') ? $(next) : null;
    return [{ title: spaced($, $(element)), table }];
  });
}

function readRunners(rows: readonly TableRow[], drops: Drops): readonly RegistryRunner[] {
  const runners = new Map<number, RegistryRunner>();
  for (const row of rows) {
    const runner = readRunner(row);
    if (!runner) drops.add('runner_unreadable');
    else if (runners.has(runner.number)) drops.add('runner_number_repeated');
    else runners.set(runner.number, runner);
  }
  return [...runners.values()];
}

const NUMBER = /^(\d{1,2})\s*(e?)$/i;
/** `Ms Grace Palmer(a3/52kg)`: an apprentice who claims 3 kg and rides at 52. */
const JOCKEY = /^(.*?)\s*\((a)(\d+(?:\.\d+)?)?(?:\/\d+(?:\.\d+)?kg)?\)\s*$/i;

function readRunner(row: TableRow): RegistryRunner | null {
  const text = (name: string): string | null => said(row.get(name)?.text);
  const [, digits, emergency] = NUMBER.exec(text('no') ?? '') ?? [];
  const number = countOf(digits);
  const name = text('horse');
  if (number === null || name === null) return null;
  const [, rider, , claim] = JOCKEY.exec(text('jockey') ?? '') ?? [];
  const link = (column: string, code: string): string | null =>
    row
      .get(column)
      ?.links.map((href) => codeIn(href, code))
      .find((found) => found !== null) ?? null;
  return {
    number,
    name,
    emergency: emergency !== '',
    horseCode: link('horse', 'horsecode'),
    raceEntryCode: link('horse', 'raceentry'),
    barrier: countOf(text('barrier')),
    jockey: rider ?? text('jockey'),
    jockeyCode: link('jockey', 'jockeycode'),
    claimKg: positiveOf(claim),
    trainer: text('trainer'),
    trainerCode: link('trainer', 'trainercode'),
    weightKg: positiveOf(text('weight')?.replace(/\s*kg$/i, '')),
    last10: text('last10'),
    rating: positiveOf(text('hcprating')),
  };
}

/** Local times in race order: one that is earlier than the race before it is past midnight. */
function withStarts(races: readonly UndatedRace[], { day, state }: MeetingKey): readonly RegistryRace[] {
  let lastMs = 0;
  return races.map((race) => {
    const startTime = race.startLocal && stateInstant(day, race.startLocal, state);
    if (!startTime) return { ...race, startTime: null };
    const ms = Date.parse(startTime);
    lastMs = ms < lastMs - HOUR_MS ? ms + DAY_MS : ms;
    return { ...race, startTime: new Date(lastMs).toISOString() };
  });
}

const LABELS = [
  'Rail Position',
  'Track Condition',
  'Track Type',
  'Weather',
  'Penetrometer',
  'Results Last Published',
  'Total Number',
];

function trackOf($: Page): RegistryTrack {
  const text = spaced($, $('div.race-venue-bottom'));
  const after = (label: string): string | null => said(valueAfter(text, label)?.replace(/[,.;]$/, ''));
  return {
    rail: after('Rail Position'),
    trackCondition: after('Track Condition'),
    trackType: after('Track Type'),
    weather: after('Weather'),
    penetrometer: after('Penetrometer'),
  };
}

function valueAfter(text: string, label: string): string | undefined {
  const others = LABELS.filter((other) => other !== label).join('|');
  return new RegExp(`${label}\\s*:?\\s*(.*?)\\s*(?:(?:${others})\\b|$)`, 'i').exec(text)?.[1];
}

/** `Total Number of acceptors for this meeting (including emergencies) 98`. */
function statedRunners($: Page): number | null {
  const text = spaced($, $('div.race-venue-bottom'));
  return countOf(/Total Number of .*?including emergencies\s*\)?\s*:?\s*(\d+)/i.exec(text)?.[1]);
}
