// Four books and the exchange, as feeds in this process: what each lists and shows of the world's races at an instant.
// They replace only the wire formats, which cost more than everything else in a day and have their own suites.
import type { BookSnapshot, ExchangeMarket, FeedResult, ListedRace } from '../../../src/domain/race/feed-race';
import { NO_DETAILS, NO_FACTS } from '../../../src/domain/race/not-reported';
import type { Day } from '../../../src/domain/race/race';
import type { Feed, FeedReply } from '../../../src/feeds/feed';
import type { Placing, Race, Runner } from '../../../src/simulator/world/race';
import { racesOf, type World } from '../../../src/simulator/world/world';

/** The first two report results, the third closes the market, and the last is the exchange. */
const BOOKS = ['ladbrokes_au', 'tab', 'pointsbetau', 'unibet', 'betfair_ex_au'] as const;

const iso = (ms: number): string => new Date(ms).toISOString();
const STEP_MS = 60_000;

/** `now`: for the calls. */
export function yearFeeds(world: World, now: () => number): ReadonlyMap<string, Feed> {
  return new Map(BOOKS.map((key, shift) => [key, feedOf(world, key, shift, now)]));
}

function feedOf(world: World, bookmakerKey: string, shift: number, now: () => number): Feed {
  const ok = <T>(value: T): FeedReply<T> => ({ kind: 'ok', value, observedAt: iso(now()), bookAt: null, dropped: {} });
  return {
    bookmakerKey,
    listRaces: async (day: Day) => ok(racesOf(world, day).map((race) => listed(race, day, now()))),
    fetchRace: async (id) => {
      const race = world.raceById(id, now());
      if (race) return ok(shown(race, bookmakerKey, shift, now()));
      return { kind: 'failed', reason: 'not_found', detail: id, retryAfterMs: null, observedAt: iso(now()) };
    },
  };
}

const startOf = ({ story }: Race, atMs: number): number =>
  story.advertised.findLast(({ fromMs }) => fromMs <= atMs)?.startMs ?? story.advertised[0]!.startMs;

const listed = (race: Race, meetingDate: Day, atMs: number): ListedRace => ({
  sourceRaceId: race.id,
  category: race.meeting.track.category,
  venue: race.meeting.track.name,
  country: race.meeting.track.country,
  meetingDate,
  raceNumber: race.number,
  startTime: iso(startOf(race, atMs)),
  raceName: race.name,
  distanceM: race.distanceM,
  trackCondition: null,
  weather: null,
});

function shown(race: Race, key: string, shift: number, atMs: number): BookSnapshot {
  const { story } = race;
  const isExchange = key === 'betfair_ex_au';
  const isClosed = atMs >= story.jumpMs;
  return {
    sourceRaceId: race.id,
    startTime: iso(startOf(race, atMs)),
    facts: { ...NO_FACTS, raceName: race.name, distanceM: race.distanceM },
    marketStatus: isClosed ? 'CLOSED' : 'OPEN',
    inPlay: isExchange ? isClosed : null,
    runners: race.runners.filter(({ vacant }) => !vacant).map((runner) => runnerOf(race, runner, shift, atMs)),
    result: isExchange || shift > 1 ? null : resultOf(race, atMs),
    sourceUrl: null,
    ...(isExchange && { exchange: { markets: [marketOf(race, shift, atMs)] } }),
  };
}

function runnerOf(race: Race, runner: Runner, shift: number, atMs: number) {
  const out = race.story.scratchings.find(({ number, atMs: at }) => number === runner.number && at <= atMs);
  const { number, name, barrier, jockey, trainer, emergency } = runner;
  const win = out || emergency ? null : priceOf(race, runner, shift, atMs);
  const scratching = out
    ? {
        at: iso(out.atMs),
        late: out.kind === 'late',
        winDeduction: out.winDeduction,
        placeDeduction: out.placeDeduction,
      }
    : null;
  const place = win === null ? null : Math.round((1 + (win - 1) / 3.5) * 100) / 100;
  return {
    ...NO_DETAILS,
    number,
    name,
    barrier,
    jockey,
    trainer,
    emergency,
    scratching,
    win,
    place,
    top2: null,
    top3: null,
    top4: null,
  };
}

/** The price changes every minute, and each book has its own. */
function priceOf(race: Race, { strength, drift, number }: Runner, shift: number, atMs: number): number {
  const sum = race.runners.reduce((all, one) => all + Math.exp(one.strength), 0);
  const fair = sum / Math.exp(strength);
  const minute = Math.floor(Math.min(atMs, race.story.jumpMs - 1) / STEP_MS);
  const moved = 0.88 + shift * 0.015 + ((minute + number + shift) % 7) * 0.01 - drift * 0.01;
  return Math.max(1.1, Math.round(fair * moved * 20) / 20);
}

function resultOf({ story, runners }: Race, atMs: number): FeedResult | null {
  const none = { protest: false, placings: [], straight: [], exotics: [], multiRace: [] };
  if (story.abandoned && story.abandoned.atMs <= atMs)
    return { ...none, stage: 'abandoned', note: story.abandoned.note };
  if (atMs < story.interimMs) return null;
  const isFinal = atMs >= story.finalMs;
  const protest = !isFinal && story.protest !== null && story.protest.lodgedMs <= atMs;
  const nameOf = (number: number) => runners.find((one) => one.number === number)?.name ?? null;
  const placings = (isFinal ? story.settled : story.crossed)
    .filter(({ position }: Placing) => position <= 4)
    .map(({ position, number }) => ({ position, number, name: nameOf(number) }));
  const first = placings[0]!.number;
  const straight =
    atMs < story.straightDividendsMs ? [] : [{ market: 'WIN' as const, product: 'FIXED', number: first, amount: 3.2 }];
  return { ...none, stage: isFinal ? 'final' : 'interim', note: null, protest, placings, straight };
}

function marketOf(race: Race, shift: number, atMs: number): ExchangeMarket {
  const isClosed = atMs >= race.story.jumpMs;
  const runners = race.runners.filter(({ vacant, emergency }) => !vacant && !emergency);
  const isOut = ({ number }: Runner) => race.story.scratchings.some((one) => one.number === number && one.atMs <= atMs);
  return {
    marketId: `1.${100_000_000 + race.serial}`,
    marketType: 'WIN',
    version: Math.floor(atMs / 1000),
    status: isClosed ? 'CLOSED' : 'OPEN',
    inPlay: isClosed,
    bspReconciled: isClosed,
    numberOfWinners: 1,
    activeRunners: runners.filter((one) => !isOut(one)).length,
    totalMatched: 50_000,
    marketTime: iso(startOf(race, atMs)),
    settledAt: null,
    publishedAt: null,
    runners: runners.map((runner) => {
      const back = isOut(runner) ? null : priceOf(race, runner, shift, atMs);
      return {
        selectionId: race.serial * 100 + runner.number,
        number: runner.number,
        name: runner.name,
        status: isOut(runner) ? 'REMOVED' : 'ACTIVE',
        backPrice: back,
        backSize: back && 120,
        layPrice: back && Math.round(back * 1.04 * 100) / 100,
        laySize: back && 80,
        lastTraded: back,
        tradedVolume: back && 4000,
        bsp: isClosed ? back : null,
        adjustmentFactor: null,
        removedAt: null,
      };
    }),
  };
}
