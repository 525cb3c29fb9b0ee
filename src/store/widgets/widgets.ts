// Widgets as their owners manage them (A 4.13). Another account's widget is not found. Their fills are in `fills.ts`.
import type { Pool } from 'pg';
import type { Category, Instant } from '../../domain/race/race';
import type { MatchMarket } from '../../domain/sports/sports';
import { inTransaction } from '../pg/transaction';

/** The next races to jump. */
export interface RacingShown {
  readonly type: 'racing';
  /** Empty: all, of each. */
  readonly categories: readonly Category[];
  readonly countries: readonly string[];
  /** The maximum number. */
  readonly races: number;
}

/** The next matches of a sport to start. */
export interface SportShown {
  readonly type: 'sports';
  readonly sportKey: string;
  readonly market: MatchMarket;
  /** The maximum number. */
  readonly matches: number;
}

export interface WidgetSettings {
  readonly name: string;
  /** Sites that may embed it. */
  readonly allowedOrigins: readonly string[];
  readonly maxFillsPerHour: number;
  /** Null: no limit. */
  readonly maxFillsPerMonth: number | null;
  /** By bookmaker key. */
  readonly linkTemplates: Readonly<Record<string, string>>;
  /** Empty: all. */
  readonly bookmakers: readonly string[];
  readonly shows: RacingShown | SportShown;
  readonly title: string | null;
  /** `#rrggbb`, in lower case. */
  readonly accent: string;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly paused: boolean;
}

export interface StoredWidget extends WidgetSettings {
  readonly widgetId: string;
  /** On the pages that embed it. */
  readonly embedId: string;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  readonly lastFilledAt: Instant | null;
  readonly fillsLastHour: number;
  /** Of the UTC month. */
  readonly fillsThisMonth: number;
}

interface WidgetDraft extends WidgetSettings {
  readonly widgetId: string;
  readonly embedId: string;
  readonly accountId: string;
  /** A repeated request under this key is carried out once; null: none was sent. */
  readonly once: { readonly key: string; readonly request: string } | null;
}

type WidgetCreated =
  | { readonly kind: 'created'; readonly widget: StoredWidget }
  /** The account already has the maximum. */
  | { readonly kind: 'full' }
  /** Another request was sent under this key. */
  | { readonly kind: 'other' };

/** `at`: wall time, from which fills are counted back too. */
export interface WidgetStore {
  /** The oldest first. */
  list(accountId: string, at: Instant): Promise<readonly StoredWidget[]>;
  find(accountId: string, widgetId: string, at: Instant): Promise<StoredWidget | null>;
  create(draft: WidgetDraft, at: Instant, most: number): Promise<WidgetCreated>;
  /** `change` gets the stored values, and may throw. Null: the account has no such widget. */
  update(
    accountId: string,
    widgetId: string,
    at: Instant,
    change: (stored: StoredWidget) => WidgetSettings & Pick<StoredWidget, 'embedId'>,
  ): Promise<StoredWidget | null>;
  /** False: the account has no such widget. */
  remove(accountId: string, widgetId: string): Promise<boolean>;
}

export const SETTINGS = `name, allowed_origins AS "allowedOrigins", max_fills_per_hour AS "maxFillsPerHour",
  max_fills_per_month AS "maxFillsPerMonth", link_templates AS "linkTemplates",
  bookmakers, title, accent, theme, paused, CASE type
    WHEN 'racing' THEN json_build_object('type', type, 'categories', categories, 'countries', countries, 'races', races)
    ELSE json_build_object('type', type, 'sportKey', sport_key, 'market', market, 'matches', matches) END AS shows`;

/** For `widgets w`, at the wall time $1. */
const COLUMNS = `w.widget_id AS "widgetId", embed_id AS "embedId", ${SETTINGS}, created_at AS "createdAt", changed_at AS "changedAt",
  last_filled_at AS "lastFilledAt",
  (SELECT count(*) FROM widget_fills f WHERE f.widget_id = w.widget_id AND f.filled_at > $1::timestamptz - interval '1 hour') AS "fillsLastHour",
  COALESCE((SELECT fills FROM widget_months m WHERE m.widget_id = w.widget_id
               AND m.period = date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC')::date), 0) AS "fillsThisMonth"`;

