// A horse's form page (B 2.5): a line as public readers of the site quote it, with each of its parts missing, and the
// simulated pages compared with the races that they describe.

import { addDays } from '../../../src/domain/time/aet';
import { mapHorseForm } from '../../../src/feeds/racing-australia/horse-form/horse-form';
import { codeText, horseCodeOf, stateOf } from '../../../src/simulator/registry/meetings';
import { officialField } from '../../../src/simulator/registry/official-field';
import { racingAustralia } from '../../../src/simulator/registry/racing-australia';
import { createWorld, racesOf } from '../../../src/simulator/world/world';

const line = (pos: string, remain: string): string =>
  `<table class="interactive-race-fields"><tr class="OddRow"><td class="Pos">${pos}</td><td class="remain">${remain}</td></tr></table>`;
const pageOf = (body: string): string =>
  `<html><body><table class="horse-search-details"><tr><td><h2 class="first">TASSO (NZ) (Late: OLD NAME)</h2> 3yo Bay/Brown Gelding D.O.B: 29-Oct-2022 by SIRE (USA) from THE DAM View Pedigree</td></tr></table>${body}</body></html>`;
const link = (page: string, query: string, text: string): string =>
  `<a class="GreenLink" href="${page}.aspx?${query}">${text}</a>`;
const MEETING = `<b>${link('Meeting', `meetcode=${codeText(123)}`, 'BRAT 29Jun25')}</b>`;
const JOCKEY = link('JockeyLastRuns', `jockeycode=${codeText(456)}`, 'John Allen');
const HORSES = `1st ${link('HorseFullForm', `horsecode=${codeText(77)}`, 'Tassron')} 59.5kg, 2nd ${link('HorseAllForm', 'HorseCode=zzz', 'Autumnheat')} 59kg`;
const WHOLE = `${MEETING} 1500m Soft7 MDN-SW $37,500 ($750) ${JOCKEY} 57.5kg Barrier 7 ${HORSES} 1:34.04 (600m 36.89), 7.9L, 5th@800m, 6th@400m, $10/$16/$15/$16`;

const runsOf = (body: string) => mapHorseForm(pageOf(body), '9')!.value.runs;

test('reads every fact of a line', () => {
  expect(runsOf(line('7th of 11', WHOLE))).toEqual([
    {
      date: '2025-06-29',
      track: 'BRAT',
      raceNumber: null,
      trial: false,
      resultRaw: '7th of 11',
      position: 7,
      fieldSize: 11,
      distanceM: 1500,
      going: 'Soft',
      goingRating: 7,
      raceClass: 'MDN-SW',
      prizeTotal: 37_500,
      prizeWon: 750,
      jockey: 'John Allen',
      jockeyCode: '456',
      meetCode: '123',
      weightKg: 57.5,
      barrier: 7,
      timeS: 94.04,
      sectionalDistanceM: 600,
      sectionalTimeS: 36.89,
      marginLengths: 7.9,
      inRunning: [
        { atM: 800, position: 5 },
        { atM: 400, position: 6 },
      ],
      prices: [10, 16, 15, 16],
      sp: 16,
      placegetters: [
        { name: 'Tassron', position: 1, code: '77', weightKg: 59.5 },
        { name: 'Autumnheat', position: 2, code: null, weightKg: 59 },
      ],
    },
  ]);
});

test('a placegetter whose name is part of another’s has its own place and weight', () => {
  const horse = (code: number, name: string) => link('HorseFullForm', `horsecode=${codeText(code)}`, name);
  const horses = `1st ${horse(1, 'Bella Rosa')} 56kg, 2nd ${horse(2, 'Bella')} 55.5kg, 3rd ${horse(3, 'Rosa')} 54kg`;
  expect(runsOf(line('7th of 11', WHOLE.replace(HORSES, horses)))[0]!.placegetters).toEqual([
    { name: 'Bella Rosa', position: 1, code: '1', weightKg: 56 },
    { name: 'Bella', position: 2, code: '2', weightKg: 55.5 },
    { name: 'Rosa', position: 3, code: '3', weightKg: 54 },
  ]);
});

