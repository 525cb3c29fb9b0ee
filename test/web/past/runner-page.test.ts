// The page of a runner: its record, its runs as text, and the line of a price.
import { priceLine } from '../../../src/web/past/price-line';
import type { RunnerRun, RunnerView } from '../../../src/web/past/runner/model';
import { runnerMain, runnerTitle } from '../../../src/web/past/runner/page';
import { createRunners } from '../../../src/web/past/runner/runners';
import { runnerName } from '../../../src/web/race-parts';
import { race } from '../board/live-race';

const TODAY = '2026-11-22';
const NOW = Date.parse('2026-11-22T03:00:00Z');
const HOSTILE = '<b>Bold & "Quick"</b>';
const run = (over: Partial<RunnerRun> = {}): RunnerRun => ({
  race_id: 'a',
  meeting_date: '2026-11-21',
  venue: 'Randwick',
  race_number: 4,
  distance_m: 1200,
  track_condition: 'Good4',
  race_class: 'BM78',
  status: 'ran',
  position: 2,
  field_size: 11,
  abnormal: null,
  margin: '0.75L',
  sp: 6.5,
  box: 3,
  jockey: 'A. Rider',
  trainer: 'B. Trainer',
  weight_kg: 57.5,
  prices: [null, 8, 7.5, 7, 6.5, 6, 5.5],
  ...over,
});
const view = (over: Partial<RunnerView> = {}): RunnerView => ({
  category: 'horse',
  key: 'goldtrip',
  name: 'Gold Trip',
  animals: 1,
  coming: [],
  page: null,
  groups: [],
  runs: [run()],
  runsTotal: 1,
  since: '2026-11-21',
  record: { starts: 1, wins: 0, places: 1, winPct: 0, placePct: 100 },
  ...over,
});
const textOf = (of: RunnerView): string =>
  runnerMain(of, TODAY, NOW)
    .text.replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

test('a run has its race, finish, connections and price; unknown ones are left out', () => {
  expect(textOf(view())).toMatch(
    /Gold Trip Thoroughbred: 1 start since Sat 21 Nov, 0 wins, 1 place\. Runs Sat 21 Nov Randwick R4 1200 m · Good 4 · BM78 2nd of 11 0\.75L · SP 6\.50 · barrier 3 J: A\. Rider · T: B\. Trainer · 57\.5 kg 8\.00 → 5\.50/,
  );
  expect(textOf(view({ category: 'greyhound' }))).toContain('· box 3 J:');
  expect(runnerMain(view(), TODAY, NOW).text).toContain('href="/race/a/past"');
  const bare = run({
    race_id: null,
    distance_m: null,
    track_condition: null,
    race_class: null,
    position: null,
    abnormal: 'Fell',
    margin: null,
    sp: null,
    box: null,
    jockey: null,
    trainer: null,
    weight_kg: null,
    prices: [],
  });
  const page = view({
    runs: [bare, run({ status: 'scratched', position: null }), run({ status: 'reserve' })],
    runsTotal: 9,
  });
  expect(textOf(page)).toMatch(
    /Randwick R4 Fell – Sat 21 Nov .* Scratched .* Reserve .* The latest 3 runs are shown\./,
  );
  expect(runnerMain(view({ runs: [bare] }), TODAY, NOW).text).not.toContain('href="/race/');
});

test('without a run the page says so; names are text', () => {
  const empty = { starts: 0, wins: 0, places: 0, winPct: null, placePct: null };
  const none = view({ name: null, runs: [], runsTotal: 0, since: null, record: empty });
  expect(textOf(none)).toContain('goldtrip No run is stored under this name yet.');
  expect(runnerTitle(none)).toBe('Runs of goldtrip');
  const hostile = run({ venue: HOSTILE, jockey: HOSTILE, trainer: HOSTILE, race_class: HOSTILE, margin: HOSTILE });
  const page = runnerMain(view({ name: HOSTILE, runs: [hostile] }), TODAY, NOW).text;
  expect(page).not.toContain('<b>Bold');
  expect(page.split('&lt;b&gt;Bold').length).toBe(7);
});

