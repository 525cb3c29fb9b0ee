// The world's true story, for people and tests: `GET /world/races?from=&to=&book=` has every race's whole story in
// advance, with the scenarios that are on for all, or for one book or registry; `GET /world/matches?from=&to=` has
// every match with each book's current row; `GET /healthz` shows that the server is up. The service itself must never
// use it.
import type { Middleware } from 'koa';
import { aetDay } from '../../domain/time/aet';
import { officialField } from '../registry/official-field';
import { matchesBetween } from '../sports/season/oracle';
import type { Race } from '../world/race';
import { multiDividends } from '../world/story/multi';
import { firstStartMs } from '../world/story/race-times';
import { raceAt } from '../world/story/state';
import { dividendsOf, TOTES, type Tote } from '../world/story/tote';
import { racesOf, type World } from '../world/world';

const HOUR_MS = 3_600_000;

export function worldView(worldOf: (book: string) => World, now: () => number): Middleware {
  return (ctx, next) => {
    const { from, to, book } = ctx.query;
    if (ctx.path === '/healthz') ctx.body = { status: 'ok', now: new Date(now()).toISOString() };
    else if (ctx.path === '/world/races') {
      ctx.body = racesBetween(worldOf(typeof book === 'string' ? book : ''), now(), from, to);
    } else if (ctx.path === '/world/matches') {
      const [fromMs, toMs] = [instantOf(from, now()), instantOf(to, now() + 48 * HOUR_MS)];
      ctx.body = matchesBetween(worldOf('').seed, now(), fromMs, toMs);
    } else return next();
  };
}

/** Races first advertised in [from, to], by default within three hours of now. */
function racesBetween(world: World, nowMs: number, from: unknown, to: unknown) {
  const fromMs = instantOf(from, nowMs - 3 * HOUR_MS);
  const toMs = instantOf(to, nowMs + 3 * HOUR_MS);
  const days = [...new Set([aetDay(fromMs), ...world.listedDays(nowMs), aetDay(toMs)])].sort();
  const races = days
    .flatMap((day) => racesOf(world, day))
    .filter((race) => firstStartMs(race) >= fromMs && firstStartMs(race) <= toMs);
  return { now: iso(nowMs), races: races.map((race) => describeRace(race, nowMs)) };
}

function instantOf(text: unknown, usual: number): number {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? usual : ms;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function describeRace(race: Race, nowMs: number) {
  const { story, meeting } = race;
  return {
    id: race.id,
    serial: race.serial,
    day: meeting.day,
    venue: meeting.track.name,
    category: meeting.track.category,
    country: meeting.track.country,
    raceNumber: race.number,
    stage: raceAt(race, nowMs).stage,
    advertised: story.advertised.map((start) => ({
      from: start.fromMs === 0 ? null : iso(start.fromMs),
      start: iso(start.startMs),
    })),
    scratchings: story.scratchings.map(({ number, kind, atMs, winDeduction, placeDeduction }) => ({
      number,
      kind,
      at: atMs === 0 ? null : iso(atMs),
      deductions: { win: winDeduction, place: placeDeduction },
    })),
    promotions: story.promotions.map(({ number, atMs }) => ({ number, at: iso(atMs) })),
    abandoned: story.abandoned && { at: iso(story.abandoned.atMs), note: story.abandoned.note },
    outcome: story.abandoned ? null : outcome(race),
  };
}

function outcome(race: Race) {
  const { story } = race;
  const { protest } = story;
  const order = (placings: typeof story.crossed) => placings.map(({ position, number }) => ({ position, number }));
  return {
    jump: iso(story.jumpMs),
    interim: iso(story.interimMs),
    dividends: iso(story.straightDividendsMs),
    exotics: iso(story.exoticDividendsMs),
    final: iso(story.finalMs),
    deadHeat: story.deadHeat,
    protest: protest && { upheld: protest.upheld, lodged: iso(protest.lodgedMs), decided: iso(protest.decidedMs) },
    corrected: story.correctedMs === null ? null : iso(story.correctedMs),
    mishaps: story.mishaps,
    crossed: order(story.crossed),
    settled: order(story.settled),
    declared: Object.fromEntries(TOTES.map((tote) => [tote, declaredBy(race, tote)])),
    field: officialField(race, story.finalMs).map(({ runner: _, ...official }) => official),
  };
}

function declaredBy(race: Race, tote: Tote) {
  const { straight, exotics } = dividendsOf(race, tote);
  const all = [...straight, ...exotics, ...multiDividends(race, tote)];
  return all.map(({ product, numbers, amount }) => ({ product, numbers, amount }));
}
