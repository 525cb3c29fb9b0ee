// Matches of two books, one upcoming and one that has started, with a price that moved: written as pushes are.
import { sportOf } from '../../../src/domain/sports/sports';
import { createStores } from '../../../src/store/create-stores';
import type { TestDatabase } from '../servers/database';
import { priced } from './matches';

const nrl = (homeTeam: string, awayTeam: string, commenceTime: string, home: number, point: number) => ({
  sport: sportOf('nrl')!,
  sourceId: null,
  homeTeam,
  awayTeam,
  competition: 'NRL',
  commenceTime,
  markets: [
    { market: 'h2h' as const, prices: priced('h2h', { home, away: 2.1 }) },
    {
      market: 'spreads' as const,
      prices: priced('spreads', { home: 1.9, away: 1.92, homePoint: -point, awayPoint: point }),
    },
    { market: 'totals' as const, prices: priced('totals', { home: 1.9, away: 1.9, homePoint: 40.5, awayPoint: 40.5 }) },
  ],
});

export async function addMatches(db: TestDatabase): Promise<void> {
  const { sportIngest } = createStores(db.pool);
  const started = (home: number) => nrl('Parramatta Eels', 'Penrith Panthers', '2026-11-21T02:30:00.000Z', home, 4.5);
  const next = (home: number) => nrl('Brisbane Broncos', 'Melbourne Storm', '2026-11-21T09:00:00.000Z', home, 2.5);
  const push = (bookmakerKey: string, observedAt: string, home: number) =>
    sportIngest.push({ bookmakerKey, observedAt, events: [started(home), next(home)] }, observedAt);
  await push('sportsbet', '2026-11-21T02:10:00.000Z', 1.8);
  await push('tab', '2026-11-21T02:12:00.000Z', 1.85);
  await push('sportsbet', '2026-11-21T02:25:00.000Z', 1.75);
  await push('tab', '2026-11-21T02:27:00.000Z', 1.85);
  await push('sportsbet', '2026-11-21T02:55:00.000Z', 1.72);
  await push('tab', '2026-11-21T02:57:00.000Z', 1.88);
}
