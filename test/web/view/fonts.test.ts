// The fonts of the pages, read from their files: every letter and every weight that a style sheet uses is in them, and
// both together are small.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const ASSETS = join(__dirname, '../../../src/web/assets');

interface Font {
  readonly bytes: number;
  /** Code points. */
  readonly letters: ReadonlySet<number>;
  readonly weights: readonly [number, number];
}

/** Tables that have a number instead of a name in WOFF2 (its table of known tags). */
const KNOWN: Readonly<Record<number, string>> = { 0: 'cmap', 10: 'glyf', 11: 'loca', 47: 'fvar' };

const LATIN = fontOf(join(ASSETS, 'fonts/inter-latin.woff2'));
const EUROPEAN = fontOf(join(ASSETS, 'fonts/inter-latin-ext.woff2'));
const THEME = readFileSync(join(ASSETS, 'css/theme.css'), 'utf8');

function fontOf(path: string): Font {
  const file = readFileSync(path);
  const count = file.readUInt16BE(12);
  let at = 48;
  const number = (): number => {
    let value = 0;
    for (let byte = 128; byte >= 128; at++) {
      byte = file[at]!;
      value = value * 128 + (byte % 128);
    }
    return value;
  };
  const places: { name: string; length: number }[] = [];
  for (let i = 0; i < count; i++) {
    const flags = file[at++]!;
    let name = KNOWN[flags % 64] ?? String(flags % 64);
    if (flags % 64 === 63) {
      name = file.toString('latin1', at, at + 4);
      at += 4;
    }
    const length = number();
    const isGlyphs = name === 'glyf' || name === 'loca';
    const isTransformed = isGlyphs ? flags >> 6 !== 3 : flags >> 6 !== 0;
    places.push({ name, length: isTransformed ? number() : length });
  }
  const data = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  const table = (wanted: string): Buffer => {
    let from = 0;
    for (const { name, length } of places) {
      if (name === wanted) return data.subarray(from, from + length);
      from += length;
    }
    throw new Error(`${path} has no ${wanted}`);
  };
  const axis = table('fvar').subarray(16);
  return {
    bytes: file.length,
    letters: lettersOf(table('cmap')),
    weights: [axis.readInt32BE(4) >> 16, axis.readInt32BE(12) >> 16],
  };
}

/** Of a subtable in format 4: segments of code points. */
function lettersOf(cmap: Buffer): Set<number> {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + 8 * i));
  const found = cmap.subarray(offsets.find((offset) => cmap.readUInt16BE(offset) === 4));
  const twice = found.readUInt16BE(6);
  const letters = new Set<number>();
  for (let i = 0; i < twice; i += 2)
    for (let one = found.readUInt16BE(16 + twice + i); one <= found.readUInt16BE(14 + i) && one < 0xffff; one++)
      letters.add(one);
  return letters;
}

const all = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('a page with any European name loads at most 40 kB of fonts', () => {
  expect(LATIN.bytes + EUROPEAN.bytes).toBeLessThan(40_000);
});

test('each letter that a sheet asks of the second font is in it, and Latin letters and figures are in the first', () => {
  const [, ranges] = /unicode-range: ([^;]+);/.exec(THEME)!;
  const asked = ranges!.split(', ').flatMap((range) => {
    const [from, to = from] = range
      .slice(2)
      .split('-')
      .map((text) => Number.parseInt(text, 16));
    return all(from!, to!);
  });
  expect(asked.length).toBeGreaterThan(128);
  expect(asked.filter((letter) => !EUROPEAN.letters.has(letter))).toEqual([]);
  const plain = [...all(0x20, 0x7e), ...all(0xa0, 0xff)].filter((letter) => letter !== 0xad);
  expect(plain.filter((letter) => !LATIN.letters.has(letter))).toEqual([]);
});

test('each weight of a sheet is one that the fonts have', () => {
  const range = LATIN.weights.join(' ');
  expect(EUROPEAN.weights).toEqual(LATIN.weights);
  expect([...THEME.matchAll(/font-weight: (\d+ \d+);/g)].map(([, declared]) => declared)).toEqual([range, range]);
  const sheets = readdirSync(join(ASSETS, 'css')).map((name) => readFileSync(join(ASSETS, 'css', name), 'utf8'));
  const used = sheets.flatMap((text) => [...text.matchAll(/font-weight: (\d+);/g)].map(([, weight]) => Number(weight)));
  const [lightest, heaviest] = LATIN.weights;
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((weight) => weight < lightest || weight > heaviest)).toEqual([]);
});
