// Every cache between a call and PostgreSQL, and what its source reads without it.
import type { Edit } from './patched-tree';

/** By name: what is taken out. */
export const MEMORIES: Readonly<Record<string, readonly Edit[]>> = {
  'callers by key': [
    { file: 'api/kernel/endpoint/caller.ts', from: 'if (cached && isFresh(cached, CACHED_MS)) return cached;', to: '' },
  ],
  'answers of one second': [
    {
      file: 'api/kernel/http/response/response-cache.ts',
      from: 'if (bounds.cachedMs === 0)',
      to: 'if (bounds.cachedMs !== 0)',
    },
  ],
  'packed bodies': [
    { file: 'api/kernel/http/response/prepared.ts', from: 'if (cached) return cached;', to: '' },
    { file: 'api/kernel/http/response/prepared.ts', from: 'const cached = response.compressed.get(encoding);', to: '' },
  ],
  'shared answers in the process': [
    {
      file: 'store/redis/shared-answers.ts',
      from: 'const isGood = (one: Timed): boolean => isFresh(one, nowMs);',
      to: 'const isGood = (one: Timed): boolean => isFresh(one, nowMs) && false;',
    },
  ],
  'shared answers in Redis': [
    {
      file: 'store/redis/shared-answers.ts',
      from: 'redis && createRedisAnswers(redis, deployment, leadMs)',
      to: 'null',
    },
  ],
  'last answers, for outages': [
    { file: 'store/reads/outage-cache.ts', from: 'cached.set(key, { value, atMs: wallMs() });', to: '' },
  ],
  'the board by freshness stamps': [
    {
      file: 'store/reads/reads.ts',
      from: 'board: createBoardCache(pool)',
      to: 'board: (query) => readBoard(pool, query)',
    },
    {
      file: 'store/reads/reads.ts',
      from: "import { createBoardCache } from './races/board-cache';",
      to: "import { readBoard } from './races/board';",
    },
  ],
};