test.each([
  ['no prize', WHOLE.replace(' $37,500 ($750)', ''), { prizeTotal: null, prizeWon: null, raceClass: 'MDN-SW' }],
  ['nothing won', WHOLE.replace(' ($750)', ''), { prizeTotal: 37_500, prizeWon: 0 }],
  ['no jockey', WHOLE.replace(JOCKEY, ''), { jockey: null, jockeyCode: null, weightKg: 57.5, raceClass: 'MDN-SW' }],
  [
    'no sectional',
    WHOLE.replace(' (600m 36.89)', ''),
    { timeS: 94.04, sectionalDistanceM: null, sectionalTimeS: null },
  ],
  ['no time', WHOLE.replace('1:34.04 (600m 36.89), ', ''), { timeS: null, marginLengths: 7.9 }],
  ['under a minute', WHOLE.replace('1:34.04', '0:58.5'), { timeS: 58.5 }],
  ['no places in running', WHOLE.replace('5th@800m, 6th@400m, ', ''), { inRunning: [], sp: 16 }],
  ['no market', WHOLE.replace(' $10/$16/$15/$16', ''), { prices: [], sp: null }],
  ['a starting price of 0', WHOLE.replace('$10/$16/$15/$16', '$0/$16/$15/$0'), { prices: [16, 15], sp: null }],
  ['a favourite', WHOLE.replace('$15/$16', '$2.40F'), { sp: 2.4 }],
  ['a going without a rating', WHOLE.replace('Soft7', 'Synthetic'), { going: 'Synthetic', goingRating: null }],
])('a line with %s keeps the rest', (_, remain, facts) => {
  expect(runsOf(line('7th of 11', remain))[0]).toMatchObject(facts);
});

test('a trial has a letter, and neither market nor weights', () => {
  const remain = WHOLE.replace('57.5kg', '0kg').replace('$37,500 ($750)', '$0 ($0)');
  expect(runsOf(line('<i><b>T</b> 3rd of 7</i>', remain))[0]).toMatchObject({
    trial: true,
    position: 3,
    fieldSize: 7,
    weightKg: 0,
    prizeTotal: 0,
    prizeWon: 0,
    prices: [],
    sp: null,
  });
});

test('a runner without a place keeps the reason', () => {
  expect(runsOf(line('FF of 9', WHOLE))[0]).toMatchObject({ position: null, fieldSize: 9, resultRaw: 'FF of 9' });
});

test('a line without a meeting is dropped and counted; a page without a horse is empty', () => {
  const { value, dropped } = mapHorseForm(pageOf(line('1st of 2', 'nothing to read')), '9')!;
  expect(value.runs).toEqual([]);
  expect(dropped).toEqual({ form_run_unreadable: 1 });
  expect(mapHorseForm('<html><title>Are you human?</title></html>', '9')).toBeNull();
});

test('the profile, without the former name', () => {
  const { name, profile, career } = mapHorseForm(pageOf(''), '9')!.value;
  expect([name, profile.ageSex, profile.dob, profile.sire, profile.dam, career]).toEqual([
    'TASSO (NZ)',
    '3yo Bay/Brown Gelding',
    '2022-10-29',
    'SIRE (USA)',
    'THE DAM',
    null,
  ]);
});

