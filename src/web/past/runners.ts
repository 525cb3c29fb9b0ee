// The runners' pages. Many viewers cost one read: values are cached for some seconds.
import type { RunCategory } from '../../domain/form/stored-run';
import { timedCache } from '../board/timed-cache';
import type { RunnerSource, RunnerView } from './runner-model';

export interface Runners {
  /** Null: no runner can have this key. */
  runner(category: RunCategory, key: string): Promise<RunnerView | null>;
}

/** Race time. */
const CACHED_MS = 5000;
const RUNNERS_CACHED = 200;
const KEY = /^[a-z0-9]{1,100}$/;

export function createRunners({ source, now }: { readonly source: RunnerSource; now(): number }): Runners {
  const views = timedCache<RunnerView>(CACHED_MS, RUNNERS_CACHED);
  return {
    runner: async (category, key) =>
      KEY.test(key) ? (await views.get(`${category}/${key}`, now(), () => source.runner(category, key))).value : null,
  };
}
