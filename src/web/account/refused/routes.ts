// The address of the page of refused calls.
import { PROBLEMS } from '../../../errors';
import { keyIdOf } from '../../../plans/key-id';
import type { AccountPagesDeps } from '../deps';
import type { OwnerVisits } from '../panels/owner-visits';
import { refusedPage } from './page';

/** Longer ids than requests have. */
const ID_CHARACTERS = 64;

export function refusedRoutes({ get }: OwnerVisits, { refusedCalls, ownedKeys }: AccountPagesDeps): void {
  get('/account/calls', async ({ accountId }, { query }) => {
    const code = query.get('code');
    const shown = {
      code: code !== null && code in PROBLEMS ? code : null,
      keyId: keyIdOf(query.get('key') ?? ''),
      requestId: query.get('request_id')?.replaceAll('\0', '').trim().slice(0, ID_CHARACTERS) || null,
    };
    const keys = await ownedKeys.list(accountId);
    return { page: refusedPage(await refusedCalls.newest(accountId, shown), shown, keys) };
  });
}
