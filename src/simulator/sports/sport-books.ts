// The books that price matches, and how they differ. Data, not behaviour.

export interface SportBook {
  readonly key: string;
  /** The sum of its prices of one market. */
  readonly margin: number;
  /** How it spells sides (`season/listing.ts`). */
  readonly style: Style;
  /** Its name of a competition, with `*` for the source's name of it; null: it names none. */
  readonly competition: string | null;
  /** It lists American matches with the visitors first. */
  readonly visitorsFirst: boolean;
  /** It follows the market this much later, so that the prices of two books are occasionally an arb. */
  readonly behindMinutes: number;
  /** How far its opinion may differ from the market's, as a logarithm of odds. */
  readonly opinion: number;
  /** It prices matches from this long before their start. */
  readonly opensHours: number;
  /** It sends no ids. */
  readonly terse: boolean;
  /** It lists women's matches with those of the men of their clubs, under the men's sport. */
  readonly mixed: boolean;
}

export type Style = 'full' | 'town' | 'shortened' | 'capitals' | 'initials' | 'sponsored';

export const USUAL_BOOK = {
  style: 'full' as Style,
  competition: '*',
  visitorsFirst: false,
  behindMinutes: 0,
  opinion: 0.06,
  opensHours: 48,
  terse: false,
  mixed: false,
};
const usual = USUAL_BOOK;

export const SPORT_BOOKS_PLAYED: readonly SportBook[] = [
  { ...usual, key: 'sportsbet', margin: 1.045 },
  { ...usual, key: 'tab', margin: 1.055, style: 'town', competition: null, opensHours: 40 },
  { ...usual, key: 'ladbrokes_au', margin: 1.05, opinion: 0.08, style: 'shortened', competition: '* - Round Robin' },
  { ...usual, key: 'pointsbetau', margin: 1.05, visitorsFirst: true, style: 'capitals', opensHours: 36 },
  { ...usual, key: 'betgold', margin: 1.06, style: 'initials', terse: true, competition: null, opensHours: 30 },
  {
    ...usual,
    key: 'boostbet',
    margin: 1.035,
    behindMinutes: 60,
    opinion: 0.1,
    style: 'sponsored',
    mixed: true,
    opensHours: 30,
  },
];
