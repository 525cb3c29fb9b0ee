// A meeting's acceptances: pairs of a title table and a table of runners, under a header with the track's condition.
import type { RegistryCard, RegistryRace, RegistryRunner, RegistryTrack } from '../../domain/registry/registry';
import { countDrops, type Drops } from '../reading/drops';
import { openPage, type Page } from '../reading/html';
import { countOf, positiveOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import { readKey } from './address';
import { raceTables, statedRunners, withStarts } from './meeting-page';
import { cellText, readRows, spaced, type TableRow } from './page';
import { readTitle } from './race-title';
import { jockeyIn, linkedCode, numberIn } from './runner-cells';

/** Null if the page has no race: a stub, or a meeting whose acceptances are not published yet. */
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

function readRunner(row: TableRow): RegistryRunner | null {
  const text = (name: string): string | null => cellText(row.get(name)?.text);
  const numbered = numberIn(row);
  const name = text('horse');
  if (numbered === null || name === null) return null;
  return {
    ...numbered,
    name,
    horseCode: linkedCode(row, 'horse', 'horsecode'),
    raceEntryCode: linkedCode(row, 'horse', 'raceentry'),
    barrier: countOf(text('barrier')),
    ...jockeyIn(row),
    jockeyCode: linkedCode(row, 'jockey', 'jockeycode'),
    trainer: text('trainer'),
    trainerCode: linkedCode(row, 'trainer', 'trainercode'),
    weightKg: positiveOf(text('weight')?.replace(/\s*kg$/i, '')),
    last10: text('last10'),
    rating: positiveOf(text('hcprating')),
  };
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
  const after = (label: string): string | null => cellText(valueAfter(text, label)?.replace(/[,.;]$/, ''));
  return {
    rail: after('Rail Position'),
    trackCondition: after('Track Condition'),
    trackType: after('Track Type'),
    weather: after('Weather'),
    penetrometer: after('Penetrometer'),
  };
}

/** The text between a label and the next one. */
function valueAfter(text: string, label: string): string | undefined {
  const start = new RegExp(`${label} ?:?`, 'i').exec(text);
  if (!start) return undefined;
  const rest = text.slice(start.index + start[0].length);
  const others = LABELS.filter((other) => other !== label).join('|');
  const end = rest.search(new RegExp(`(?:${others})\\b`, 'i'));
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}
