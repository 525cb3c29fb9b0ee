// The source of the pages of sports: the matches that the operations compare, over the books that customers may see.
import { MARKETS, OFFERED_MARKETS } from '../../domain/sports/sports';
import type { Reads } from '../../store/reads/reads';
import type { SportSource } from '../../web/sports/model';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { pricedMatchesRead } from '../operations/arbitrage/compared';
import { USUAL_MAX_AGE_MINUTES } from '../operations/sports/parameters-schema';
import type { SportsBoard } from '../operations/sports/sports-board';

interface SportSourceDeps {
  readonly reads: Pick<Reads, 'listedMatch'>;
  readonly sports: SportsBoard;
}

export const createSportSource = ({ reads, sports }: SportSourceDeps): SportSource => ({
  upcoming: (sportKey, alternates, nowMs) =>
    pricedMatchesRead(sports, alternates ? OFFERED_MARKETS : MARKETS, {
      ...{ sportKey, nowMs, audience: CUSTOMERS },
      maxAgeMinutes: USUAL_MAX_AGE_MINUTES,
    }),
  match: (eventId) => reads.listedMatch(eventId, CUSTOMERS.compared),
});
