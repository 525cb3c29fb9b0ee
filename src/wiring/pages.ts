// What the pages show, over the parts that they share with the operations.
import type { Context } from 'koa';
import { createMailStops } from '../accounts/mail/stop-links';
import { referenceOf } from '../api/discovery/reference/reference';
import { clientOf } from '../api/kernel/session/client-address';
import type { ApiDocuments } from '../api/openapi/documents';
import { ENDPOINTS } from '../api/operations';
import { createChangesFeed } from '../api/operations/changes/feed';
import { movesOf } from '../api/operations/changes/moves';
import { createSportsBoard } from '../api/operations/sports/sports-board';
import { createWidgetEmbeds } from '../api/operations/widgets/fills/embeds';
import { recordFill } from '../api/operations/widgets/fills/fill-metrics';
import { createAboutSource } from '../api/pages/about-source';
import { createAccountPages } from '../api/pages/account/account-pages';
import { createOwnedAlerts } from '../api/pages/account/owned-alerts';
import { createBoardSource } from '../api/pages/board-source';
import { createHomeSource } from '../api/pages/home-source';
import { createMeetingSource } from '../api/pages/meeting-source';
import { createMoverSource } from '../api/pages/mover-source';
import { createPastSource } from '../api/pages/past-source';
import { createPersonSource } from '../api/pages/person-source';
import { createPriceQualitySource } from '../api/pages/price-quality-source';
import { createQualitySource } from '../api/pages/quality-source';
import { createRunnerSource } from '../api/pages/runner-source';
import { createSearchSource } from '../api/pages/search-source';
import { createSportSource } from '../api/pages/sport-source';
import type { Parts } from '../api/parts';
import { createLiveReads } from '../store/reads/live-board';
import type { Reads } from '../store/reads/reads';
import type { SharedAnswers } from '../store/redis/shared-answers';
import { createLiveBoard } from '../web/board/live-board';
import type { ReadBetslip } from '../web/bookmakers/go';
import { createCards } from '../web/cards/cards';
import { createCardPainter } from '../web/cards/paint';
import { createHome } from '../web/home/home';
import { createMeetingDays } from '../web/meetings/days';
import { createMoverPages } from '../web/movers/movers';
import { createPastRaces } from '../web/past/past-races';
import { createRunners } from '../web/past/runner/runners';
import { createPeople } from '../web/people/people';
import { createPriceQuality } from '../web/price-quality/price-quality';
import { createNameSearch } from '../web/search/search';
import { createSportPages } from '../web/sports/sport-pages';
import type { Wiring } from './service';

export interface Over {
  /** From the database only. */
  readonly fresh: Reads;
  /** While the database is unavailable, the last rows read. */
  readonly reads: Reads;
  /** Origins of our own pages. */
  readonly own: readonly string[];
}

interface Shared {
  readonly answers: SharedAnswers;
  readonly fillAnswers: SharedAnswers;
}

interface Serves extends Pick<Parameters<typeof createAccountPages>[0], 'sending'> {
  readonly parts: Parts;
  readonly documents: ApiDocuments;
}

const betslipOf =
  ({ linksOf }: Parts['services']['betslip']): ReadBetslip =>
  async ({ raceId, bookmaker, sourceUrl, number }) =>
    (await linksOf([{ race_id: raceId, books: [{ bookmaker, sourceUrl }] }]))(raceId, bookmaker, number);

export function pagesOf(
  wiring: Wiring,
  { fresh, reads, own }: Over,
  shared: Shared,
  { parts, documents, sending }: Serves,
  stopping: AbortSignal,
) {
  const { config, log, pool, stores, now, wallMs } = wiring;
  const liveReads = createLiveReads(pool);
  const { coverageReport } = parts.services;
  // A widget shows, and its owner pays for, current data: never a read from before an outage.
  const sports = createSportsBoard(fresh, shared.answers);
  const changes = createChangesFeed({ reads: fresh, now, log });
  const { baseUrl } = config.api;
  const { speed } = config.clock;
  const live = createLiveBoard({ source: createBoardSource({ reads, liveReads }), now });
  return {
    live,
    cards: createCards({ live, paint: createCardPainter(), now, speed }),
    home: createHome({
      live,
      source: createHomeSource({ endpoints: ENDPOINTS, services: parts.services, baseUrl }),
      now,
      speed,
    }),
    meetings: createMeetingDays({ source: createMeetingSource({ reads, liveReads }), now }),
    past: createPastRaces({ source: createPastSource({ reads, liveReads }), now }),
    coverage: () => coverageReport(now()),
    movers: createMoverPages({ source: createMoverSource(reads), now }),
    sports: createSportPages({ source: createSportSource({ reads, sports: parts.services.sports }), now }),
    search: createNameSearch({ source: createSearchSource(reads, parts.services.sports), now }),
    runners: createRunners({ source: createRunnerSource(reads), now }),
    people: createPeople({ source: createPersonSource(reads), now }),
    about: createAboutSource({ reads, endpoints: ENDPOINTS, contact: config.api.contact, speed }),
    quality: createQualitySource(reads, speed),
    priceQuality: createPriceQuality({ source: createPriceQualitySource(reads), now, speed }),
    reference: () => referenceOf(documents.document),
    accounts: createAccountPages({
      ...{ parts, stores, sending, baseUrl, ownOrigins: own, log, now },
      alerts: createOwnedAlerts({
        ...{ store: stores.priceAlerts, liveReads, now, wallMs },
      }),
      mailStops: createMailStops({ owners: stores.owners, linkSecret: stores.billedAccounts.linkSecret }),
    }),
    betslip: betslipOf(parts.services.betslip),
    widgets: createWidgetEmbeds({
      ...{ reads: fresh, sports, ownOrigins: own, now, wallMs, fillAnswers: shared.fillAnswers, record: recordFill },
      store: stores.widgetFills,
    }),
    now,
    speed,
    baseUrl,
    streams: { moves: movesOf(changes), networkOf: (ctx: Context) => clientOf(ctx).network, stopping },
  };
}
