// One past day of the simulated world: some of its races on the card, the thoroughbred registry's data about them, and
// their lives to the result.

import type { Client } from '@temporalio/client';
import { factsRank } from '../../activities/polling/race-books';
import { readRegistry } from '../../activities/registry/read-registry';
import type { BookListing, ListedRace } from '../../domain/race/feed-race';
import { joinListing, placeRace } from '../../domain/race/identity';
import type { Day, Instant } from '../../domain/race/race';
import { resolveVenue } from '../../domain/race/venue';
import { REGISTRY_STATES, type RegistryListing } from '../../domain/registry/registry';
import { aetDayBounds } from '../../domain/time/aet';
import { placeCard } from '../../store/card/place-card';
import type { RaceHeader } from '../../store/card/races';
import { createStores } from '../../store/create-stores';
import { asOneTransaction } from '../../store/pg/one-transaction';
import { pastPolls, pastRegistries } from '../../wiring/past';
import type { Wiring } from '../../wiring/service';
import { tryAgain } from './again';
import { archiveDay } from './archive-day';
import { chosenRaces } from './chosen-races';
import { type PastList, readAllPastLists } from './past-lists';
import { SimulatedPastRace } from './past-race';
import type { Gap } from './poll-plan';

const HOUR_MS = 3_600_000;

/** By days back: the gaps of that day's races, by start. */
const GAPS: readonly (readonly Gap[])[] = [[null, 'cut_off'], [null, null, 'missed'], ['unresulted']];

/** Listed the evening before. */
const listedMs = (day: Day): number => aetDayBounds(day).startMs - 2 * HOUR_MS;

/**
 * Lives through the races that have not been seeded, archives them and resolves to them. `back`: days before today,
 * from 1. All of it is one transaction, because a live service runs beside it: the day is there whole or not at all.
 */
export async function seedDay(
  wiring: Wiring,
  client: Client,
  day: Day,
  back: number,
): Promise<readonly SimulatedPastRace[]> {
  const unseeded = await readUnseeded(wiring, day);
  if (unseeded === null) return [];
  return asOneTransaction(wiring.pool, async (pool) => {
    const own = ofDay({ ...wiring, pool, stores: createStores(pool) }, day);
    const races = await place(own, day, unseeded);
    const run = races.map((header, i) => new SimulatedPastRace(own, header, GAPS[back - 1]?.[i] ?? null));
    for (const race of run) await race.run();
    await archiveDay(own, client, day, run);
    return run;
  });
}

/** Rows that the live service locks for its own races are left alone, because the transaction takes seconds. */
function ofDay(wiring: Wiring, day: Day): Wiring {
  const { registry, health } = wiring.stores;
  const unjoined: typeof registry.unjoined = async (from) =>
    (await registry.unjoined(from)).filter(({ meetingDate }) => meetingDate === day);
  const joined: string[] = [];
  const join: typeof registry.join = async (race, raceId) => {
    joined.push(raceId);
    return registry.join(race, raceId);
  };
  const mergeDue = (at: Instant): Promise<number> => registry.mergeDue(at, joined);
  const stores = {
    ...wiring.stores,
    registry: { ...registry, unjoined, join, mergeDue },
    // A registry's health is its current health.
    health: { ...health, recordPolls: async () => undefined },
  };
  return { ...wiring, stores };
}

interface Unseeded {
  readonly first: string;
  readonly wanted: readonly ListedRace[];
  /** Of the other books. */
  readonly lists: readonly PastList[];
}

/** The chosen races that the service has never followed; null: none. Rejects if a list could not be read. */
async function readUnseeded(wiring: Wiring, day: Day): Promise<Unseeded | null> {
  const [first, ...others] = [...pastPolls(wiring, listedMs(day)).feeds.keys()].sort(byRank);
  if (first === undefined) return null;
  const [best] = await listsOf(wiring, [first], day);
  const chosen = chosenRaces(best!.listed.filter(isWhole), aetDayBounds(day).startMs + 14 * HOUR_MS);
  const wanted: ListedRace[] = [];
  for (const race of chosen) if (!(await isFollowed(wiring, first, race))) wanted.push(race);
  return wanted.length === 0 ? null : { first, wanted, lists: await listsOf(wiring, others, day) };
}

