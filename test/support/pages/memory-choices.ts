// The bookmakers that one owner chose, in memory.
import type { BookmakerChoiceStore, StoredChoice } from '../../../src/store/bookmaker-choices';

/** One account's choice, as the store keeps it. */
export function memoryChoices(): BookmakerChoiceStore {
  let stored: StoredChoice | null = null;
  let writes = 0;
  return {
    read: async () => stored,
    async change({ order, hidden, basedOn }) {
      const isSame =
        stored !== null && JSON.stringify([stored.order, stored.hidden]) === JSON.stringify([order, hidden]);
      if (!isSame && (stored?.version ?? null) !== basedOn) return 'conflict';
      if (!isSame) stored = { order, hidden, version: String(++writes) };
      return stored!;
    },
  };
}
