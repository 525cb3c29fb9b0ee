// The parts of the command line, each by itself. Never: a character that a terminal obeys, a stale price without its
// age, a line wider than the terminal, a file under its final name that is not whole.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type * as Clock from '../../../clients/odds/src/board/clock.ts';
import type * as Past from '../../../clients/odds/src/board/past.ts';
import type * as Quotes from '../../../clients/odds/src/board/quotes.ts';
import type { Race } from '../../../clients/odds/src/board/quotes.ts';
import type * as RaceTable from '../../../clients/odds/src/board/race-table.ts';
import type * as Manifests from '../../../clients/odds/src/files/manifests.ts';
import type * as VerifiedFile from '../../../clients/odds/src/files/verified-file.ts';
import type * as Plain from '../../../clients/odds/src/text/plain.ts';
import type * as Times from '../../../clients/odds/src/text/times.ts';
import { exampleNextRace } from '../../../src/api/operations/prices/next-to-go-example';
import { bestWin } from '../../../src/domain/prices/best-price';
import { oddsModule } from '../../support/clients/odds';
import { runs } from '../../support/property';

const { jsonText, plain, widthOf } = oddsModule<typeof Plain>('text/plain.ts');
const { ageText, countdownText } = oddsModule<typeof Times>('text/times.ts');
const { ServiceClock } = oddsModule<typeof Clock>('board/clock.ts');
const { RaceClock } = oddsModule<typeof Past>('board/past.ts');
const { quotesOn } = oddsModule<typeof Quotes>('board/quotes.ts');
const { raceLines } = oddsModule<typeof RaceTable>('board/race-table.ts');
const { saveKeys, trustedKeys } = oddsModule<typeof Manifests>('files/manifests.ts');
const { fetchFile, isThere } = oddsModule<typeof VerifiedFile>('files/verified-file.ts');

const CONTROL = /[\p{C}\p{Zl}\p{Zp}]/u;
const anyText = fc.string({ unit: 'binary' });
const nasty = fc.oneof(
  anyText,
  fc.constantFrom('\u001b[2J', '\u009b31m', '\u202egnp.exe', 'a\rb', '名馬', 'é', '\ud800'),
);

test('no text from a feed has a character that a terminal obeys, and JSON has the same value without one', () => {
  const check = (text: string) => {
    expect(plain(text)).not.toMatch(CONTROL);
    expect(JSON.parse(jsonText({ text }))).toEqual({ text });
    expect(jsonText({ text })).not.toMatch(CONTROL);
    expect(jsonText([text], 2).replaceAll('\n', '')).not.toMatch(CONTROL);
  };
  fc.assert(fc.property(nasty, check), { numRuns: runs(2000) });
});

test('ages are rounded down, and a countdown states when the start has passed', () => {
  expect([0, 59.9, 60, 3599, 3600, 86_399, 86_400, -5].map(ageText)).toEqual([
    '0s',
    '59s',
    '1m',
    '59m',
    '1h',
    '23h',
    '1d',
    '0s',
  ]);
  expect([245, 0.2, 0, -12.5, 3840, 183_600].map(countdownText)).toEqual([
    '4:05',
    '0:01',
    '0:00 past',
    '0:12 past',
    '1h04',
    '2d3h',
  ]);
});

test('the clock is the service’s and never goes back', () => {
  let localMs = 1000;
  const clock = new ServiceClock(() => localMs);
  clock.seenAge('2026-11-21T02:59:00.000Z', 60);
  localMs += 2500;
  expect(new Date(clock.nowMs()).toISOString()).toBe('2026-11-21T03:00:02.500Z');
  clock.seenAge('2026-11-21T03:00:01.000Z', 0);
  expect(new Date(clock.nowMs()).toISOString()).toBe('2026-11-21T03:00:02.500Z');
});

