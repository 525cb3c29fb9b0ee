// Refused calls of keys, for the account's owner. A refused call changes memory only; every few seconds this process
// stores its counts of the five minutes as they are, so that a repeat changes nothing. Never delays or fails a call.
import type { Context } from 'koa';
import type { AppError } from '../../../errors';
import { withoutKeys } from '../../../plans/api-key';
import type { RefusedCall, RefusedCallStore } from '../../../store/keys/refused-calls';
import { RefusalTally } from './tally';

export interface RefusedCalls {
  /** Does nothing for a call whose key was not accepted. */
  note(ctx: Context, refusal: AppError): void;
}

export const NO_REFUSED_CALLS: RefusedCalls = { note: () => {} };

interface KeptRefusals extends RefusedCalls {
  start(): void;
  /** Resolves when the last counts are stored, or could not be. */
  stop(): Promise<void>;
}

export interface RefusedCallsDeps {
  readonly store: Pick<RefusedCallStore, 'save' | 'removeBefore'>;
  /** Names this process; a UUID. */
  readonly process: string;
  wallMs(): number;
  readonly log: { warn(fields: object, message: string): void };
}

const STORE_EVERY_MS = 5000;
const PRUNE_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;
const DETAIL_CHARACTERS = 300;

type Refusable = Pick<RefusedCall, 'accountId' | 'keyId' | 'operation'>;

/** Once the key is known. `path`: of the operation, with its parameters in braces; null: there is none. */
export function beginRefusable(
  ctx: Context,
  { accountId, keyId }: Pick<Refusable, 'accountId' | 'keyId'>,
  path: string | null,
): void {
  const operation = path === null ? null : `${ctx.method} ${path}`;
  ctx.state.refusable = { accountId, keyId, operation } satisfies Refusable;
}

export function createRefusedCalls(deps: RefusedCallsDeps): KeptRefusals {
  const { wallMs, log } = deps;
  const tally = new RefusalTally();
  let uncounted = 0;
  const storing = createStoring(deps, tally);
  let timer: NodeJS.Timeout | undefined;

  async function store(): Promise<void> {
    await storing();
    const lost = uncounted + tally.forgetEnded(wallMs());
    uncounted = 0;
    if (lost > 0) log.warn({ calls: lost }, 'refused calls are missing in what their owners see');
  }
  return {
    note(ctx, refusal) {
      const by = ctx.state.refusable as Refusable | undefined;
      if (by && !tally.add(callOf(ctx, by, refusal, wallMs()))) uncounted += 1;
    },
    start() {
      timer = setInterval(() => void store(), STORE_EVERY_MS).unref();
    },
    stop() {
      clearInterval(timer);
      return store();
    },
  };
}

/** One at a time: while the database does not answer, none queues. */
function createStoring({ store, process, wallMs, log }: RefusedCallsDeps, tally: RefusalTally): () => Promise<void> {
  let prunedMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function storeOnce(): Promise<void> {
    const taken = tally.take();
    try {
      if (taken.counts.length > 0) await store.save(process, taken.counts, taken.calls);
    } catch (err) {
      taken.giveBack();
      log.warn({ err }, 'refused calls were not stored: they will be in some seconds');
    }
  }

  async function prune(): Promise<void> {
    const nowMs = wallMs();
    if (nowMs - prunedMs < PRUNE_EVERY_MS) return;
    prunedMs = nowMs;
    await store.removeBefore(new Date(nowMs - KEPT_MS).toISOString()).catch((err) => {
      log.warn({ err }, 'old refused calls were not removed: they will be in an hour');
    });
  }

  return () => {
    running ??= storeOnce()
      .then(prune)
      .finally(() => {
        running = null;
      });
    return running;
  };
}

const callOf = (ctx: Context, by: Refusable, { code, status, message }: AppError, nowMs: number): RefusedCall => ({
  ...by,
  code,
  at: new Date(nowMs).toISOString(),
  requestId: String(ctx.state.requestId),
  status,
  detail: detailOf(message),
});

/** It may repeat what was sent, a key in an address too. PostgreSQL stores no NUL. */
function detailOf(message: string): string {
  const text = withoutKeys(message.replaceAll('\0', ''));
  return text.length > DETAIL_CHARACTERS ? `${text.slice(0, DETAIL_CHARACTERS - 1)}…` : text;
}
