// A Saturday afternoon for the pictures of the documentation: the simulator's races, runners and prices at its
// bookmakers, the same at every run. One race has the last hour of prices, the last one that was run is archived.
import { visibleToCustomers } from '../../../src/domain/bookmakers';
import type { FeedResult, FeedRunner } from '../../../src/domain/race/feed-race';
import type { BookProfile } from '../../../src/simulator/books/profiles';
import * as profiles from '../../../src/simulator/books/profiles';
import { viewOf } from '../../../src/simulator/books/view';
import type { Race } from '../../../src/simulator/world/race';
import { firstStartMs } from '../../../src/simulator/world/story/race-times';
import { dividendsOf, TOTES } from '../../../src/simulator/world/story/tote';
import { createWorld, racesOf } from '../../../src/simulator/world/world';
import { feedRunner } from '../../support/races/builders';
import { AFTERNOON, type BoardWorld } from '../board-world';

const DAY = '2026-11-21';
const MINUTE = 60_000;
const BOOKS: readonly BookProfile[] = Object.values(profiles).filter(({ key }) => visibleToCustomers(key));
const KEYS = BOOKS.map(({ key }) => key);
/** Minutes between two polls of the race with an hour. */
const EVERY = 2;

export interface PictureDay {
  /** The next race to jump. */
  readonly next: string;
  /** Archived, with its result. */
  readonly past: string;
}

export async function fillPictureDay(world: BoardWorld): Promise<PictureDay> {
  const races = racesOf(createWorld({ seed: 'pictures' }), DAY).filter(isUsual);
  const run = races.filter((race) => race.story.finalMs < AFTERNOON).slice(-4);
  const open = races.filter((race) => firstStartMs(race) > AFTERNOON + 2 * MINUTE).slice(0, 13);
  const [next = '', ...others] = await inTurn(open, (race) => list(world, race));
  await pollHour(world, open[0]!, next, AFTERNOON);
  for (const [i, id] of others.entries()) await poll(world, open[i + 1]!, id, AFTERNOON);
  const past = await inTurn(run, (race, i) => runRace(world, race, i === run.length - 1));
  for (const key of KEYS) await world.connected(key);
  return { next, past: past.at(-1)! };
}

const inTurn = async <T, R>(rows: readonly T[], work: (row: T, i: number) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  for (const [i, row] of rows.entries()) done.push(await work(row, i));
  return done;
};

/** Of Australia, run as advertised. */
const isUsual = ({ meeting, story }: Race): boolean =>
  meeting.track.country === 'AU' && story.abandoned === null && story.advertised.length === 1 && !story.deadHeat;

function list(world: BoardWorld, race: Race): Promise<string> {
  const { track, conditions } = race.meeting;
  const facts = { trackCondition: conditions[0]!.going, weather: conditions[0]!.weather };
  const named = { venue: track.name, category: track.category, country: 'AU', meetingDate: DAY } as const;
  const startTime = new Date(firstStartMs(race)).toISOString();
  const card = { raceNumber: race.number, raceName: race.name, distanceM: race.distanceM, startTime };
  return world.list(0, { ...named, ...facts, ...card }, KEYS);
}

/** Every book, some seconds before `atMs`. */
async function poll(world: BoardWorld, race: Race, id: string, atMs: number): Promise<void> {
  for (const [i, book] of BOOKS.entries()) {
    const nowMs = atMs - ((i * 7) % 20) * 1000;
    await world.poll(id, book.key, fieldOf(race, book, nowMs), { nowMs });
  }
}

async function pollHour(world: BoardWorld, race: Race, id: string, untilMs: number): Promise<void> {
  const fromMs = firstStartMs(race) - 62 * MINUTE;
  for (let atMs = fromMs; atMs < untilMs - MINUTE; atMs += EVERY * MINUTE) await poll(world, race, id, atMs);
  await poll(world, race, id, untilMs);
}

async function runRace(world: BoardWorld, race: Race, isArchived: boolean): Promise<string> {
  const id = await list(world, race);
  const { jumpMs } = race.story;
  if (isArchived) await pollHour(world, race, id, jumpMs - 5000);
  else await poll(world, race, id, jumpMs - 5000);
  await world.leaveBoard(id, jumpMs);
  await world.result(id, resultOf(race));
  if (isArchived) await world.archive(id);
  return id;
}

function fieldOf(race: Race, book: BookProfile, atMs: number): FeedRunner[] {
  const view = viewOf(race, book, atMs);
  return race.runners.map((runner, i) => {
    const { number, name, barrier, jockey, trainer, weightKg, form } = runner;
    const out = view.out.get(number);
    const scratching = out
      ? { at: new Date(out.atMs).toISOString(), late: out.kind === 'late', winDeduction: null, placeDeduction: null }
      : null;
    const prices = out ? {} : { win: view.win[i] || null, place: view.place[i] || null };
    return feedRunner(number, { name, barrier, jockey, trainer, weightKg, form, scratching, ...prices });
  });
}

const MARKETS = { Win: 'WIN', Place: 'PLC' } as const;

function resultOf(race: Race): FeedResult {
  const nameOf = new Map(race.runners.map(({ number, name }) => [number, name]));
  const placings = race.story.settled.map(({ position, number }) => ({ position, number, name: nameOf.get(number)! }));
  const straight = TOTES.flatMap((tote) =>
    dividendsOf(race, tote).straight.map(({ product, numbers, amount }) => ({
      market: MARKETS[product as keyof typeof MARKETS],
      product: tote,
      number: numbers[0]!,
      amount,
    })),
  );
  return { stage: 'final', note: null, protest: false, placings, straight, exotics: [], multiRace: [] };
}
