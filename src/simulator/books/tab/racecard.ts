// TAB's full racecard: runners with fixed odds and tote estimates, pools, and dividends once the race pays.
import type {
  TabDividend,
  TabFixedOdds,
  TabParimutuel,
  TabPool,
  TabRacecardReply,
  TabRunner,
} from '../../../feeds/tab/payload';
import type { Race, Runner, WorldScratching } from '../../world/race';
import { multiBets, multiDividends } from '../../world/story/multi';
import { type Dividend, dividendsOf, type Tote, type ToteReturns, toteReturns } from '../../world/story/tote';
import { flucsOf, markedPrices } from '../flucs';
import type { PriceList } from '../prices';
import { TAB } from '../profiles';
import type { BookRequest } from '../reply';
import { type BookView, closesAtMs, viewOf } from '../view';
import { conditionText, meetingHead, RACE_TYPES, raceStub, scratchedStatus } from './spellings';

export function racecard(race: Race, tote: Tote, request: BookRequest): TabRacecardReply {
  const { nowMs } = request;
  const view = viewOf(race, TAB, nowMs);
  const marked = markedPrices(race, TAB, nowMs);
  const pools = toteReturns(race, tote, poolUpdatedMs(race, nowMs), (i) => inPool(race, view, i));
  const paying = view.state.stage === 'final';
  return {
    ...raceStub(race, view, request),
    meeting: meetingHead(race.meeting, conditionText(view.conditions), view.conditions.weather),
    raceClassConditions: race.raceClass.toUpperCase(),
    prizeMoney: `$${race.prizes.reduce((sum, prize) => sum + prize, 0)}.00`,
    trackDirection: race.meeting.track.state === 'NSW' ? 'Right' : 'Left',
    numberOfPlaces: view.state.placesPaid,
    numberOfFixedOddsPlaces: view.state.placesPaid === 1 ? 0 : view.state.placesPaid,
    willHaveFixedOdds: true,
    allowFixedOddsPlace: view.state.placesPaid > 1,
    allowParimutuelPlace: view.state.placesPaid > 1,
    fixedOddsUpdateTime: new Date(view.pricedAtMs).toISOString(),
    resultedTime: paying ? new Date(race.story.finalMs).toISOString() : null,
    substitute: null,
    runners: race.runners.map((runner, i) => runnerRow(race, runner, i, view, marked, pools)),
    pools: poolRows(race, tote, view),
    dividends: paying ? dividendRows(race, tote, view) : [],
  };
}

const POOLS_UPDATE_MS = 30_000;

function poolUpdatedMs(race: Race, nowMs: number): number {
  return Math.min(Math.floor(nowMs / POOLS_UPDATE_MS) * POOLS_UPDATE_MS, closesAtMs(race, TAB));
}

function inPool(race: Race, view: BookView, index: number): boolean {
  const runner = race.runners[index]!;
  if (view.out.has(runner.number)) return false;
  return !runner.emergency || view.state.promotions.some((promotion) => promotion.number === runner.number);
}

function runnerRow(
  race: Race,
  runner: Runner,
  index: number,
  view: BookView,
  marked: readonly PriceList[],
  pools: ToteReturns,
): TabRunner {
  const out = view.out.get(runner.number);
  const promoted = view.state.promotions.find((promotion) => promotion.number === runner.number);
  return {
    runnerName: runner.name.toUpperCase(),
    runnerNumber: runner.number,
    barrierNumber: promoted?.barrier ?? runner.barrier,
    riderDriverName: runner.jockey?.toUpperCase() ?? null,
    riderDriverFullName: runner.jockey,
    trainerName: runner.trainer.toUpperCase(),
    trainerFullName: runner.trainer,
    handicapWeight: runner.weightKg ?? 0,
    harnessHandicap: race.meeting.track.category === 'harness' ? `Fr${runner.barrier ?? ''}` : null,
    claimAmount: runner.claimKg ?? -1,
    last5Starts: runner.form.slice(-5),
    emergency: runner.emergency,
    fixedOdds: fixedOdds(race, index, view, marked, out),
    parimutuel: parimutuel(index, view, pools, out),
  };
}