const LIST = {
  name: 'widgets-list',
  text: `SELECT ${COLUMNS} FROM widgets w WHERE account_id = $2 ORDER BY created_at, w.widget_id`,
};
const FIND = {
  name: 'widgets-find',
  text: `SELECT ${COLUMNS} FROM widgets w WHERE account_id = $2 AND w.widget_id = $3`,
};
const MADE_BEFORE = `SELECT ${COLUMNS}, request FROM widgets w WHERE account_id = $2 AND request_key = $3`;
const CREATE = `
  INSERT INTO widgets AS w (widget_id, account_id, embed_id, name, allowed_origins, max_fills_per_hour, link_templates, bookmakers, title, accent,
                            theme, paused, type, categories, countries, races, sport_key, market, matches, max_fills_per_month, created_at,
                            changed_at, request_key, request)
  VALUES ($3, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $1, $1, $22, $23) RETURNING ${COLUMNS}`;
const UPDATE = `
  UPDATE widgets w SET embed_id = $4, name = $5, allowed_origins = $6, max_fills_per_hour = $7, link_templates = $8, bookmakers = $9, title = $10,
                       accent = $11, theme = $12, paused = $13, type = $14, categories = $15, countries = $16, races = $17, sport_key = $18,
                       market = $19, matches = $20, max_fills_per_month = $21, changed_at = $1
   WHERE account_id = $2 AND w.widget_id = $3 RETURNING ${COLUMNS}`;
const REMOVE = 'DELETE FROM widgets WHERE account_id = $1 AND widget_id = $2';

const valuesOf = (of: WidgetSettings): unknown[] => [
  of.name,
  of.allowedOrigins,
  of.maxFillsPerHour,
  JSON.stringify(of.linkTemplates),
  of.bookmakers,
  of.title,
  of.accent,
  of.theme,
  of.paused,
  ...shownValues(of.shows),
  of.maxFillsPerMonth,
];

const shownValues = (of: WidgetSettings['shows']): unknown[] =>
  of.type === 'racing'
    ? [of.type, of.categories, of.countries, of.races, null, null, null]
    : [of.type, [], [], null, of.sportKey, of.market, of.matches];

export function createWidgetStore(pool: Pool): WidgetStore {
  return {
    list: async (accountId, at) => (await pool.query<StoredWidget>({ ...LIST, values: [at, accountId] })).rows,
    find: async (accountId, widgetId, at) =>
      (await pool.query<StoredWidget>({ ...FIND, values: [at, accountId, widgetId] })).rows[0] ?? null,
    create: (draft, at, most) =>
      inTransaction(pool, async (client) => {
        const { widgetId, accountId, embedId, once } = draft;
        await client.query('SELECT FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
        if (once) {
          const values = [at, accountId, once.key];
          const [before] = (await client.query<StoredWidget & { request: string }>(MADE_BEFORE, values)).rows;
          if (before) return before.request === once.request ? { kind: 'created', widget: before } : { kind: 'other' };
        }
        const text = 'SELECT count(*) AS widgets FROM widgets WHERE account_id = $1';
        const { rows: counted } = await client.query<{ widgets: number }>(text, [accountId]);
        if (counted[0]!.widgets >= most) return { kind: 'full' };
        const values = [at, accountId, widgetId, embedId, ...valuesOf(draft), once?.key ?? null, once?.request ?? null];
        return { kind: 'created', widget: (await client.query<StoredWidget>(CREATE, values)).rows[0]! };
      }),
    update: (accountId, widgetId, at, change) =>
      inTransaction(pool, async (client) => {
        const own = [at, accountId, widgetId];
        const [stored] = (await client.query<StoredWidget>(`${FIND.text} FOR NO KEY UPDATE OF w`, own)).rows;
        if (!stored) return null;
        const wanted = change(stored);
        return (await client.query<StoredWidget>(UPDATE, [...own, wanted.embedId, ...valuesOf(wanted)])).rows[0]!;
      }),
    remove: async (accountId, widgetId) => (await pool.query(REMOVE, [accountId, widgetId])).rowCount === 1,
  };
}
