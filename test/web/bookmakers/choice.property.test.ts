// A visitor's own bookmakers, for any choice and any prices: no hidden book's price is shown as mine, nothing is the
// best of mine that the market's rule would not take, no book is lost, and no change is lost in silence.
import fc from 'fast-check';
import { bestWin } from '../../../src/domain/prices/best-price';
import type { BookmakerChoiceStore, StoredChoice } from '../../../src/store/bookmaker-choices';
import {
  ALL,
  bestOfMine,
  type Choice,
  choiceOf,
  choiceOnPage,
  isAll,
  isSameChoice,
  type KeptChoice,
  keptChoiceOf,
  meeting,
  moved,
  ordered,
  toggled,
} from '../../../src/web/assets/bookmakers.mjs';
import { memoryChoices } from '../../support/pages/memory-choices';
import { runs } from '../../support/property';

const KEYS = ['tab', 'neds', 'betr_au', 'unibet', 'dabble_au', 'playup', 'sportsbet'];
const key = fc.constantFrom(...KEYS);
const keys = fc.uniqueArray(key);
const choice: fc.Arbitrary<Choice> = fc.record({ order: keys, hidden: keys });
const quotes = fc.uniqueArray(
  fc.record({ key, price: fc.constantFrom(null, 2, 2.5, 30, 120), suspect: fc.boolean(), stale: fc.boolean() }),
  { selector: (quote) => quote.key },
);
const check = (property: fc.IProperty<never> | fc.IRawProperty<unknown>) =>
  fc.assert(property as fc.IProperty<unknown>, { numRuns: runs(2000) });

test('the best of mine is never of a hidden book, never a placeholder, and no other of mine is better', () => {
  check(
    fc.property(quotes, choice, (given, chosen) => {
      const best = bestOfMine(given, chosen);
      const mine = given.filter(
        (quote) => !chosen.hidden.includes(quote.key) && quote.price !== null && !quote.suspect,
      );
      if (best === null) return expect(mine).toEqual([]);
      const at = mine.filter(({ price }) => price === best.price);
      expect(Math.max(...mine.map(({ price }) => price!))).toBe(best.price);
      expect([...best.keys].sort()).toEqual(at.map((quote) => quote.key).sort());
      expect(best.stale).toBe(at.every(({ stale }) => stale));
      // A fresh book is named before a stale one.
      const isFresh = best.keys.map((one) => !given.find((quote) => quote.key === one)!.stale);
      expect(isFresh).toEqual([...isFresh].sort((a, b) => Number(b) - Number(a)));
      expect(best.shared).toBe(at.length > 1 && at.length === mine.length);
    }),
  );
});

test('it is never better than the market, and with nothing hidden it is the market', () => {
  check(
    fc.property(quotes, choice, (given, chosen) => {
      const quoted = given.flatMap(({ key: bookmaker, price }) =>
        price === null ? [] : [{ bookmaker, price, ageSeconds: 0 }],
      );
      const market = bestWin(quoted);
      const judged = given.map((quote) => ({
        ...quote,
        suspect: market.suspects.some(({ bookmaker }) => bookmaker === quote.key),
      }));
      const mine = bestOfMine(judged, chosen);
      if (mine !== null) expect(mine.price).toBeLessThanOrEqual(market.best!.price);
      expect(bestOfMine(judged, { ...chosen, hidden: [] })?.price ?? null).toBe(market.best?.price ?? null);
    }),
  );
});

test('every book of a table keeps a place: those of the choice in its order, the others after them as they were', () => {
  check(
    fc.property(keys, choice, (table, chosen) => {
      const sorted = ordered(table, chosen);
      expect([...sorted].sort()).toEqual([...table].sort());
      const known = chosen.order.filter((one) => table.includes(one));
      expect(sorted.slice(0, known.length)).toEqual(known);
      expect(sorted.slice(known.length)).toEqual(table.filter((one) => !chosen.order.includes(one)));
    }),
  );
});

test('a book that a choice does not know is never hidden by ticks and moves of others', () => {
  const action = fc.record({ key, step: fc.constantFrom(-1, 1, null), mine: fc.boolean() });
  check(
    fc.property(fc.array(action), fc.constantFrom(...KEYS), (actions, added) => {
      const listed = KEYS.filter((one) => one !== added);
      let now = ALL;
      for (const { key: one, step, mine } of actions.filter((each) => each.key !== added)) {
        const shown = ordered(listed, now);
        now = step === null ? toggled(now, shown, one, mine) : moved(now, shown, one, step);
        expect([...ordered(listed, now)].sort()).toEqual([...listed].sort());
      }
      expect(now.hidden).not.toContain(added);
      const order = ordered(KEYS, now);
      if (now.order.length > 0) expect(order.at(-1)).toBe(added);
      expect(bestOfMine([{ key: added, price: 2, suspect: false, stale: false }], now)).not.toBeNull();
    }),
  );
});

