// What the page of archive files needs.
import type { Context } from 'koa';
import type { Day, Instant } from '../../../domain/race/race';

interface ShownDataset {
  readonly name: string;
  readonly description: string;
  readonly from: Day;
}

export interface ShownFile {
  readonly format: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The account has paid for this version, which is free until then. Epoch milliseconds; null: it is charged. */
  readonly freeUntilMs: number | null;
}

export type PeriodKind = 'day' | 'month';

export interface ShownPeriod {
  readonly dataset: string;
  /** `2026-11-20` or `2026-11`. */
  readonly period: string;
  readonly version: number;
  readonly rows: number;
  readonly builtAt: Instant;
  readonly files: readonly ShownFile[];
}

interface PeriodPage {
  /** Null: every dataset. */
  readonly dataset: string | null;
  readonly kind: PeriodKind;
  readonly limit: number;
  readonly offset: number;
}

export interface OwnedFiles {
  readonly datasets: readonly ShownDataset[];
  /** Newest first. */
  list(
    accountId: string,
    page: PeriodPage,
  ): Promise<{ readonly total: number; readonly periods: readonly ShownPeriod[] }>;
  /**
   * Answers a form with the file that its address names (`dataset`, `period`; `format`, `version`), and charges it as
   * the operation does. Throws what a call with the primary key would be refused with.
   */
  send(ctx: Context, accountId: string): Promise<void>;
}
