// Widgets of an account (A 4.13): made, changed, their public id replaced, and deleted. What readers are shown is in `embeds.ts`.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../domain/events/canonical-json';
import { templateProblem } from '../../../domain/widgets/link-template';
import { originProblem } from '../../../domain/widgets/site-origin';
import { AppError, type InputProblem, invalid } from '../../../errors';
import { base32 } from '../../../plans/key-id';
import { LIMITS } from '../../../plans/limits';
import type { StoredWidget, WidgetSettings, WidgetStore } from '../../../store/widgets/widgets';
import type { Caller } from '../../access/caller';
import { CUSTOMERS } from '../../access/visibility';
import { comparedBooks } from '../../select-race';

export interface WidgetDeps {
  readonly store: WidgetStore;
  random(bytes: number): Buffer;
}

type WidgetChange = Partial<WidgetSettings>;

/** All but `list` and `create` throw `not_found` for a widget of another account. */
export interface WidgetService {
  list(accountId: string): Promise<readonly StoredWidget[]>;
  find(accountId: string, widgetId: string): Promise<StoredWidget>;
  /** `key`: the same request under it is made once. */
  create(
    caller: Pick<Caller, 'accountId' | 'plan'>,
    settings: WidgetSettings,
    key: string | null,
  ): Promise<StoredWidget>;
  /** `replaces`: the present public id, which ends; undefined: it stays. */
  change(accountId: string, widgetId: string, wanted: WidgetChange, replaces?: string): Promise<StoredWidget>;
  remove(accountId: string, widgetId: string): Promise<void>;
}

/** 128 bits: not to be guessed. */
const ID_BYTES = 16;

export function createWidgets({ store, random }: WidgetDeps, wallMs: () => number): WidgetService {
  const now = (): string => new Date(wallMs()).toISOString();
  const newId = (prefix: 'wg_' | 'we_'): string => prefix + base32(random(ID_BYTES).toString('hex'));
  return {
    list: (accountId) => store.list(accountId, now()),
    find: async (accountId, widgetId) => found(await store.find(accountId, widgetId, now())),
    async create({ accountId, plan }, wanted, key) {
      const settings = judged(wanted);
      const request = createHash('sha256').update(canonicalJson(settings)).digest('hex');
      const once = key === null ? null : { key, request };
      const draft = { widgetId: newId('wg_'), embedId: newId('we_'), accountId, ...settings, once };
      const most = LIMITS[plan.id].widgets;
      const created = await store.create(draft, now(), most);
      if (created.kind === 'created') return created.widget;
      throw created.kind === 'other'
        ? new AppError('conflict', 'This Idempotency-Key was sent with another request.')
        : new AppError('conflict', `The account has ${most} widgets, as many as an account may have.`);
    },
    async change(accountId, widgetId, wanted, replaces) {
      const settings = judged(wanted);
      return found(
        await store.update(accountId, widgetId, now(), (stored) => {
          if (replaces !== undefined && replaces !== stored.embedId)
            throw new AppError('conflict', '/replace_embed_id is not the present embed_id of the widget.');
          return { ...stored, ...settings, embedId: replaces === undefined ? stored.embedId : newId('we_') };
        }),
      );
    },
    async remove(accountId, widgetId) {
      found((await store.remove(accountId, widgetId)) || null);
    },
  };
}

function found<T>(widget: T | null): T {
  if (widget === null) throw new AppError('not_found', 'Your account has no widget with this widget_id.');
  return widget;
}

/** What a schema cannot express. Throws every problem. */
function judged<S extends WidgetChange>(wanted: S): S {
  const { allowedOrigins, linkTemplates, bookmakers, categories, countries, accent } = wanted;
  const problems: InputProblem[] = [
    ...(allowedOrigins ?? []).flatMap((text, i) => refusedAs(`/allowed_origins/${i}`, originProblem(text))),
    ...Object.entries(linkTemplates ?? {}).flatMap(([key, text]) =>
      refusedAs(`/link_templates/${key}`, templateProblem(text)),
    ),
    ...refusedAs('/bookmakers', booksProblem(bookmakers)),
  ];
  if (problems.length > 0) throw invalid(problems);
  return {
    ...wanted,
    ...(allowedOrigins && { allowedOrigins: [...new Set(allowedOrigins)] }),
    ...(bookmakers && { bookmakers: [...new Set(bookmakers)] }),
    ...(categories && { categories: [...new Set(categories)] }),
    ...(countries && { countries: [...new Set(countries)] }),
    ...(accent && { accent: accent.toLowerCase() }),
  };
}

/** The prices of retired bookmakers are not compared: a list of them alone would show nothing. */
const booksProblem = (keys: readonly string[] = []): string | null =>
  keys.length === 0 || comparedBooks(keys, CUSTOMERS).length > 0
    ? null
    : 'the prices of none of these bookmakers are compared; add one, or send an empty list for all';

const refusedAs = (pointer: string, problem: string | null): InputProblem[] =>
  problem === null ? [] : [{ pointer, detail: `${pointer} is not allowed: ${problem}.` }];