describe('simulated pages', () => {
  const world = createWorld({ seed: 'form' });
  const DAY = '2026-11-21';
  const nowMs = Date.parse('2026-11-20T12:59:00Z');
  const site = racingAustralia(world);
  const entries = racesOf(world, DAY)
    .filter(({ meeting }) => stateOf(meeting) !== null)
    .flatMap((race) => race.runners.map((runner) => ({ race, runner })));
  const readPage = (code: number, atMs = nowMs) => {
    const { body } = site({
      method: 'GET',
      body: '',
      path: '/InteractiveForm/HorseFullForm.aspx',
      url: '',
      baseUrl: '',
      query: new URLSearchParams({ horsecode: Buffer.from(String(code)).toString('base64') }),
      header: () => '',
      nowMs: atMs,
    });
    return mapHorseForm(String(body), String(code));
  };
  const { race, runner } = entries.find((one) => one.runner.form.length >= 9)!;
  const form = readPage(horseCodeOf(race, runner))!.value;

  test('are the runs of the world, newest first', () => {
    const turns = Array.from({ length: 20 }, (_, i) => addDays(DAY, -world.turnDays * (i + 1))).filter(
      (day) => day >= '2026-08-01',
    );
    const run = turns.flatMap((day) =>
      racesOf(world, day).flatMap((past) => {
        const one = stateOf(past.meeting) && officialField(past, 9e15).find(({ name }) => name === runner.name);
        return one && one.status === 'ran' ? [{ past, one }] : [];
      }),
    );
    expect(form.runs.length).toBeGreaterThanOrEqual(9);
    expect(
      form.runs.map(({ date, track, position, sp, weightKg, jockey, barrier }) => [
        date,
        track,
        position,
        sp,
        weightKg,
        jockey,
        barrier,
      ]),
    ).toEqual(
      run.map(({ past, one }) => [
        past.meeting.day,
        past.meeting.track.mnemonic,
        one.position,
        one.sp,
        one.weightKg,
        one.jockey,
        one.barrier,
      ]),
    );
  });

  test('have a career that adds up to the runs', () => {
    const at = (place: number): number => form.runs.filter(({ position }) => position === place).length;
    const won = form.runs.reduce((sum, { prizeWon }) => sum + prizeWon!, 0);
    const { splits, prizemoney, ...all } = form.career!;
    expect(all).toEqual({ starts: form.runs.length, wins: at(1), seconds: at(2), thirds: at(3) });
    expect(prizemoney).toBe(Math.round(won));
    const goings = (['firm', 'good', 'soft', 'heavy', 'synthetic'] as const).map((going) => splits[going]!.starts);
    expect(goings.reduce((sum, starts) => sum + starts, 0)).toBe(form.runs.length);
    expect(splits.track!.starts).toBe(form.runs.filter(({ track }) => track === race.meeting.track.mnemonic).length);
    expect(splits.distance!.starts).toBe(form.runs.filter(({ distanceM }) => distanceM === race.distanceM).length);
  });

  test('an old code opens the same page, a placegetter has a page, an invented code has none', () => {
    const { name, runs } = form;
    const { code } = runs.flatMap(({ placegetters }) => placegetters)[0]!;
    expect(readPage(Number(code))!.value.name).toBe(
      runs.flatMap(({ placegetters }) => placegetters)[0]!.name.toUpperCase(),
    );
    const last = racesOf(world, runs[0]!.date).find(
      (one) => stateOf(one.meeting) && one.runners.some((each) => each.name === runner.name),
    )!;
    const old = horseCodeOf(last, last.runners.find((each) => each.name === runner.name)!);
    expect(readPage(old)!.value).toMatchObject({ name, runs });
    for (const made of [0, 1, 1e15, horseCodeOf(race, runner) + 99_000_000]) expect(readPage(made)).toBeNull();
  });

  test('a run appears once its result is published, and not before', () => {
    const published = form.runs[0]!.date;
    const before = readPage(horseCodeOf(race, runner), Date.parse(`${published}T00:00:00Z`) - 86_400_000 * 2);
    expect(before?.value.runs.map(({ date }) => date) ?? []).not.toContain(published);
  });

  const all = entries.filter((_, i) => i % 9 === 0).map((one) => readPage(horseCodeOf(one.race, one.runner))!);

  test('have about ten runs each, over three months, each on one of the horse’s racing days', () => {
    const dates = all.map(({ value }) => value.runs.map(({ date }) => date));
    const counts = dates.map(({ length }) => length).sort((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeGreaterThanOrEqual(8);
    expect(counts[Math.floor(counts.length / 10)]).toBeGreaterThanOrEqual(4);
    const daysBack = dates.flat().map((date) => Math.round((Date.parse(DAY) - Date.parse(date)) / 86_400_000));
    expect(daysBack.filter((days) => days <= 0 || days % world.turnDays !== 0)).toEqual([]);
    // The world began on 1 August: every month since then has its runs.
    expect(new Set(dates.flat().map((date) => date.slice(0, 7)))).toEqual(
      new Set(['2026-08', '2026-09', '2026-10', '2026-11']),
    );
  });

  test('every line of a day is read completely', () => {
    expect(all.flatMap(({ dropped }) => Object.keys(dropped))).toEqual([]);
    const runs = all.flatMap(({ value }) => value.runs);
    expect(runs.length).toBeGreaterThan(500);
    const lacking = runs.filter(
      (run) =>
        run.position !== null &&
        (run.sp === null ||
          run.timeS === null ||
          run.placegetters.length < 2 ||
          run.prizeTotal === null ||
          run.meetCode === null ||
          run.jockeyCode === null),
    );
    expect(lacking).toEqual([]);
  });
});
