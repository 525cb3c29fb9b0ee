// The page cursor in the address of the next page: the start of a race, the race, its rows on earlier pages, and all
// rows on those pages.
import type { PageMark } from '../../../../store/reads/archive/pages/page-plan';

export const PAGE_MARK = '^\\d{1,14}\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.\\d{1,9}\\.\\d{1,12}$';

export const pageMarkText = ({ startTime, raceId, skip, before }: PageMark): string =>
  [Date.parse(startTime), raceId, skip, before].join('.');

export function readPageMark(text: string): PageMark {
  const [startMs, raceId, skip, before] = text.split('.') as [string, string, string, string];
  return { startTime: new Date(Number(startMs)).toISOString(), raceId, skip: Number(skip), before: Number(before) };
}
