// The readings of one race by a mapper and by the second reader of audits, in one form: each runner with the prices of
// the markets that the second reader reads.
import { marketsRead, readRace } from '../../../src/domain/quality/second-reader/read-race';
import type { BookSnapshot } from '../../../src/domain/race/feed-race';
import type { Category } from '../../../src/domain/race/race';

type Read = readonly [number: number | null, name: string, prices: readonly (number | null)[]];

export const byMapper = (key: string, { runners }: BookSnapshot): Read[] =>
  runners.map(({ number, name, toteWin, ...legs }) => {
    const prices = { ...legs, tote_win: toteWin?.PROV ?? null };
    return [number, name, marketsRead(key).map((market) => prices[market])];
  });

/** Null: no runner was found. */
export const bySecond = (key: string, category: Category, texts: readonly string[]): Read[] | null =>
  readRace(key, category, texts)?.map(
    ({ number, name, prices }): Read => [number, name, marketsRead(key).map((market) => prices[market])],
  ) ?? null;
