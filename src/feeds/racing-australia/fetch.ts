// Racing Australia's free fields before a race and its form pages (the thoroughbred registry): pages, not an API.
// Sources: public readers of 2016 to October 2026, the last of them seen live in July 2026. Confidence is medium to
// high for paths, keys, ids, titles, columns and classes, medium for form pages (`horse-form/selectors.ts`), low for
// the columns of the scratching sheet (assumed to be those of the fields). Its use for wagering needs the owners'
// approval.

import type { HorseForm } from '../../domain/form/horse-form';
import type { Day } from '../../domain/race/race';
import type { PremiershipPage, PremiershipTable } from '../../domain/registry/premiership';
import type {
  RegistryCard,
  RegistryCondition,
  RegistryListing,
  RegistrySheet,
  RegistryState,
} from '../../domain/registry/registry';
import { aetDay } from '../../domain/time/aet';
import type { FeedCall, FeedReply } from '../feed';
import type { Mapped } from '../transport/reply';
import { mapAcceptances } from './acceptances';
import { PATHS } from './address';
import { mapCalendar } from './calendar';
import { mapHorseForm } from './horse-form/horse-form';
import { mapPremiership } from './premiership';
import { mapResultsCalendar } from './results/calendar';
import { mapScratchings } from './scratchings';
import type { RegistrySite } from './site';
import { mapTrackConditions } from './track-condition';

export interface RegistryFeed {
  calendar(state: RegistryState, call?: FeedCall): Promise<FeedReply<readonly RegistryListing[]>>;
  /**
   * Meetings of the day that have begun or are over: these are in the calendar of results and no longer in the other.
   */
  underWay(state: RegistryState, day: Day, call?: FeedCall): Promise<FeedReply<readonly RegistryListing[]>>;
  acceptances(key: string, call?: FeedCall): Promise<FeedReply<RegistryCard>>;
  scratchings(key: string, call?: FeedCall): Promise<FeedReply<RegistrySheet>>;
  /** `code`: any code that the horse has or had at a meeting. */
  horseForm(code: string, purpose: 'form' | 'backfill', call?: FeedCall): Promise<FeedReply<HorseForm>>;
  premiership(table: PremiershipTable, call?: FeedCall): Promise<FeedReply<PremiershipPage>>;
  trackConditions(state: RegistryState, call?: FeedCall): Promise<FeedReply<readonly RegistryCondition[]>>;
  /** One page, even behind a wall: whether the site still refuses us. */
  probe(call?: FeedCall): Promise<FeedReply<unknown>>;
}

export function createRegistryFeed(site: RegistrySite): RegistryFeed {
  return {
    calendar: (state, call) => site.page(PATHS.calendar(state), mapCalendar, call),
    underWay: (state, day, call) =>
      site.page(PATHS.resultsCalendar(state), (html) => mapUnderWay(html, state, day), call),
    probe: (call) => site.page(PATHS.calendar('VIC'), mapCalendar, call, 'probe'),
    acceptances: (key, call) => site.page(PATHS.acceptances(key), (html) => mapAcceptances(html, key), call),
    scratchings: (key, call) => site.page(PATHS.scratchings(key), (html) => mapScratchings(html, key), call),
    horseForm: (code, purpose, call) =>
      site.page(PATHS.horseForm(code), (html) => mapHorseForm(html, code), call, purpose),
    premiership: (table, call) =>
      site.page(PATHS.premiership(table), (html) => mapPremiership(html, table), call, 'tables'),
    trackConditions: (state, call) =>
      site.page(PATHS.trackConditions(state), (html) => mapTrackConditions(html, aetDay(site.now())), call),
  };
}

/** Both documents of such a meeting are published. */
function mapUnderWay(html: string, state: RegistryState, day: Day): Mapped<readonly RegistryListing[]> | null {
  const mapped = mapResultsCalendar(html, day, day);
  const listed = { state, acceptances: true, scratchings: true };
  return mapped && { ...mapped, value: mapped.value.map(({ key, venue }) => ({ key, day, venue, ...listed })) };
}
