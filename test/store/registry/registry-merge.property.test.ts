// Books and the registry report in any order and withdraw reports: in the end the stored card is the merge of the last
// reports.
import fc from 'fast-check';
import { NO_FACTS } from '../../../src/domain/race/not-reported';
import { mergeRunners, type StoredCard } from '../../../src/store/card/merge';
import { runs } from '../../support/property';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { registryCard, registryListing, registryRace, registryRunner } from '../../support/races/registry';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
let venue = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const BOOKS = ['ladbrokes_au', 'tab', 'neds'] as const;
const NUMBERS = [1, 2, 3, 4];

const outOf = fc.subarray(NUMBERS, { maxLength: 2 });
const reports = fc.array(
  fc.oneof(
    fc.record({ by: fc.constantFrom(...BOOKS), out: outOf, stamped: fc.boolean() }),
    fc.record({ by: fc.constant('acceptances' as const), jockey: fc.constantFrom('J One', 'J Two') }),
    fc.record({ by: fc.constant('sheet' as const), out: outOf }),
    fc.record({ by: fc.constant('merge' as const) }),
  ),
  { minLength: 1, maxLength: 12 },
);

test('after any interleaving the card is the merge of every source’s last report', async () => {
  await fc.assert(
    fc.asyncProperty(reports, async (sent) => {
      const name = `Track ${++venue}`;
      const stored = await storeRace(db, { venue: name }, [...BOOKS]);
      const { registry } = stored.stores;
      const key = `2026Nov21,VIC,${name}`;
      const at = (step: number) => stored.before(3000 - step * 60);
      await registry.saveCalendar([registryListing({ key, venue: name })], at(0));
      const entries = (jockey: string) => NUMBERS.map((number) => registryRunner(number, { jockey }));
      const acceptances = (jockey: string) =>
        registryCard({ key, races: [registryRace(1, { runners: entries(jockey) })] });
      await registry.saveAcceptances(acceptances('J First'), at(0));
      expect(await registry.join({ meetingKey: key, raceNumber: 1 }, stored.raceId)).toBe(true);

      const cards = new Map<string, StoredCard>();
      let jockey = 'J First';
      let sheet = new Map<number, string>();
      for (const [i, report] of sent.entries()) {
        const now = at(i + 1);
        if (report.by === 'acceptances') {
          jockey = report.jockey;
          await registry.saveAcceptances(acceptances(jockey), now);
        } else if (report.by === 'sheet') {
          sheet = new Map(report.out.map((number) => [number, sheet.get(number) ?? now]));
          const scratched = report.out.map((number) => ({ number, name: `RUNNER ${number}` }));
          await registry.saveSheet({ key, races: [{ raceNumber: 1, scratched }] }, now);
        } else if (report.by === 'merge') {
          await registry.mergeDue(now);
        } else {
          const scratching = { at: report.stamped ? now : null, late: null, winDeduction: null, placeDeduction: null };
          const runners = NUMBERS.map((n) => feedRunner(n, { scratching: report.out.includes(n) ? scratching : null }));
          await stored.poll(3000 - (i + 1) * 60, raceSnapshot({ runners }), { bookmakerKey: report.by });
          cards.set(report.by, { bookmakerKey: report.by, card: { runners, facts: NO_FACTS } });
        }
      }
      await registry.mergeDue(at(sent.length + 1));
      const expected = mergeRunners([...cards.values()], {
        facts: NO_FACTS,
        runners: NUMBERS.map((number) => ({ ...feedRunner(number), jockey, runnerRef: `ra:20120${number}` })),
        out: [...sheet].map(([number, sheetAt]) => ({ number, name: `Runner ${number}`, sheetAt })),
      });
      const { rows } = await db.pool.query(
        `SELECT number, jockey, runner_ref AS "runnerRef", scratched, scratched_at AS "scratchedAt"
           FROM race_runners WHERE race_id = $1 ORDER BY number`,
        [stored.raceId],
      );
      const kept = (row: (typeof expected)[number]) => {
        const { number, jockey: rider, runnerRef, scratched, scratchedAt } = row;
        return { number, jockey: rider, runnerRef, scratched, scratchedAt };
      };
      expect(rows).toEqual(expected.map(kept));
    }),
    { numRuns: runs(25) },
  );
});
