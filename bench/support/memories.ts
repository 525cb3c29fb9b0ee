// Every cache between a call and PostgreSQL, and what its source reads without it.
import type { Edit } from './patched-tree';

const LAST_SENT: Edit = { file: 'api/access/caller.ts', from: 'lastSent.set(connection, { key, known });', to: '' };
const QUERIES: Edit = { file: 'api/input/question.ts', from: 'if (known) return known;', to: '' };
const RULES: Edit = {
  file: 'api/mount.ts',
  from: 'if (last?.nowMs === nowMs && last.audience === audience) return;',
  to: '',
};
const ENCODINGS: Edit = { file: 'api/http/compression.ts', from: 'remembered.set(accepted, encoding);', to: '' };
const TEXTS: readonly Edit[] = [
  { file: 'api/services/best-odds-board.ts', from: 'if (held?.race === race) return held.text;', to: '' },
  { file: 'api/services/best-odds-board.ts', from: 'held?.winners === winners ? held.text : raceText', to: 'raceText' },
];
const NEXT_TEXTS: Edit = {
  file: 'api/services/next-races.ts',
  from: 'race.content === undefined',
  to: 'true',
};
const BOARD: readonly Edit[] = [
  {
    file: 'store/reads/reads.ts',
    from: 'board: createBoardMemory(pool)',
    to: 'board: (query) => readBoard(pool, query)',
  },
  {
    file: 'store/reads/reads.ts',
    from: "import { createBoardMemory } from './races/board-memory';",
    to: "import { readBoard } from './races/board';",
  },
];

/** By name: what is taken out. */
export const MEMORIES: Readonly<Record<string, readonly Edit[]>> = {
  'the board by freshness stamps': BOARD,
  'texts of best-odds': TEXTS,
  'texts of next-to-go': [NEXT_TEXTS],
  'board and texts': [...BOARD, ...TEXTS, NEXT_TEXTS],
  'answers of one second': [
    { file: 'api/http/held-answers.ts', from: 'if (bounds.heldMs === 0)', to: 'if (bounds.heldMs !== 0)' },
  ],
  'packed bodies': [
    { file: 'api/http/answer.ts', from: 'if (held) return held;', to: '' },
    { file: 'api/http/answer.ts', from: 'const held = one.packed.get(encoding);', to: '' },
  ],
  'shared answers in the process': [
    { file: 'store/redis/shared-answers.ts', from: 'if (known && holds(known, nowMs))', to: 'if (known === null)' },
    {
      file: 'store/redis/shared-answers.ts',
      from: '{ ...(await known.answer), fresh: false } as SharedAnswer<T>',
      to: 'known',
    },
  ],
  'shared answers in Redis': [
    { file: 'store/redis/shared-answers.ts', from: 'redis && createExchange(redis, deployment, leadMs)', to: 'null' },
  ],
  'last answers, for outages': [
    { file: 'store/reads/last-known.ts', from: 'kept.set(question, { value, atMs: wallMs() });', to: '' },
  ],
  'the key last sent on a connection': [LAST_SENT],
  'callers by key, 30 s': [
    LAST_SENT,
    { file: 'api/access/caller.ts', from: 'if (held && isFresh(held, REMEMBERED_MS)) return held;', to: '' },
  ],
  'parsed queries': [QUERIES],
  'rules that a query kept': [RULES],
  'negotiated encodings': [ENCODINGS],
  'these four: sent key, queries, rules, encodings': [LAST_SENT, QUERIES, RULES, ENCODINGS],
};
