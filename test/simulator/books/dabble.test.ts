// Dabble's legs as the simulator generates them: the connector refuses none of them (D22), and a large field has all of
// them.
import { mapFixtures } from '../../../src/feeds/dabble/map';
import { dabbleBook } from '../../../src/simulator/books/dabble';
import type { BookRequest } from '../../../src/simulator/books/reply';
import { createWorld } from '../../../src/simulator/world/world';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');

const world = createWorld({ seed: 'a' });
const request = (path: string): BookRequest => ({
  method: 'GET',
  body: '',
  path,
  url: path,
  query: new URLSearchParams(),
  baseUrl: '',
  header: () => '',
  nowMs: NOW,
});

test('every leg of every race is kept, and an open race of six or more has all five prices', () => {
  const full: string[] = [];
  for (const { id, races } of world.meetings(DAY).filter((_, i) => i % 3 === 0)) {
    const { body } = dabbleBook(world)(request(`/frontend-api/competitions/${id}/sport-fixtures`));
    const batch = mapFixtures(JSON.parse(body), id)!;
    expect(batch.size).toBe(races.length);
    for (const mapped of batch.values()) {
      expect(mapped!.dropped).toEqual({});
      const priced = mapped!.value.runners.filter((runner) => runner.win !== null);
      if (mapped!.value.marketStatus !== 'OPEN' || priced.length < 6) continue;
      for (const { top2, top3, top4 } of priced) expect([top2, top3, top4]).not.toContain(null);
      full.push(mapped!.value.sourceRaceId);
    }
  }
  expect(full.length).toBeGreaterThan(15);
});