/** The races on the card of every book and of the registry. */
async function place(wiring: Wiring, day: Day, { first, wanted, lists }: Unseeded): Promise<readonly RaceHeader[]> {
  const { races } = wiring.stores;
  const at = new Date(listedMs(day)).toISOString();
  const { placed } = await placeCard(races, first, day, wanted, at);
  const raceIds = placed.map(({ raceId }) => raceId);
  await joinOthers(wiring, lists, raceIds);
  await readCards(wiring, day, wanted);
  const headers = await Promise.all(raceIds.map((raceId) => races.raceHeader(raceId)));
  return headers.filter((header) => header !== null);
}

const listsOf = (wiring: Wiring, books: readonly string[], day: Day): Promise<readonly PastList[]> =>
  readAllPastLists(
    wiring,
    listedMs(day),
    books.map((bookmakerKey) => ({ bookmakerKey, day })),
  );

/** Of the other books' lists only the rows of these races. */
async function joinOthers(
  { stores: { races } }: Wiring,
  lists: readonly PastList[],
  raceIds: readonly string[],
): Promise<void> {
  const days = [...new Set(lists.map(({ day }) => day))];
  const candidates = (await races.joinCandidates(days)).filter(({ raceId }) => raceIds.includes(raceId));
  for (const { bookmakerKey, day, listed } of lists) {
    const whole = listed.filter(isWhole);
    const known = listed.filter((one) => {
      const found = isWhole(one) ? placeRace(one, candidates, whole) : joinListing(one, candidates);
      return found?.kind === 'known';
    });
    await placeCard(races, bookmakerKey, day, known, new Date(listedMs(day)).toISOString());
  }
}

const venueIdOf = ({ venue, category, country }: Pick<ListedRace, 'venue' | 'category' | 'country'>): string =>
  resolveVenue(venue, category, country).venueId;

const byRank = (a: string, b: string): number => factsRank(a) - factsRank(b);

const isWhole = (listing: BookListing): listing is ListedRace =>
  listing.raceNumber !== null && listing.startTime !== null;

/** A workflow has decided about it, or an earlier run of this command. */
async function isFollowed({ stores }: Wiring, bookmakerKey: string, race: ListedRace): Promise<boolean> {
  const known = (await stores.races.linksOf(bookmakerKey, [race.meetingDate])).get(race.sourceRaceId);
  return known !== undefined && (await stores.control.readControl(known)) !== null;
}

/** Acceptances, scratchings and tracks of the chosen meetings, as published in the morning of the day. */
async function readCards(wiring: Wiring, day: Day, chosen: readonly ListedRace[]): Promise<void> {
  const atMs = aetDayBounds(day).startMs + 9 * HOUR_MS;
  const { registry } = pastRegistries(wiring, atMs);
  if (registry === null) return;
  const venues = new Set(chosen.filter(({ category }) => category === 'horse').map(venueIdOf));
  const isChosen = (one: RegistryListing): boolean =>
    one.day === day && venues.has(venueIdOf({ ...one, category: 'horse', country: 'AU' }));
  const calendar: typeof registry.calendar = async (state) => {
    const reply = await registry.calendar(state);
    if (reply.kind !== 'ok') return reply;
    return { ...reply, value: reply.value.filter(isChosen) };
  };
  // Races of this world start round the clock, so other meetings have begun by then.
  const underWay: typeof registry.underWay = async (state, on) => {
    const reply = await registry.underWay(state, on);
    return reply.kind === 'ok' ? { ...reply, value: reply.value.filter(isChosen) } : reply;
  };
  const deps = { ...wiring, now: () => atMs, registry: { ...registry, calendar, underWay } };
  for (const state of REGISTRY_STATES) await tryAgain(() => readRegistry(deps, state));
}
