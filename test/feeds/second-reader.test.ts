// Compares the second reader of an audit with the mappers, on the same bytes: for every polled book in simulated worlds
// over real HTTP, and for recorded replies. If they differ, one of them is wrong.
import fc from 'fast-check';
import { bookmaker, EXPECTED_BOOKS } from '../../src/domain/bookmakers';
import { BOOK_TABLES } from '../../src/domain/quality/second-reader/tables';
import { aetDay } from '../../src/domain/time/aet';
import { mapEvent } from '../../src/feeds/entain/map';
import { createFeeds } from '../../src/feeds/registry';
import { createSimulator } from '../../src/simulator/http/server';
import { PATIENT_MS } from '../support/patient';
import { runs } from '../support/property';
import { describeRecorded, readRecorded, recordedPresent } from '../support/races/recorded';
import { byMapper, bySecond } from './support/two-readers';

const POLLED = EXPECTED_BOOKS.filter((key) => {
  const book = bookmaker(key)!;
  return book.kind === 'bookmaker' && book.reach === 'polled';
});

test('exactly the polled books have a table', () => {
  expect(Object.keys(BOOK_TABLES).sort()).toEqual([...POLLED].sort());
  expect(POLLED).toHaveLength(13);
});

test('at any hour, in any world, both readers read the same prices, including races closed and run', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 28 * 24 * 6 }),
      fc.subarray(POLLED, { minLength: 5, maxLength: 5 }),
      async (seed, tens, books) => {
        const nowMs = Date.parse('2026-11-07T13:00:00Z') + tens * 600_000;
        const simulator = createSimulator({ seed, now: () => nowMs });
        try {
          const baseUrl = await simulator.listen(0);
          for (const key of books) {
            const who = { contact: 'ops@example.org', partner: 'example', timeoutMs: PATIENT_MS };
            const feed = createFeeds({ [key]: { baseUrl: `${baseUrl}/${key}`, ...who } }, () => nowMs).get(key)!;
            const listed = await feed.listRaces(aetDay(nowMs));
            if (listed.kind !== 'ok') throw new Error(`${key}: ${JSON.stringify(listed)}`);
            const distance = (at: string | null) => Math.abs(Date.parse(at ?? aetDay(nowMs)) - nowMs);
            const nearest = [...listed.value].sort((a, b) => distance(a.startTime) - distance(b.startTime)).slice(0, 3);
            for (const { sourceRaceId, category } of nearest) {
              const texts: string[] = [];
              const reply = await feed.fetchRace(sourceRaceId, { unstored: true, onBody: (text) => texts.push(text) });
              if (reply.kind !== 'ok') throw new Error(`${key}: ${JSON.stringify(reply)}`);
              const mapped = byMapper(key, reply.value);
              expect([key, sourceRaceId, bySecond(key, category, texts) ?? []]).toEqual([key, sourceRaceId, mapped]);
              for (const price of mapped.flatMap(([, , prices]) => prices))
                if (price !== null) seen.set(key, (seen.get(key) ?? 0) + 1);
            }
          }
        } finally {
          await simulator.close();
        }
      },
    ),
    { numRuns: runs(5, 3) },
  );
  // Otherwise the comparison would show nothing.
  expect(seen.size).toBeGreaterThan(2);
});

describeRecorded('a recorded reply of Entain', () => {
  const file = 'entain-affiliates/Events-For-A-Specified-Race.json';
  const reply = recordedPresent ? readRecorded(file) : null;

  test('eight runners with win, place and tote', () => {
    const mapped = byMapper('neds', mapEvent(reply, 'https://book.example')!.value);
    expect(mapped).toHaveLength(8);
    expect(bySecond('neds', 'horse', [JSON.stringify(reply)])).toEqual(mapped);
  });
});
