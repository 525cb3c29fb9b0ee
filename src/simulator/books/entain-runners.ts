// Entain's runner rows. Scratched runners stay in the list and keep their last odds; the booleans `favourite` and `mover`
// inside a runner say nothing, as on the real API.
import { aetDayBounds } from '../../domain/aet';
import type { EntainFluc, EntainRunner } from '../../feeds/entain/payload';
import type { Race, Runner } from '../world/race';
import { type Fluc, flucsOf, markedPrices } from './flucs';
import type { PriceList } from './prices';
import type { BookProfile } from './profiles';
import { type BookView, pricesAt } from './view';

export function runnerRows(race: Race, profile: BookProfile, view: BookView, nowMs: number): EntainRunner[] {
  const marked = markedPrices(race, profile, nowMs);
  const nineMs = aetDayBounds(race.meeting.day).startMs + 9 * 3_600_000;
  const nineAm =
    marked.length > 0 && nineMs > marked[0]!.atMs && nineMs <= nowMs ? pricesAt(race, profile, nineMs) : marked[0];
  return race.runners.map((runner, i) => ({
    ...identity(runner, view),
    ...scratching(runner, view),
    ...prices(i, view, flucsOf(marked, i), nineAm),
    ...connections(runner),
    favourite: false,
    mover: false,
  }));
}

function identity(runner: Runner, view: BookView) {
  const promoted = view.news.promotions.find((promotion) => promotion.number === runner.number);
  return {
    entrant_id: runner.id,
    market_name: 'Final Field',
    primary_market: true,
    name: runner.name,
    runner_number: runner.number,
    barrier: promoted?.barrier ?? runner.barrier ?? 0,
  };
}

function scratching(runner: Runner, view: BookView) {
  const out = view.out.get(runner.number);
  if (!out) return { is_scratched: false, scratch_time: 0, scr_time: null };
  return {
    is_scratched: true,
    scratch_time: Math.floor(out.atMs / 1000),
    scr_time: out.atMs > 0 ? new Date(out.atMs).toISOString() : null,
    ...(out.winDeduction > 0 && { deduction: { win: out.winDeduction, place: out.placeDeduction } }),
  };
}

const entainFluc = ({ atMs, price }: Fluc): EntainFluc => ({
  timestamp: new Date(atMs).toISOString().replace('Z', '000000Z'),
  fluc: price,
});

function prices(
  runner: number,
  view: BookView,
  moves: readonly Fluc[],
  nineAm: PriceList | undefined,
): Partial<EntainRunner> {
  const win = view.win[runner]!;
  const place = view.place[runner]!;
  if (win === 0 && moves.length === 0) return {};
  const all = win > 0 && win !== moves.at(-1)?.price ? [...moves, { atMs: view.pricedAtMs, price: win }] : moves;
  const byPrice = [...all].sort((a, b) => a.price - b.price);
  const lastSix = all.slice(-6);
  const atNine = nineAm && nineAm.win[runner]! > 0 ? { atMs: nineAm.atMs, price: nineAm.win[runner]! } : all[0]!;
  return {
    ...(win > 0 && { odds: { fixed_win: win, ...(place > 0 && { fixed_place: place }) } }),
    flucs: lastSix.map((fluc) => fluc.price),
    flucs_with_timestamp: {
      last_six: lastSix.map(entainFluc),
      open: entainFluc(all[0]!),
      high: entainFluc(byPrice.at(-1)!),
      low: entainFluc(byPrice[0]!),
      nine_am: entainFluc(atNine),
    },
  };
}

function connections(runner: Runner): Partial<EntainRunner> {
  const kilograms = runner.weightKg === null ? '' : String(runner.weightKg);
  return {
    jockey: runner.jockey ?? '',
    apprentice_indicator: runner.claimKg === null ? '' : 'A',
    allowance_weight: runner.claimKg === null ? '' : String(runner.claimKg),
    trainer_name: runner.trainer,
    trainer_location: runner.vacant ? '' : runner.trainerLocation,
    weight: { allocated: kilograms, total: kilograms },
    age: runner.age,
    sex: runner.sex,
    colour: runner.coat,
    prize_money: String(runner.prizeMoney),
    last_twenty_starts: runner.form,
    sire: runner.sire,
    dam: runner.dam,
    gear: '',
    form_comment: '',
  };
}
