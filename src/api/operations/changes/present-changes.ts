// Presents changes (A 2.8) and converts the database's times to race time.
import type { Static } from '@sinclair/typebox';
import { winAndPlaceOnly } from '../../../domain/prices/win-and-place';
import { type RaceClock, toRaceMs } from '../../../domain/time/clock';
import type { ChangedQuote, ChangedRace } from '../../../store/reads/races/changes';
import { type Audience, type MarketState, marketStateFor } from '../../kernel/endpoint/visibility';
import { presentScratching } from '../../wire/present-race';
import { RACE_STATUS } from '../../wire/race-schema';
import { type BetslipLookup, betslipMembers } from '../betslip/present-betslip';
import type { RacingChanges } from './changes-schema';

type Wire = Static<typeof RacingChanges>['races'][number];
type WireRunner = Wire['changed_runners'][number];

/** `links`: null below Plus, where rows have no betslip members. */
export function presentChanges(
  races: readonly ChangedRace[],
  audience: Audience,
  clock: RaceClock,
  links: BetslipLookup | null,
): Wire[] {
  return races.map(({ scratched, quotes, rewritten: _, ...head }) => {
    const { market_status, inplay, market_closed_at, inplay_at, market_state_source, ...race } = head;
    const state = { market_status, inplay, market_closed_at, inplay_at, market_state_source };
    const { track_condition_changed_at, track_condition, weather, ...identity } = race;
    const simple = winAndPlaceOnly(head);
    return {
      ...identity,
      status: RACE_STATUS,
      ...(marketStateFor(audience, state) as Pick<Wire, keyof MarketState>),
      scratchings: scratched.map(presentScratching),
      track_condition_changed_at,
      track_condition,
      weather,
      changed_runners: quotes.map((quote) => ({
        ...presentQuote(simple ? { ...quote, ...NO_OTHER_LEGS } : quote, clock),
        ...(links && slipOf(quote, links(head.race_id, quote.bookmaker, quote.number))),
      })),
    };
  });
}

const NO_OTHER_LEGS = { top2: null, top3: null, top4: null };

function presentQuote(quote: ChangedQuote, clock: RaceClock): WireRunner {
  const { name, number, bookmaker, win, place, top2, top3, top4 } = quote;
  return {
    name,
    number,
    bookmaker_key: bookmaker,
    win_price: win,
    place_price: place,
    top2_price: top2,
    top3_price: top3,
    top4_price: top4,
    updated_at: new Date(updatedMs(quote, clock)).toISOString(),
  };
}

/**
 * Clients discard rows whose (race, name, book, `updated_at`) they already have, so a runner that returned, was
 * renumbered or left the card gets a later time than every earlier row of its name.
 */
function updatedMs({ changedAtMs, turnedAtMs, bookChangedAtMs }: ChangedQuote, clock: RaceClock): number {
  if (turnedAtMs === null) return changedAtMs!;
  return Math.max(toRaceMs(clock, turnedAtMs), (bookChangedAtMs ?? Number.NEGATIVE_INFINITY) + 1);
}

/** A market that the book does not quote has no link. */
function slipOf({ win, place }: ChangedQuote, links: ReturnType<BetslipLookup>) {
  return betslipMembers(win === null ? null : links, place === null ? null : links);
}
