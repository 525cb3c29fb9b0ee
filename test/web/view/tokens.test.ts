// The tokens of the style: readable in every theme, each colour in one place, and no sheet with a colour of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { sheets, sheetText, withTokens } = require('../../../scripts/checks/style-tokens.mjs') as {
  sheets(): string[];
  sheetText(path: string): string;
  withTokens(text: string): string;
};

const ASSETS = join(__dirname, '../../../src/web/assets');
const TOKENS = readFileSync(join(ASSETS, 'css/tokens.css'), 'utf8');

const HEX = '#[0-9a-f]{3,6}';
const PAIR = `light-dark\\((${HEX}), (${HEX})\\)`;
const MIXED = new RegExp(
  `--([\\w-]+): color-mix\\(\\s*in srgb,\\s*${PAIR},\\s*${PAIR} var\\(--contrast\\)\\s*\\)`,
  'g',
);
const THEMES = ['light', 'dark', 'light, high contrast', 'dark, high contrast'] as const;

/** By token, in the order of the themes. */
const COLOURS = new Map([...TOKENS.matchAll(MIXED)].map(([, name, ...colours]) => [name!, colours]));

function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.slice(1).replace(/./g, '$&$&') : hex.slice(1);
  const [r, g, b] = [0, 2, 4]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** As WCAG 2.2 has it: 1 to 21. */
function contrast(one: string, other: string, theme: number): number {
  const [a, b] = [one, other].map((name) => luminance(COLOURS.get(name)![theme]!));
  return (Math.max(a!, b!) + 0.05) / (Math.min(a!, b!) + 0.05);
}

const GROUNDS = ['page', 'panel', 'raised'];
const PLAIN = ['ink', 'soft', 'faint', 'accent', 'firming', 'drifting', 'focus', 'act', 'link'];
/** Behind a price, a note or a choice, with any text on them. */
const TINTS = ['best-bg', 'warn-bg', 'bad-bg', 'good-bg', 'flash'];
const ON_TINTS = ['ink', 'soft', 'faint', 'accent', 'firming', 'drifting', 'link'];
const TEXTS = [
  ...PLAIN.flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const)),
  ...ON_TINTS.flatMap((ink) => TINTS.map((ground) => [ink, ground] as const)),
  ...['best', 'warn', 'bad', 'good'].map((name) => [`${name}-ink`, `${name}-bg`] as const),
  ['on-act', 'act'],
  ['on-act', 'act-hover'],
  ['chart-strong', 'panel'],
  ['ink', 'field'],
] as const;

test.each(THEMES.map((theme, at) => [theme, at] as const))('%s: every text is readable on its ground', (theme, at) => {
  const least = theme.includes('high') ? 7 : 4.5;
  expect(TEXTS.length).toBeGreaterThan(30);
  expect(TEXTS.filter(([ink, ground]) => contrast(ink, ground, at) < least)).toEqual([]);
});

test('in high contrast every line and edge is seen: 3 to 1 and more', () => {
  const edges = ['line', 'line-strong', 'field-line', 'best-line', 'chart-book'];
  const faint = edges.flatMap((edge) =>
    GROUNDS.flatMap((ground) => [2, 3].filter((theme) => contrast(edge, ground, theme) < 3).map(() => [edge, ground])),
  );
  expect(faint).toEqual([]);
});

test('the colours of the system stand for every colour of ours', () => {
  const forced = /@media \(forced-colors: active\) \{([\s\S]*?)\n\}/.exec(TOKENS)![1]!;
  const replaced = [...forced.matchAll(/--([\w-]+): ([A-Z]\w+);/g)].map(([, name]) => name!);
  expect(replaced.sort()).toEqual([...COLOURS.keys()].sort());
});

/** Cloths have the colours of the racing code. */
test('no other sheet names a colour, and each token that a sheet takes is one', () => {
  const others = sheets().filter((path) => !path.endsWith('cloths.css'));
  const colours = others.flatMap((path) => sheetText(path).match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl/gi) ?? []);
  expect(colours).toEqual([]);
  const all = [TOKENS, ...sheets().map(sheetText)].join('\n');
  const known = new Set([...all.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const taken = [...all.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!);
  expect(taken.length).toBeGreaterThan(200);
  expect(taken.filter((name) => !known.has(name))).toEqual([]);
});

test('a size that has a token is written as that token', () => {
  expect(sheets().filter((path) => withTokens(sheetText(path)) !== sheetText(path))).toEqual([]);
  const raw = 'a { font-size: 12px; padding: 4px 0 7px; margin-top: -8px; gap: 4px 8px; border-radius: 6px; }';
  expect(withTokens(raw)).toBe(
    'a { font-size: var(--type-3); padding: 4px 0 7px; margin-top: -8px; gap: var(--space-2) var(--space-4); border-radius: var(--radius-3); }',
  );
});
