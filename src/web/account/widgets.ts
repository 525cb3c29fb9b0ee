// Widgets on the account page, in plain values.

export interface WidgetCard {
  readonly id: string;
  readonly name: string;
  /** Sites that may embed it. */
  readonly origins: readonly string[];
  /** The markup to paste. */
  readonly markup: string;
  readonly isPaused: boolean;
  readonly fillsLastHour: number;
  readonly maxFillsPerHour: number;
  readonly fillsThisMonth: number;
  /** Null: no limit. */
  readonly maxFillsPerMonth: number | null;
  readonly lastFilledMs: number | null;
}

export interface Widgets {
  /** Whether the plan includes them. */
  readonly isEntitled: boolean;
  /** As many as the account may have. */
  readonly most: number;
  readonly list: readonly WidgetCard[];
}
