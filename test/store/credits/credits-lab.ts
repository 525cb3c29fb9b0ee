// Keys that charge the balances of their accounts in a real database.
import { randomUUID } from 'node:crypto';
import { createStores } from '../../../src/store/create-stores';
import type { Charge } from '../../../src/store/credits/credits';
import { hashApiKey } from '../../../src/store/keys/keys';
import type { Stores } from '../../../src/store/stores';
import { keyRow, newKey } from '../../support/api/api';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

export const NOVEMBER = '2026-11-01';
export const AT = '2026-11-21T03:00:00.000Z';

/** Call it once; after every test the ledger explains every balance. */
export function creditsLab() {
  const lab = {} as { db: TestDatabase; stores: Stores };
  beforeAll(async () => {
    lab.db = await createTestDatabase();
    lab.stores = createStores(lab.db.pool);
  });
  afterEach(async () => expect(await lab.stores.credits.audit()).toEqual([]));
  afterAll(() => lab.db.drop());

  /** A key with its own account, or another key of that account, and its charges. */
  async function aKey(accountId?: string) {
    const key = newKey();
    const keyHash = hashApiKey(key);
    await lab.stores.keys.insert(keyHash, keyRow(key), accountId);
    const stored = async () => (await lab.stores.keys.find([keyHash]))[0]!;
    const account = await stored();
    const charge = (cost: number, over: Partial<Charge> = {}): Charge => ({
      id: randomUUID(),
      keyHash,
      epoch: account.epoch,
      endpoint: 'next_to_go',
      cost,
      allowance: 10,
      overage: 0,
      period: NOVEMBER,
      at: AT,
      ...over,
    });
    return { ...account, keyHash, stored, charge };
  }

  const charge = (charges: readonly Charge[]) => lab.stores.credits.charge(charges);
  const verdicts = async (charges: readonly Charge[]) => (await charge(charges)).map(({ verdict }) => verdict);
  const grant = (accountId: string, credits: number) =>
    lab.stores.credits.grant({ accountId, credits, reason: 'test', period: NOVEMBER, at: AT });

  return Object.assign(lab, { aKey, charge, verdicts, grant });
}
