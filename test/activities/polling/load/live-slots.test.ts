import { type LiveRace, yieldingRaces } from '../../../../src/activities/polling/load/live-slots';

const MINUTE = 60_000;
const race = (raceId: string, inMinutes: number): LiveRace => ({ raceId, startMs: inMinutes * MINUTE });
const HELD = [race('a', 10), race('b', 170), race('c', 60)];

test('a full process gives the slot of its farthest race to one that is nearer', () => {
  expect(yieldingRaces(HELD, [race('waiting', 2)], 3)).toEqual(['b']);
  expect(yieldingRaces(HELD, [race('waiting', 30), race('waiting too', 2)], 3)).toEqual(['b', 'c']);
});

test('a slot is not reassigned for a start that is hardly earlier, with a free slot, or for one of its own races', () => {
  expect(yieldingRaces(HELD, [race('waiting', 167)], 3)).toEqual([]);
  expect(yieldingRaces(HELD, [race('waiting', 2)], 4)).toEqual([]);
  expect(yieldingRaces(HELD, [HELD[0]!], 3)).toEqual([]);
  expect(yieldingRaces(HELD, [], 3)).toEqual([]);
});

/** Temporal hands out a queue in order of arrival; a race that gave up its slot returns to the end of the queue. */
function rounds(live: LiveRace[], workers: number, slots: number) {
  const held = Array.from({ length: workers }, (): LiveRace[] => []);
  let queue = [...live];
  return () => {
    for (const own of held) own.push(...queue.splice(0, slots - own.length));
    const given = held.flatMap((own) => {
      const yielding = new Set(yieldingRaces(own, queue, slots));
      const back = own.filter(({ raceId }) => yielding.has(raceId));
      for (const one of back) own.splice(own.indexOf(one), 1);
      return back;
    });
    queue = [...queue, ...given];
    return new Set(held.flat().map(({ raceId }) => raceId));
  };
}

test('600 live races in restart order and 400 slots: the nearest soon have the slots, and keep them', () => {
  const live = Array.from({ length: 600 }, (_, i) => race(`in ${i}`, (i * 180) / 600));
  const shuffled = live.map((one, i) => ({ one, at: (i * 7919) % 600 })).sort((a, b) => a.at - b.at);
  const round = rounds(
    shuffled.map(({ one }) => one),
    2,
    200,
  );
  for (let i = 0; i < 10; i++) round();
  for (let i = 0; i < 5; i++) {
    const polled = round();
    const nearest = live.slice(0, 360).filter(({ raceId }) => !polled.has(raceId));
    expect(nearest).toEqual([]);
  }
});