test('race time runs as fast as the replay, and stands still where that has no speed', () => {
  let localMs = 1000;
  for (const [speed, shown] of [
    [60, '2026-11-20T03:00:30.000Z'],
    [0, '2026-11-20T03:00:00.000Z'],
  ] as const) {
    const clock = new RaceClock(speed, () => localMs);
    clock.at('2026-11-20T02:59:00.000Z', 60);
    localMs += 500;
    expect(new Date(clock.nowMs()).toISOString()).toBe(shown);
    clock.at('2026-11-20T02:59:58.000Z');
    expect(new Date(clock.nowMs()).toISOString()).toBe('2026-11-20T02:59:58.000Z');
  }
});

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const moment = { nowMs: NOW, staleAfterSeconds: { live: 120, card: 1800 } };
const BOOKS = ['bet365_au', 'bluebet', 'ladbrokes_au', 'neds', 'sportsbet', 'tab', 'unibet'];
const field = fc.array(
  fc.record({
    name: nasty,
    quotes: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom(...BOOKS),
        price: fc.oneof(fc.double({ min: 1.01, max: 600, noNaN: true }), fc.constantFrom(2, 2.5, 21, 51, 101)),
        ageSeconds: fc.integer({ min: 0, max: 400 }),
      }),
      { selector: ({ key }) => key },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

type Field = typeof field extends fc.Arbitrary<infer T> ? T : never;

const raceOf = (runners: Field, over: Partial<Race> = {}): Race =>
  ({
    ...exampleNextRace,
    ...over,
    runners: runners.map(({ name, quotes }, at) => ({
      ...exampleNextRace.runners[0]!,
      number: at + 1,
      name,
      bookmakers: quotes.map(({ key, price, ageSeconds }) => ({
        key,
        win_price: price,
        last_update: new Date(NOW - ageSeconds * 1000).toISOString(),
        age_seconds: ageSeconds,
        stale: ageSeconds > 120,
        refresh_tier: 'live',
        age_basis: 'poll',
      })),
    })),
  }) as unknown as Race;

test('the best price and the placeholders are those of the service', () => {
  const check = (runners: Field) => {
    for (const [at, runner] of raceOf(runners).runners.entries()) {
      const quotes = quotesOn(runner, 'win', moment);
      const served = bestWin(runners[at]!.quotes.map(({ key: bookmaker, ...quote }) => ({ bookmaker, ...quote })));
      expect(quotes.find(({ isBest }) => isBest)?.book).toBe(served.best?.bookmaker);
      const placeholders = quotes.filter(({ isPlaceholder }) => isPlaceholder).map(({ book }) => book);
      expect(placeholders.sort()).toEqual(served.suspects.map(({ bookmaker }) => bookmaker).sort());
    }
  };
  fc.assert(fc.property(field, check), { numRuns: runs(1000) });
});

test('a table fits every width, obeys no name, and shows no stale price without its age', () => {
  const check = (runners: Field, width: number) => {
    const race = raceOf(runners, { venue: runners[0]!.name });
    const lines = raceLines(race, 'win', moment, { width, paint: (_, text) => text });
    for (const line of lines) {
      expect(line).not.toMatch(CONTROL);
      expect(widthOf(line)).toBeLessThanOrEqual(width);
    }
    const stale = runners.flatMap(({ quotes }) => quotes).filter(({ ageSeconds }) => ageSeconds > 120);
    const fresh = runners.flatMap(({ quotes }) => quotes).filter(({ ageSeconds }) => ageSeconds <= 120);
    const freshPrices = new Set(fresh.map(({ price }) => price.toFixed(2)));
    const table = lines.slice(2, 3 + runners.length).map((line) => line.slice(line.indexOf('  ')));
    for (const { price } of stale) {
      const text = price.toFixed(2);
      if (freshPrices.has(text) || runners.some(({ name }) => name.includes(text))) continue;
      for (const found of table.join('\n').matchAll(new RegExp(`(?<![\\d.])${text.replace('.', '\\.')}(.?)`, 'g')))
        expect([text, found[1]]).toEqual([text, '!']);
    }
  };
  fc.assert(fc.property(field, fc.integer({ min: 24, max: 160 }), check), { numRuns: runs(1000) });
});

test('a price is stale from the threshold of its tier on, and says so', () => {
  const runners = [
    { name: 'A', quotes: [120, 121].map((ageSeconds, at) => ({ key: BOOKS[at]!, price: 3 + at, ageSeconds })) },
  ];
  const text = raceLines(raceOf(runners), 'win', moment, { width: 200, paint: (_, one) => one }).join('\n');
  expect(text).toContain('4.00!2m*');
  expect(text).toMatch(/ 3\.00 /);
});

describe('a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'odds-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const whole = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251));
  const stated = { name: 'results 2026-11-20', bytes: whole.length, sha256: sha256(whole) };

  /** Sends from the asked byte on, breaks off after so many bytes; without a break to the end. */
  const server = (breaks: (number | null)[], bytes: Buffer = whole) => {
    const asked: number[] = [];
    const parts = async function* (from: number) {
      asked.push(from);
      const most = breaks.shift() ?? null;
      const sent = bytes.subarray(from, most === null ? undefined : from + most);
      for (let at = 0; at < sent.length; at += 700) yield new Uint8Array(sent.subarray(at, at + 700));
      if (most !== null) throw Object.assign(new TypeError('terminated'), { name: 'Broken' });
    };
    return { asked, parts };
  };

  const fetching = () => ({
    signal: new AbortController().signal,
    onBytes: () => undefined,
    sleep: async () => undefined,
  });

  test('that breaks off has no final name, and is continued to the same bytes', async () => {
    const check = async (breaks: number[]) => {
      const path = join(folder, 'file.parquet');
      for (const one of breaks) {
        await expect(fetchFile(path, stated, server([one]).parts, fetching())).rejects.toThrow('terminated');
        expect(existsSync(path)).toBe(false);
      }
      const { asked, parts } = server([]);
      await fetchFile(path, stated, parts, fetching());
      const got = breaks.reduce((sum, one) => sum + one, 0);
      expect(asked).toEqual(got >= whole.length ? [] : [got]);
      expect(readFileSync(path).equals(whole)).toBe(true);
      expect(readdirSync(folder)).toEqual(['file.parquet']);
      expect(await isThere(path, stated)).toBe(true);
      rmSync(path);
    };
    const breaks = fc.array(fc.integer({ min: 0, max: 1200 }), { maxLength: 4 });
    await fc.assert(fc.asyncProperty(breaks, check), { numRuns: runs(300) });
  });

  test('with other bytes is refused, named and removed', async () => {
    const path = join(folder, 'file.parquet');
    const other = Buffer.from(whole);
    other[4000] = other[4000]! ^ 1;
    await expect(fetchFile(path, stated, server([], other).parts, fetching())).rejects.toThrow(
      `results 2026-11-20 is refused and removed: its SHA-256 is ${sha256(other)}, the service states ${stated.sha256}.`,
    );
    expect(readdirSync(folder)).toEqual([]);
    const longer = Buffer.concat([whole, whole]);
    await expect(fetchFile(path, stated, server([], longer).parts, fetching())).rejects.toThrow('longer than the 5000');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of before is replaced only by a whole one', async () => {
    const path = join(folder, 'file.parquet');
    writeFileSync(path, 'an older version');
    expect(await isThere(path, stated)).toBe(false);
    await expect(fetchFile(path, stated, server([10]).parts, fetching())).rejects.toThrow('terminated');
    expect(readFileSync(path, 'utf8')).toBe('an older version');
    await fetchFile(path, stated, server([]).parts, fetching());
    expect(readFileSync(path).equals(whole)).toBe(true);
  });
});

test('keys that several commands store at once are those of one of them, and nothing else stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'odds-keys-'));
  const keysOf = (kid: string) =>
    [{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x: 'A'.repeat(43) }] as const;
  try {
    expect(await trustedKeys(folder)).toBeNull();
    await Promise.all(Array.from({ length: 20 }, (_, i) => saveKeys(folder, keysOf(`key ${i}`))));
    expect(await trustedKeys(folder)).toEqual(keysOf(expect.stringMatching(/^key \d+$/)));
    expect(readdirSync(join(folder, '.odds'))).toEqual(['keys.json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
