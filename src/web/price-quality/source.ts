// The external data of the pages of price quality: sums over the archive, of books that customers may see.
import type { MarkFigures, MarkMinutes } from '../../domain/archive/archived-marks';
import type { Category, Day } from '../../domain/race/race';

/** Of one book at one mark, over some days; absent where it had no price on offer. */
export interface MarkRow extends MarkFigures {
  readonly category: Category;
  readonly bookmaker: string;
  readonly title: string;
  readonly minutes: MarkMinutes;
  /** At which it had a price on offer. */
  readonly races: number;
}

export interface PriceQualitySource {
  /** Sydney days with figures, newest first; `checked`: with quotes of known age. */
  days(): Promise<readonly { readonly day: Day; readonly checked: boolean }[]>;
  /** Of the races that started on these days, both included. */
  rows(from: Day, to: Day): Promise<readonly MarkRow[]>;
}