test('runs of several animals are not added up, and few starts have counts without a share', () => {
  const several = view({ animals: 2, record: null });
  expect(textOf(several)).toContain('2 animals of this name are among these runs, and are not added up.');
  const group = (starts: number) => ({
    ...{
      track: 'Randwick',
      distanceM: null,
      box: null,
      grade: null,
      avgTimeS: null,
      bestTimeS: null,
      avgFirstSplitS: null,
    },
    ...{ starts, wins: 1, places: 2, winPct: 100 / starts, placePct: 200 / starts },
  });
  const grouped = view({ groups: [{ by: 'track', rows: [group(10), group(9)] }] });
  expect(textOf(grouped)).toMatch(/Randwick 10 1 \(10%\) 2 \(20%\) – Randwick 9 1 2 –/);
});

test('the registry’s page says when it was read, and whether the horse has started since', () => {
  const record = { starts: 12, wins: 3, seconds: 2, thirds: 1 };
  const profile = {
    ...{ ageSex: '5yo gelding', colours: null, dam: null, dob: null, lastGearChange: 'Blinkers on <b>', sire: null },
    ...{ trainer: 'B. Trainer', trainerLocation: 'Wyong' },
  };
  const page = {
    ...{ name: 'Gold Trip', code: '77', readMs: NOW - 3_600_000, startedSince: true, profile },
    career: { ...record, prizemoney: 1000, splits: { heavy: { ...record, starts: 1 } } },
  };
  const text = textOf(view({ page }));
  expect(text).toMatch(/Read 1:00 pm AEDT under its code 77; .* It has started since/);
  expect(text).toMatch(
    /Last gear change Blinkers on &lt;b&gt; .*Trainer B\. Trainer, Wyong .*Career 12 3 2 1 Heavy 1 3 2 1/,
  );
  expect(text).not.toContain('Sire');
});

test('the line is by ratio: it ends where the price does, and a single price makes no line', () => {
  const of = (...prices: (number | null)[]) => priceLine([...prices, ...Array(7 - prices.length).fill(null)]).text;
  const heights = (text: string) => [...text.matchAll(/[\d.]+,([\d.]+)/g)].map(([, height]) => Number(height));
  const [first, middle, last] = heights(of(2, 4, 8)) as [number, number, number];
  expect(first - middle).toBeCloseTo(middle - last, 1);
  expect(of(8, 4)).toContain('price-line went-in');
  expect(of(4, 8)).toContain('price-line went-out');
  expect(of(4, 4)).toContain('price-line steady');
  expect(of(8, null, 4)).toContain('aria-label="Consensus: 60 minutes out 8.00, 15 minutes out 4.00"');
  expect([of(4), of()].map((text) => text.replace(/<[^>]+>/g, ''))).toEqual(['4.00', '–']);
});

test('names link to runs if runs are collected', () => {
  const link = (over: object, name = "Gold O'Trip (NZ)") =>
    runnerName({ ...race(), raceId: 'a', ...over } as never, name).text;
  expect(link({ category: 'horse', country: 'AU' })).toBe('<a href="/horse/goldotrip">Gold O&#39;Trip (NZ)</a>');
  expect(link({ category: 'greyhound', country: 'AU' }, 'Namesake')).toContain('href="/greyhound/namesake"');
  for (const over of [
    { category: 'harness', country: 'AU' },
    { category: 'horse', country: 'NZ' },
    { category: 'horse', country: null },
  ])
    expect(link(over)).not.toContain('href');
  expect(link({ category: 'horse', country: 'AU' }, '…')).toBe('…');
});

test('only keys are read, each at most once in two seconds', async () => {
  let nowMs = 0;
  const read: string[] = [];
  const source = {
    async runner(_: string, key: string) {
      read.push(key);
      const { coming: _coming, ...stored } = view({ key });
      return { ...stored, starts: [], onBoard: [] };
    },
  };
  const runners = createRunners({ source, now: () => nowMs });
  for (const key of ['Gold', 'gold-trip', '', 'x'.repeat(101)]) expect(await runners.runner('horse', key)).toBeNull();
  await runners.runner('horse', 'goldtrip');
  await runners.runner('horse', 'goldtrip');
  await runners.runner('greyhound', 'goldtrip');
  nowMs = 2000;
  await runners.runner('horse', 'goldtrip');
  expect(read).toEqual(['goldtrip', 'goldtrip', 'goldtrip']);
});
