// Widgets of an account (A 4.13): created, changed, their public id replaced, and deleted. What readers see is in
// `embeds.ts`.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../domain/events/canonical-json';
import { AppError } from '../../../errors';
import { base32 } from '../../../plans/key-id';
import { LIMITS } from '../../../plans/limits';
import type { StoredWidget, WidgetSettings, WidgetStore } from '../../../store/widgets/widgets';
import type { Caller } from '../../kernel/endpoint/caller';
import { changed, settingsOf } from './settings';
import type { WidgetSent, WidgetWanted } from './widget-schema';

export interface WidgetDeps {
  readonly store: WidgetStore;
  random(bytes: number): Buffer;
}

/** All but `list` and `create` throw `not_found` for a widget of another account. */
export interface WidgetService {
  list(accountId: string): Promise<readonly StoredWidget[]>;
  find(accountId: string, widgetId: string): Promise<StoredWidget>;
  /** `key`: a repeated request under it is carried out once. */
  create(caller: Pick<Caller, 'accountId' | 'plan'>, sent: WidgetSent, key: string | null): Promise<StoredWidget>;
  /** `replaces`: the current public id, which ends; undefined: it stays. */
  change(accountId: string, widgetId: string, sent: WidgetWanted, replaces?: string): Promise<StoredWidget>;
  remove(accountId: string, widgetId: string): Promise<void>;
}

/** 128 bits, so that it cannot be guessed. */
const ID_BYTES = 16;

export function createWidgets({ store, random }: WidgetDeps, wallMs: () => number): WidgetService {
  const now = (): string => new Date(wallMs()).toISOString();
  const newId = (prefix: 'wg_' | 'we_'): string => prefix + base32(random(ID_BYTES).toString('hex'));
  return {
    list: (accountId) => store.list(accountId, now()),
    find: async (accountId, widgetId) => found(await store.find(accountId, widgetId, now())),
    async create({ accountId, plan }, sent, key) {
      const settings = settingsOf(sent);
      const request = requestOf(settings);
      const once = key === null ? null : { key, request };
      const draft = { widgetId: newId('wg_'), embedId: newId('we_'), accountId, ...settings, once };
      const most = LIMITS[plan.id].widgets;
      const created = await store.create(draft, now(), most);
      if (created.kind === 'created') return created.widget;
      throw created.kind === 'other'
        ? new AppError('conflict', 'This Idempotency-Key was sent with another request.')
        : new AppError('conflict', `The account has ${most} widgets, as many as an account may have.`);
    },
    async change(accountId, widgetId, sent, replaces) {
      return found(
        await store.update(accountId, widgetId, now(), (stored) => {
          if (replaces !== undefined && replaces !== stored.embedId)
            throw new AppError('conflict', '/replace_embed_id is not the present embed_id of the widget.');
          return { ...changed(stored, sent), ...(replaces !== undefined && { embedId: newId('we_') }) };
        }),
      );
    },
    async remove(accountId, widgetId) {
      found((await store.remove(accountId, widgetId)) || null);
    },
  };
}

/**
 * Stored with an Idempotency-Key, and compared by every later release: its form is fixed, whatever the settings become.
 */
function requestOf({ shows, ...of }: WidgetSettings): string {
  const form = {
    name: of.name,
    allowedOrigins: of.allowedOrigins,
    maxFillsPerHour: of.maxFillsPerHour,
    linkTemplates: of.linkTemplates,
    bookmakers: of.bookmakers,
    title: of.title,
    accent: of.accent,
    theme: of.theme,
    paused: of.paused,
    ...(of.maxFillsPerMonth !== null && { maxFillsPerMonth: of.maxFillsPerMonth }),
  };
  const shown =
    shows.type === 'racing'
      ? { categories: shows.categories, countries: shows.countries, races: shows.races }
      : { type: shows.type, sportKey: shows.sportKey, market: shows.market, matches: shows.matches };
  return createHash('sha256')
    .update(canonicalJson({ ...form, ...shown }))
    .digest('hex');
}

function found<T>(widget: T | null): T {
  if (widget === null) throw new AppError('not_found', 'Your account has no widget with this widget_id.');
  return widget;
}
