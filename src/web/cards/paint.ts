// A card as PNG. Texts are placed on this thread, half a millisecond, and the picture is compressed on one of the pool,
// some thirty. The library and the fonts are loaded with the first card: a process that paints none has neither.
import { readFile } from 'node:fs/promises';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { ShareCard } from './card';
import { COLOURS, HEIGHT, type PlacedText, textsOf, WIDTH } from './layout';

export type PaintCard = (card: ShareCard) => Promise<Buffer>;

/** The fonts of the pages; the second has the letters that the first lacks. */
const FONTS = { 'Card Latin': 'latin', 'Card Other': 'latin-ext' } as const;
const FAMILIES = Object.keys(FONTS)
  .map((name) => `"${name}"`)
  .join(', ');

export function createCardPainter(): PaintCard {
  let loaded: ReturnType<typeof load> | null = null;
  return async (card) => {
    loaded ??= load();
    const { createCanvas } = await loaded;
    const canvas = createCanvas(WIDTH, HEIGHT);
    draw(canvas.getContext('2d'), card);
    return canvas.encode('png');
  };
}

async function load(): Promise<typeof import('@napi-rs/canvas')> {
  const library = await import('@napi-rs/canvas');
  for (const [name, subset] of Object.entries(FONTS)) {
    const file = require.resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`);
    if (!library.GlobalFonts.register(await readFile(file), name)) throw new Error(`the font ${file} cannot be read`);
  }
  return library;
}

function draw(to: SKRSContext2D, card: ShareCard): void {
  to.fillStyle = COLOURS.page;
  to.fillRect(0, 0, WIDTH, HEIGHT);
  drawBrand(to);
  to.fillStyle = COLOURS.line;
  to.fillRect(60, 538, WIDTH - 120, 2);
  for (const text of textsOf(card)) drawText(to, text);
}

/** As `assets/icon.svg`. */
function drawBrand(to: SKRSContext2D): void {
  to.fillStyle = COLOURS.accent;
  to.beginPath();
  to.roundRect(60, 54, 46, 46, 11);
  to.fill();
  to.fillStyle = '#ffffff';
  for (const [x, height] of [
    [70, 9],
    [80, 20],
    [90, 14],
  ] as const)
    to.fillRect(x, 87 - height, 6, height);
}

function drawText(to: SKRSContext2D, { text, x, y, size, weight, colour, align, maxWidth }: PlacedText): void {
  to.font = `${weight} ${size}px ${FAMILIES}`;
  to.fillStyle = colour;
  to.textAlign = align;
  to.fillText(fitted(to, text, maxWidth), x, y);
}

function fitted(to: SKRSContext2D, text: string, maxWidth: number): string {
  if (to.measureText(text).width <= maxWidth) return text;
  const letters = [...text];
  while (letters.length > 0 && to.measureText(`${letters.join('').trimEnd()}…`).width > maxWidth) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
