// An operator's reads and rulings about which rows are one match (D66).
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { PricedMatch } from '../../../domain/sports/match';
import { readMatches } from '../../reads/sports/matches';
import { type DecisionsQuery, readDecisions, type StoredDecision } from './decisions';
import { type Recheck, recheckMatches } from './recheck';
import { createSportRulingStore, type SportRulingStore } from './rulings';

export interface SportIdentityStore extends SportRulingStore {
  /** The newest first. */
  decisions(query: DecisionsQuery): Promise<readonly StoredDecision[]>;
  /** Those that start after `at` and have a price, by start. */
  matches(at: Instant): Promise<readonly PricedMatch[]>;
  recheck(at: Instant): Promise<Recheck>;
}

export const createSportIdentityStore = (pool: Pool): SportIdentityStore => ({
  ...createSportRulingStore(pool),
  decisions: (query) => readDecisions(pool, query),
  matches: (after) => readMatches(pool, { sportKey: null, after }),
  recheck: (at) => recheckMatches(pool, at),
});