test('a move changes the place of one book by one, and back', () => {
  check(
    fc.property(choice, key, fc.constantFrom(-1, 1), (chosen, one, step) => {
      const before = ordered(KEYS, chosen);
      const after = ordered(KEYS, moved(chosen, before, one, step));
      const to = before.indexOf(one) + step;
      expect(after.indexOf(one)).toBe(to < 0 || to >= KEYS.length ? before.indexOf(one) : to);
      expect(after.filter((each) => each !== one)).toEqual(before.filter((each) => each !== one));
    }),
  );
});

test('whatever a browser keeps is read as a choice, and a choice as itself', () => {
  check(
    fc.property(fc.oneof(fc.anything(), fc.record({ order: fc.anything(), hidden: fc.anything() })), (value) => {
      const { order, hidden } = choiceOf(value);
      for (const one of [...order, ...hidden]) expect(one).toMatch(/^[a-z0-9_]{1,40}$/);
      expect(keptChoiceOf(value)).toMatchObject({ order, hidden });
    }),
  );
  check(fc.property(choice, (chosen) => expect(choiceOf(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen)));
});

test('a change of this browser is never lost in silence when it meets the account, nor is that of another one', () => {
  const version = fc.constantFrom('one', 'two');
  const here = fc.tuple(choice, fc.option(version), fc.boolean());
  const there = fc.option(fc.tuple(choice, version));
  check(
    fc.property(here, there, ([own, ownVersion, changed], stored) => {
      const kept = { ...own, version: ownVersion, changed };
      const account = stored && { ...stored[0], version: stored[1] };
      const what = meeting(kept, account);
      const isForeign = ownVersion !== null && account === null;
      const isOwn = !isForeign && (changed || (ownVersion === null && !isAll(own)));
      const differs = account !== null && !isSameChoice(own, account);
      if (what === 'take' && isOwn) expect(differs).toBe(false);
      if (what === 'send' && differs) expect([ownVersion, isOwn]).toEqual([account.version, true]);
      if (isForeign) expect(what).toBe('take');
      if (what === 'same') expect([isOwn && account === null, differs]).toEqual([false, false]);
      // One who changed nothing here is asked nothing.
      if (!isOwn) expect(what).not.toBe('ask');
    }),
  );
});

test('no account gets the choice of another, whoever signs in and out of one browser', async () => {
  // Each owner hides books of one name only, so that every hidden one shows whose it is.
  const step = fc.record({ who: fc.constantFrom(null, 'ann', 'bob'), ticks: fc.array(fc.nat(2), { maxLength: 2 }) });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (visits) => {
    const stores = { ann: memoryChoices(), bob: memoryChoices() };
    let kept: unknown = null;
    for (const { who, ticks } of visits) {
      let here = choiceOnPage(kept, who !== null);
      const seen = new Set(here.hidden.map((one) => one.split('_')[0]));
      if (who === null) expect([...seen].filter((one) => one !== 'visitor')).toEqual([]);
      if (who !== null) here = await met(stores[who], who, here);
      for (const tick of ticks) {
        const one = `${who ?? 'visitor'}_${tick}`;
        here = { ...here, ...toggled(here, [one], one, here.hidden.includes(one)), changed: true };
        if (who !== null) here = await met(stores[who], who, here);
      }
      kept = JSON.parse(JSON.stringify(here));
      for (const [owner, store] of Object.entries(stores)) {
        const hidden = (await store.read(owner))?.hidden ?? [];
        for (const book of hidden) expect([owner, 'visitor']).toContain(book.split('_')[0]);
      }
    }
  });
  await fc.assert(property, { numRuns: runs(1000) });
});

/** What the panel does when a page has a session; one who is to decide takes the account's. */
async function met(store: BookmakerChoiceStore, accountId: string, here: KeptChoice): Promise<KeptChoice> {
  const there = await store.read(accountId);
  const what = meeting(here, there);
  if (what === 'same') return here;
  if (what !== 'send') return { ...(there ?? { ...ALL, version: null }), changed: false };
  const { order, hidden, version: basedOn } = here;
  const stored = await store.change({ accountId, order, hidden, basedOn, at: '2026-11-21T03:00:00.000Z' });
  expect(stored).not.toBe('conflict');
  return { ...(stored as StoredChoice), changed: false };
}
