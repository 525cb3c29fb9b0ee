// The pictures of cards: one is painted at a time, and a bounded number of bytes is cached. Open prices are cached for
// some seconds, and never beyond the race's jump; what stands still for as long as there is room.
import { createHash } from 'node:crypto';
import { createCache } from '../../cache';
import { createWorkQueue } from '../../work-queue';
import type { LiveBoard } from '../board/model';
import { boardCard, DOCS_CARD, HOME_CARD, raceCard, type ShareCard } from './card';
import type { PaintCard } from './paint';

export interface CardsDeps {
  readonly live: Pick<LiveBoard, 'board' | 'race'>;
  readonly paint: PaintCard;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  /** Race seconds per wall second. */
  readonly speed: number;
}

export interface Picture {
  readonly png: Buffer;
  readonly hash: string;
}

export interface Cards {
  home(): Promise<Picture>;
  docs(): Promise<Picture>;
  board(): Promise<Picture>;
  /** Null: there is no such race. */
  race(raceId: string): Promise<Picture | null>;
}

interface Painted extends Picture {
  /** The text on it. */
  readonly text: string;
  /** What it is of. */
  readonly outline: string;
  readonly atMs: number;
}

const MOST = 200;
const MOST_BYTES = 16_000_000;
/** Wall. */
const PRICES_CACHED_MS = 20_000;

/** Only prices may be some seconds old: a race that is suspended, or a runner that is scratched, is another card. */
const outlineOf = ({ kicker, rows }: ShareCard): string => JSON.stringify([kicker, rows.map(({ lead }) => lead)]);

export function createCards({ live, paint, now, speed }: CardsDeps): Cards {
  const bytesOf = ({ png }: Painted): number => png.length;
  const cache = createCache<Painted>(MOST, { bytes: MOST_BYTES, bytesOf });
  const inTurn = createWorkQueue();

  async function picture(name: string, card: ShareCard, nowMs: number): Promise<Picture> {
    const text = JSON.stringify(card);
    const outline = outlineOf(card);
    const isGood = (one: Painted): boolean =>
      one.text === text || (isRecent(one) && card.kind === 'prices' && one.outline === outline);
    const isRecent = ({ atMs }: Painted): boolean => nowMs >= atMs && nowMs - atMs < PRICES_CACHED_MS * speed;
    const { value } = await cache.get(`${card.kind} ${name}`, isGood, async () => {
      const png = await inTurn(() => paint(card));
      return {
        png,
        text,
        outline,
        atMs: nowMs,
        hash: createHash('sha256').update(png).digest('base64url').slice(0, 22),
      };
    });
    return value;
  }

  return {
    home: () => picture('home', HOME_CARD, now()),
    docs: () => picture('docs', DOCS_CARD, now()),
    async board() {
      const { next } = await live.board();
      const nowMs = now();
      return picture('board', boardCard(next, nowMs), nowMs);
    },
    async race(raceId) {
      const view = await live.race(raceId);
      const nowMs = now();
      return view && picture(raceId, raceCard(view, nowMs), nowMs);
    },
  };
}
