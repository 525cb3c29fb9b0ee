// TABtouch's simulated page has the traps of the real one, and the connector avoids them all.
import { mapRacePage } from '../../../../src/feeds/tabtouch/map';
import type { BookRequest } from '../../../../src/simulator/books/reply';
import { tabTouchBook } from '../../../../src/simulator/books/tabtouch/tabtouch';
import type { Race } from '../../../../src/simulator/world/race';
import { createWorld, findRace } from '../../../../src/simulator/world/world';
import { domesticRaces } from '../../../support/races/domestic';

const DAY = '2026-11-21';
const world = createWorld({ seed: 'a' });

function pageAt(race: Race, nowMs: number) {
  const code = race.meeting.track.mnemonic.toLowerCase();
  const path = `/racing/${DAY}/${code}/${race.number}`;
  const shared = { method: 'GET', body: '', query: new URLSearchParams(), baseUrl: '' } as const;
  const request: BookRequest = { ...shared, path, url: path, header: () => '', nowMs };
  const { body } = tabTouchBook(world)(request);
  return { html: body, read: mapRacePage(body, { day: DAY, code, raceNumber: race.number })! };
}

test('a resulted page shows placegetters and deductions under the classes of prices: none is read', () => {
  const race = findRace(
    world,
    DAY,
    ({ story }) => !story.abandoned && story.scratchings.some((row) => row.kind === 'late' && row.winDeduction > 0),
  );
  const { html, read } = pageAt(race, race.story.finalMs + 3_600_000);
  expect(html).toContain('Betting closed: ');
  expect(html).toContain('Dividends official: ');
  expect(html.split('class="acceptor"').length - 1).toBeGreaterThan(3);
  expect(html).toContain('Scratched');
  expect([read.value.marketStatus, read.value.runners, read.dropped]).toEqual(['CLOSED', [], {}]);
});

test('an open page has its favourite, and most places can be proven', () => {
  const places = { proven: 0, priced: 0 };
  for (const race of domesticRaces(world, DAY).filter((_, i) => i % 5 === 0)) {
    if (race.story.abandoned) continue;
    const { html, read } = pageAt(race, race.story.jumpMs - 600_000);
    expect(html).toContain('Favourite</span>');
    expect([read.value.marketStatus, read.dropped]).toEqual(['OPEN', {}]);
    const priced = read.value.runners.filter((runner) => runner.win !== null);
    expect(priced.length).toBeGreaterThan(3);
    places.priced += priced.length;
    places.proven += priced.filter((runner) => runner.place !== null).length;
  }
  expect(places.proven / places.priced).toBeGreaterThan(0.6);
});