function fixedOdds(
  race: Race,
  index: number,
  view: BookView,
  marked: readonly PriceList[],
  out: WorldScratching | undefined,
): TabFixedOdds {
  const flucs = flucsOf(marked, index);
  const returnWin = view.win[index]!;
  const before = flucs.filter((fluc, i) => i < flucs.length - 1 || fluc.price !== returnWin);
  return {
    returnWin,
    returnPlace: view.place[index]!,
    returnWinTime: returnWin > 0 ? new Date(view.pricedAtMs).toISOString() : null,
    returnWinOpen: flucs[0]?.price ?? returnWin,
    returnWinOpenDaily: flucs[0]?.price ?? returnWin,
    bettingStatus: out ? scratchedStatus(out) : view.takesBets ? 'Open' : 'Closed',
    propositionNumber: (race.serial % 1_000_000) * 100 + index,
    isFavouriteWin: isShortest(race, view, index),
    allowPlace: view.state.placesPaid > 1,
    flucs: before
      .slice(-4)
      .reverse()
      .map((fluc) => ({ returnWin: fluc.price, returnWinTime: new Date(fluc.atMs).toISOString() })),
    ...(out && {
      scratchedTime: out.atMs > 0 ? new Date(out.atMs).toISOString() : null,
      winDeduction: Math.round(out.winDeduction * 100),
      placeDeduction: Math.round(out.placeDeduction * 100),
    }),
  };
}

function isShortest(race: Race, view: BookView, index: number): boolean {
  const inPrice = (i: number): number => (view.out.has(race.runners[i]!.number) ? 0 : view.win[i]!);
  const price = inPrice(index);
  return price > 0 && view.win.every((_, i) => inPrice(i) === 0 || inPrice(i) >= price);
}

/** The parimutuel block has only a plain scratching, never a late one. */
function parimutuel(
  index: number,
  view: BookView,
  pools: ToteReturns,
  out: WorldScratching | undefined,
): TabParimutuel {
  return {
    returnWin: pools.win[index]!,
    returnPlace: pools.place[index]!,
    bettingStatus: out ? 'Scratched' : view.takesBets ? 'Open' : 'Closed',
  };
}

const SINGLE_POOLS = ['Win', 'Place', 'Quinella', 'Exacta', 'Trifecta', 'FirstFour'] as const;

function poolRows(race: Race, tote: Tote, view: BookView): TabPool[] {
  const poolStatusCode = view.takesBets ? 'Open' : view.state.stage === 'final' ? 'Paying' : 'Closed';
  const { meeting } = race;
  const totals = new Map(
    view.state.stage === 'final'
      ? [...dividendsOf(race, tote).straight, ...dividendsOf(race, tote).exotics].map((row) => [
          row.product as string,
          row.poolSize,
        ])
      : [],
  );
  const single = SINGLE_POOLS.map((wageringProduct) => ({
    wageringProduct,
    legNumber: 1,
    poolStatusCode,
    jackpot: 0,
    ...(totals.has(wageringProduct) && { poolTotal: totals.get(wageringProduct)! }),
  }));
  const multi = multiBets(meeting)
    .filter((bet) => bet.legs.includes(race.number))
    .map((bet) => ({
      wageringProduct: bet.product,
      legNumber: bet.legs.indexOf(race.number) + 1,
      legs: bet.legs.map((raceNumber, i) => legRow(race, raceNumber, i + 1)),
      poolStatusCode,
      jackpot: 0,
    }));
  return [...single, ...multi];
}

function legRow(race: Race, raceNumber: number, legNumber: number) {
  const { track, races } = race.meeting;
  const leg = races.find((one) => one.number === raceNumber)!;
  const startTime = new Date(leg.story.advertised[0]!.startMs).toISOString();
  return { legNumber, raceNumber, venueMnemonic: track.mnemonic, raceType: RACE_TYPES[track.category], startTime };
}

function dividendRows(race: Race, tote: Tote, view: BookView): TabDividend[] {
  const { straight, exotics } = dividendsOf(race, tote);
  const rows = [
    ...(view.state.straightDividends ? straight : []),
    ...(view.state.exoticDividends ? [...exotics, ...multiDividends(race, tote)] : []),
  ];
  const products = [...new Set(rows.map((row) => row.product))];
  return products.map((product) => ({
    wageringProduct: product,
    poolDividends: rows.filter((row) => row.product === product).map(dividendRow),
  }));
}

const dividendRow = ({ numbers, amount }: Dividend) => ({ selections: [...numbers], amount });
