// The books that price matches: what sets each apart. Data, not behaviour.

export interface SportBook {
  readonly key: string;
  /** What its prices of one market add up to. */
  readonly margin: number;
  /** Which spelling of a side it uses; one that a side does not have is its first. */
  readonly spelling: number;
  /** It lists American matches with the visitors first. */
  readonly visitorsFirst: boolean;
  /** It follows the market this much later, so that now and then two books' prices are an arb. */
  readonly behindMinutes: number;
  /** How far its opinion may be from the market's, as a logarithm of odds. */
  readonly opinion: number;
  /** It prices matches from so long before their start. */
  readonly opensHours: number;
  /** It sends no ids of its own, and names no competitions. */
  readonly terse: boolean;
}

const usual = { spelling: 0, visitorsFirst: false, behindMinutes: 0, opinion: 0.06, opensHours: 48, terse: false };

export const SPORT_BOOKS_PLAYED: readonly SportBook[] = [
  { ...usual, key: 'sportsbet', margin: 1.045 },
  { ...usual, key: 'tab', margin: 1.055, spelling: 1, opensHours: 40 },
  { ...usual, key: 'ladbrokes_au', margin: 1.05, opinion: 0.08 },
  { ...usual, key: 'pointsbetau', margin: 1.05, visitorsFirst: true, opensHours: 36 },
  { ...usual, key: 'betgold', margin: 1.06, spelling: 2, terse: true, opensHours: 30 },
  { ...usual, key: 'boostbet', margin: 1.035, behindMinutes: 60, opinion: 0.1, opensHours: 30 },
];
