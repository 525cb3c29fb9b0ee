// The runners' pages. Many viewers cost one read: values are cached for some seconds.
import type { RunCategory } from '../../../domain/form/stored-run';
import { boardState } from '../../../domain/race/board-state';
import { bestNow } from '../../board/course/best-now';
import { timedCache } from '../../board/timed-cache';
import type { RunnerSource, RunnerView, StoredRunner } from './model';

export interface Runners {
  /** Null: no runner can have this key. */
  runner(category: RunCategory, key: string): Promise<RunnerView | null>;
}

/** Race time. */
const CACHED_MS = 2000;
const RUNNERS_CACHED = 200;
const KEY = /^[a-z0-9]{1,100}$/;

export function createRunners({ source, now }: { readonly source: RunnerSource; now(): number }): Runners {
  const views = timedCache<RunnerView>(CACHED_MS, RUNNERS_CACHED);
  return {
    async runner(category, key) {
      if (!KEY.test(key)) return null;
      const nowMs = now();
      const read = async () => viewOf(await source.runner(category, key, nowMs), nowMs);
      return (await views.get(`${category}/${key}`, nowMs, read)).value;
    },
  };
}

function viewOf({ starts, onBoard, ...runner }: StoredRunner, nowMs: number): RunnerView {
  const best = bestNow(onBoard, nowMs);
  const ahead = starts.filter(({ facts }) => boardState(facts, nowMs) === 'ahead');
  return { ...runner, coming: ahead.map((start) => ({ ...start, best: best(start) })) };
}
