// Entain's dividend rows: three totes, straight and exotic products, multi-race bets on their last leg.
// Once final, straight products appear twice, as an Interim and a Final row with different ids, as recorded.
import type { EntainDividend } from '../../../feeds/entain/payload';
import type { Race } from '../../world/race';
import { uuidOf } from '../../world/random';
import { multiDividends } from '../../world/story/multi';
import { type Dividend, type DividendProduct, dividendsOf, TOTES, type Tote } from '../../world/story/tote';
import type { BookView } from '../view';

const NAMES: Record<DividendProduct, string | null> = {
  Win: 'Tote Win',
  Place: 'Tote Place',
  Quinella: 'Quinella',
  Exacta: 'Exacta',
  Trifecta: 'Trifecta',
  FirstFour: 'First Four',
  DailyDouble: 'Daily Double',
  Treble: 'Treble',
  Quaddie: 'Quadrella',
  Big6: 'Big 6',
  // This book's label for it was never observed.
  EarlyQuaddie: null,
};

export function dividendRows(race: Race, { state }: BookView): EntainDividend[] {
  if (!state.straightDividends) return [];
  const final = state.stage === 'final';
  return TOTES.flatMap((tote) => {
    const { straight, exotics } = dividendsOf(race, tote);
    const late = state.exoticDividends ? [...exotics, ...multiDividends(race, tote)] : [];
    return [
      ...rows(race, tote, straight, 'Interim'),
      ...(final ? rows(race, tote, straight, 'Final') : []),
      ...rows(race, tote, late, final ? 'Final' : 'Interim'),
    ];
  });
}

function rows(
  race: Race,
  tote: Tote,
  dividends: readonly Dividend[],
  status: EntainDividend['status'],
): EntainDividend[] {
  return dividends.flatMap(({ product, amount, numbers, poolSize }) => {
    const name = NAMES[product];
    if (name === null) return [];
    const description = numbers.join(':');
    return {
      id: uuidOf(race.seed, `dividend ${tote} ${product} ${description} ${status}`),
      tote,
      product_name: name,
      status,
      dividend: amount,
      pool_size: poolSize,
      jackpot_size: 0,
      positions: numbers.map((number, i) => ({ runner_number: number, position: i + 1 })),
      description,
    };
  });
}
