// Entain's runner rows. Scratched runners stay in the list with their last odds; the booleans `favourite` and `mover`
// inside a runner mean nothing, as on the real API.
import { aetDayBounds } from '../../../domain/time/aet';
import type { EntainFluc, EntainRunner } from '../../../feeds/entain/payload';
import type { Race, Runner } from '../../world/race';
import { flucsOf, markedPrices } from '../flucs';
import type { PriceList } from '../prices';
import type { BookProfile } from '../profiles';
import { type BookView, pricesAt } from '../view';

export function runnerRows(race: Race, profile: BookProfile, view: BookView, nowMs: number): EntainRunner[] {
  const history = historyOf(race, profile, nowMs);
  return race.runners.map((runner, i) => runnerRow(runner, i, view, history[i]!));
}

/** One literal with undefined for absent fields: spreading parts together took most of a reply's time (2026-11-21). */
function runnerRow(runner: Runner, index: number, view: BookView, history: History): EntainRunner {
  const out = view.out.get(runner.number);
  const promoted = view.state.promotions.find((promotion) => promotion.number === runner.number);
  const win = view.win[index]!;
  const flucs = flucsUpTo(history, win, view.pricedAtMs);
  const kilograms = runner.weightKg === null ? '' : String(runner.weightKg);
  return {
    entrant_id: runner.id,
    market_name: 'Final Field',
    primary_market: true,
    name: runner.name,
    runner_number: runner.number,
    barrier: promoted?.barrier ?? runner.barrier ?? 0,
    is_scratched: out !== undefined,
    scratch_time: out ? Math.floor(out.atMs / 1000) : 0,
    scr_time: out && out.atMs > 0 ? new Date(out.atMs).toISOString() : null,
    deduction: out && out.winDeduction > 0 ? { win: out.winDeduction, place: out.placeDeduction } : undefined,
    odds: win > 0 ? { fixed_win: win, fixed_place: view.place[index]! || undefined } : undefined,
    flucs: flucs?.slice(-6).map((row) => row.fluc),
    flucs_with_timestamp: flucs && summary(flucs, history),
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
    favourite: false,
    mover: false,
  };
}

/** The moves of one runner up to the last mark, as text. */
interface History {
  readonly flucs: readonly EntainFluc[];
  readonly nineAm: EntainFluc | undefined;
}

/** Only the newest history of each book: those of all marks of a race take a megabyte. */
const histories = new WeakMap<Race, Map<string, { readonly mark: string; readonly rows: History[] }>>();

/** Built once per passing mark, not once per reply. */
function historyOf(race: Race, profile: BookProfile, nowMs: number): History[] {
  const marked = markedPrices(race, profile, nowMs);
  const nineMs = aetDayBounds(race.meeting.day).startMs + 9 * 3_600_000;
  const pastNine = marked.length > 0 && nineMs > marked[0]!.atMs && nineMs <= nowMs;
  const byBook = histories.get(race) ?? new Map<string, { mark: string; rows: History[] }>();
  histories.set(race, byBook);
  const mark = `${marked.length} ${pastNine}`;
  const cached = byBook.get(profile.key);
  if (cached?.mark === mark) return cached.rows;
  const nineAm = pastNine ? pricesAt(race, profile, nineMs) : marked[0];
  const rows = race.runners.map((_, i) => runnerHistory(marked, nineAm, i));
  byBook.set(profile.key, { mark, rows });
  return rows;
}

function runnerHistory(marked: readonly PriceList[], nineAm: PriceList | undefined, runner: number): History {
  const price = nineAm?.win[runner] ?? 0;
  return {
    flucs: flucsOf(marked, runner).map(({ atMs, price }) => entainFluc(atMs, price)),
    nineAm: nineAm && price > 0 ? entainFluc(nineAm.atMs, price) : undefined,
  };
}

const entainFluc = (atMs: number, fluc: number): EntainFluc => ({
  timestamp: new Date(atMs).toISOString().replace('Z', '000000Z'),
  fluc,
});

/** Every move, the current price last; undefined for a runner that was never priced. */
function flucsUpTo({ flucs }: History, win: number, pricedAtMs: number): readonly EntainFluc[] | undefined {
  if (win > 0 && win !== flucs.at(-1)?.fluc) return [...flucs, entainFluc(pricedAtMs, win)];
  return flucs.length > 0 ? flucs : undefined;
}

function summary(flucs: readonly EntainFluc[], { nineAm }: History): EntainRunner['flucs_with_timestamp'] {
  return {
    last_six: flucs.slice(-6),
    open: flucs[0]!,
    high: flucs.reduce((best, row) => (row.fluc > best.fluc ? row : best)),
    low: flucs.reduce((best, row) => (row.fluc < best.fluc ? row : best)),
    nine_am: nineAm ?? flucs[0]!,
  };
}
