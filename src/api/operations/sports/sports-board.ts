// Matches that have not started, for every operation that shows them: read once in 30 seconds for all API processes (A
// 8).
import type { PricedMatch } from '../../../domain/sports/match';
import { type Sport, sportOf } from '../../../domain/sports/sports';
import { AppError, invalid } from '../../../errors';
import { didYouMean } from '../../../nearest';
import { outageAgeMs } from '../../../store/reads/outage-cache';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { cacheAgeSeconds } from '../../wire/present-freshness';

interface Upcoming {
  readonly matches: readonly PricedMatch[];
  readonly readAtMs: number;
  /** Null: read for this request. */
  readonly cacheAgeSeconds: number | null;
}

export interface SportsBoard {
  /** By start, then id. Null: every sport. `alternates`: with the alternates of lines; default: without. */
  upcoming(sportKey: string | null, nowMs: number, alternates?: boolean): Promise<Upcoming>;
  /** Throws a 422 if no book ever named this competition for the sport; case does not matter. */
  requireCompetition(sportKey: string, competition: string, nowMs: number): Promise<void>;
}

const CACHED_MS = 30_000;
/** How many competitions a refusal lists. */
const MOST_LISTED = 50;
/** Part of the cache key: raise it when the cached data changes in form or content. */
const FORM = 'sports 4';

export function createSportsBoard(reads: Pick<Reads, 'matches' | 'competitions'>, shared: SharedAnswers): SportsBoard {
  return {
    async upcoming(sportKey, nowMs, alternates = false) {
      const after = new Date(nowMs).toISOString();
      const read = async () => {
        const matches = await reads.matches({ sportKey, after, alternates });
        return { matches, outageMs: outageAgeMs(matches) };
      };
      const key = `${FORM} ${sportKey}${alternates ? ' with alternates' : ''}`;
      const answer = await shared.get(key, CACHED_MS, nowMs, read);
      const { matches, outageMs } = answer.value;
      return {
        matches: matches.filter(({ commenceTime }) => commenceTime > after),
        readAtMs: answer.computedAtMs - (outageMs ?? 0),
        cacheAgeSeconds: cacheAgeSeconds(answer, outageMs, nowMs),
      };
    },
    async requireCompetition(sportKey, competition, nowMs) {
      const read = () => reads.competitions(sportKey);
      const { value } = await shared.get(`${FORM} competitions ${sportKey}`, CACHED_MS, nowMs, read);
      if (value.some((one) => isSame(one, competition))) return;
      const listed = value.slice(0, MOST_LISTED);
      const known = value.length > 0 ? `known are ${listed.join(', ')}` : 'none is known for this sport';
      const detail = `competition '${competition}' was never listed; ${known}.${didYouMean([competition], value)}`;
      throw invalid([{ parameter: 'competition', detail, valid_values: listed }]);
    },
  };
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A free 404 for a key that is not in `GET /v1/sports`. */
export function requireSport(key: string): Sport {
  const sport = sportOf(key);
  if (sport) return sport;
  throw new AppError('not_found', `There is no sport '${key.slice(0, 40)}'. GET /v1/sports lists the keys.`);
}
