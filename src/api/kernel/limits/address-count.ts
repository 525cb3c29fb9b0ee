// Counts the requests of each address, in sliding windows. All API processes share the counts in Redis; while Redis is
// unavailable, each process uses its own.
import { type AddressBudget, MINUTE_MS } from '../../../store/redis/address-budget';
import { createOwnWindows } from './own-windows';

/** Never rejects. `shared` null: only this process counts. `wallMs`: any clock. */
export function createAddressCount(
  shared: AddressBudget | null,
  wallMs: () => number = () => performance.now(),
): AddressBudget {
  // There are so many requests of a minute that they would evict the counts of a day: password guesses, accounts.
  const ofMinutes = createOwnWindows(wallMs);
  const longer = createOwnWindows(wallMs);
  const ownOf = (windowMs: number) => (windowMs <= MINUTE_MS ? ofMinutes : longer);
  const keyOf = (address: string, most: number, windowMs: number): string => `${most} ${windowMs} ${address}`;
  return {
    async take(address, most, windowMs = MINUTE_MS) {
      const ownWaitMs = ownOf(windowMs).take(keyOf(address, most, windowMs), most, windowMs);
      return shared ? shared.take(address, most, windowMs).catch(() => ownWaitMs) : ownWaitMs;
    },
    async giveBack(address, most, windowMs = MINUTE_MS) {
      ownOf(windowMs).giveBack(keyOf(address, most, windowMs));
      await shared?.giveBack(address, most, windowMs).catch(() => undefined);
    },
  };
}
