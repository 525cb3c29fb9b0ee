// Pages designed to cost time: an expression that backtracks, elements that a parser keeps open, endless nesting or
// repetition. No page of this size may block the process: with quadratic cost each of these took from two seconds to
// half a minute, or all memory.
import { mapAcceptances } from '../../src/feeds/racing-australia/acceptances';
import { mapCalendar } from '../../src/feeds/racing-australia/calendar';
import { mapResultsCalendar } from '../../src/feeds/racing-australia/results/calendar';
import { mapResults } from '../../src/feeds/racing-australia/results/results';
import { mapScratchings } from '../../src/feeds/racing-australia/scratchings';
import { mapTrackConditions } from '../../src/feeds/racing-australia/track-condition';
import { mapRacePage } from '../../src/feeds/tabtouch/map';
import { wallIn } from '../../src/feeds/transport/refusal';

const LENGTH = 300_000;
/** Processor time. A tenth of this is enough. */
const BEARABLE_MS = 5000;
const TRIES = 3;

const KEY = '2026Nov20,VIC,Sportsbet-Ballarat';
const many = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length));
const title = (text: string): string => `<table class="race-title"><tr><td>${text}</td></tr></table>`;
const below = (text: string): string => title(`Race 1 - 1:10PM X (1200 METRES) ${text}`);
const header = (text: string): string => `<div class="race-venue-bottom">${text}</div>${below('')}`;
const row = (cell: string): string =>
  `${below('')}<table class="race-strip-fields"><tr><th>Finish</th><th>No</th><th>Horse</th><th>Jockey</th></tr>
<tr><td>1</td><td>1</td><td>${cell}</td><td>${cell}</td></tr></table>`;
const calendar = (text: string): string => `<table class="race-fields"><tr><td>${text}</td></tr></table>`;
const fonts = Array.from({ length: LENGTH / 20 }, (_, i) => `<font size=${i}><p>`).join('');
const MODEL = '<script>var model = {"pool":{"legs":[{"raceNumber":1,"starters":[]}]}};</script>';

const PAGES: Readonly<Record<string, string>> = {
  'titles that do not end': many('<title'),
  'races that do not end': title(many('Race 1 - ')),
  'brackets in a title': title(`Race 1 - ${many('(1')}`),
  'digits in a title': title(`Race 1 - (${many('1')}`),
  'stops before the end': below(`${many(',')}x`),
  'stops in a label': below(`Track Name: ${many(',')}x`),
  'stops and blanks': below(`${many(', ')}x`),
  labels: below(many('Track Name: x ')),
  'a class without end': below(`Class ${many('1')}_`),
  'counts that do not end': header(many('Total Number of ')),
  'rails that do not end': header(many('Rail Position ')),
  'notices that do not end': `<p>${many('meeting was transferred to ')}`,
  'notices in each other': many('<span>meeting abandoned'),
  'riders that claim and claim': row(many('(a1')),
  'a claim without end': row(`(a${many('1')}`),
  'rows in a cell': row(many('<tr>')),
  'cells in a cell': row(many('<td>')),
  'rows without end': `<table class="race-strip-fields">${many('<tr><td>1</td></tr>')}</table>`,
  'trials that do not end': calendar(many('(jump ')),
  'a key without end': calendar(`<a href="/FreeFields/Results.aspx?Key=${many(', ')}trial">x</a>`),
  'days that do not end': `<span class="race-venue-date">${many('1 aaa ')}</span>${below('')}`,
  'elements in each other': `${many('<div>')}meeting abandoned`,
  'tables in each other': many('<table class="race-title"><tr><td>'),
  'as many elements in each other as are read': '<div>'.repeat(19_000),
  'elements left open': many('<b><p>'),
  'fonts left open': fonts,
  'tables beside each other': many('<table class="race-title">x</table>'),
  'comments left open': many('<!--'),
  'models that do not end': many('<script>var model = {'),
  'runners in one row': `<table><tr>${many('<td class="acceptor">x</td>')}</tr></table>`,
};

const MAPPERS: readonly ((html: string) => unknown)[] = [
  wallIn,
  (html) => mapAcceptances(html, KEY),
  (html) => mapResults(html, KEY),
  mapCalendar,
  (html) => mapResultsCalendar(html, '2026-11-01', '2026-11-30'),
  (html) => mapScratchings(html, KEY),
  (html) => mapTrackConditions(html, '2026-11-21'),
  (html) =>
    mapRacePage(`${MODEL}<p class="dividends-as-at">Dividends as at</p>${html}`, {
      day: '2026-11-21',
      code: 'x',
      raceNumber: 1,
    }),
];

/**
 * Other work of the machine, or a standstill, does not count as the mapper's time: the quickest of several runs counts.
 */
function quickestMs(work: () => unknown): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && quickest >= BEARABLE_MS; i++) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    quickest = Math.min(quickest, (user + system) / 1000);
  }
  return quickest;
}

test.each(Object.entries(PAGES))('%s', (_, html) => {
  for (const map of MAPPERS) expect(quickestMs(() => map(html))).toBeLessThan(BEARABLE_MS);
});
