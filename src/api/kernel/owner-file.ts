// Stored files: sent to a call with a key, and to the owner of an account who is signed in to the console. Both are
// judged and charged by the same code: the owner's download is one of the primary key, under its limits, at its price.
// Only the allow-list of the key does not count, because the key is not sent.
import type { Context } from 'koa';
import { NO_PRIMARY } from '../../accounts/keys/owned-keys';
import { AppError } from '../../errors';
import { type AdmissionDeps, type Admitted, ownerAdmission } from './admission';
import type { Endpoint } from './endpoint/endpoint';
import { isFile } from './http/response/reply';
import type { Callers } from './keys/callers';
import { type RespondDeps, respondFile } from './respond';

/**
 * A stored file: a version that the client already has is free, and this is decided before the balance is checked
 * (D47).
 */
export async function sendFile(
  ctx: Context,
  endpoint: Endpoint,
  deps: RespondDeps,
  { call, metered }: Admitted,
): Promise<void> {
  const reply = await endpoint.handler(call as never);
  if (!isFile(reply)) throw new Error('the operation returned something else than a file');
  await respondFile(ctx, deps, metered, reply);
}

export interface OwnerFileDeps<N> extends AdmissionDeps<N>, RespondDeps {
  readonly callers: Pick<Callers, 'refresh'>;
  /** SHA-256 of the primary key that works; null: the account has none. */
  primaryHash(accountId: string): Promise<Buffer | null>;
  /** Racing time, epoch milliseconds. */
  now(): number;
}

/** Answers a form whose address has the parameters of the operation. Throws what a call would be refused with. */
export type SendOwnerFile = (ctx: Context, accountId: string) => Promise<void>;

export function ownerFile<N>(endpoint: Endpoint<N>, deps: OwnerFileDeps<N>): SendOwnerFile {
  const admit = ownerAdmission(endpoint as Endpoint, deps, deps.now);
  return async (ctx, accountId) => {
    const keyHash = await deps.primaryHash(accountId);
    if (!keyHash) throw new AppError('conflict', NO_PRIMARY);
    await sendFile(ctx, endpoint as Endpoint, deps, await admit(ctx, await deps.callers.refresh({ keyHash })));
  };
}
