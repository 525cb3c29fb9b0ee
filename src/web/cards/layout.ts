// Where each text of a card stands, in pixels of a picture of 1200 × 630. Pure.
import type { CardRow, ShareCard } from './card';

export const WIDTH = 1200;
export const HEIGHT = 630;

export interface PlacedText {
  readonly text: string;
  readonly x: number;
  /** Of its base line. */
  readonly y: number;
  readonly size: number;
  readonly weight: number;
  readonly colour: string;
  readonly align: 'left' | 'right';
  /** What is longer ends in an ellipsis. */
  readonly maxWidth: number;
}

export const COLOURS = {
  page: '#f4f5f2',
  ink: '#17201b',
  soft: '#55615a',
  line: '#cfd4ca',
  accent: '#12694a',
} as const;

const LEFT = 60;
const RIGHT = WIDTH - 60;
const FIRST_ROW = 330;
const ROW = 46;
const FIGURE_AT = 850;

const placed = (text: string, x: number, y: number, more: Partial<PlacedText> = {}): PlacedText => ({
  ...{ text, x, y, size: 28, weight: 400, colour: COLOURS.ink, align: 'left', maxWidth: RIGHT - LEFT },
  ...more,
});

export const textsOf = ({ kicker, title, subtitle, rows, note }: ShareCard): readonly PlacedText[] =>
  [
    placed('Racing Odds', 120, 88, { size: 30, weight: 680 }),
    placed(kicker, LEFT, 168, { weight: 600, colour: COLOURS.accent }),
    placed(title, LEFT, 228, { size: 60, weight: 700 }),
    placed(subtitle, LEFT, 274, { colour: COLOURS.soft }),
    ...rows.flatMap(rowTexts),
    placed(note, LEFT, 578, { size: 25, weight: 600 }),
    placed('18+ only. National Gambling Helpline 1800 858 858', LEFT, 608, SMALL),
  ].filter(({ text }) => text !== '');

const SMALL = { size: 19, colour: COLOURS.soft } as const;

function rowTexts({ lead, text, figure, source }: CardRow, i: number): PlacedText[] {
  const y = FIRST_ROW + i * ROW;
  const indent = lead === '' ? 0 : 70;
  return [
    placed(lead, LEFT, y, { colour: COLOURS.soft, maxWidth: 66 }),
    placed(text, LEFT + indent, y, { weight: 600, maxWidth: FIGURE_AT - 160 - LEFT - indent }),
    placed(figure, FIGURE_AT, y, { weight: 700, align: 'right', maxWidth: 150 }),
    placed(source, FIGURE_AT + 30, y, { colour: COLOURS.soft, maxWidth: RIGHT - FIGURE_AT - 30 }),
  ];
}
