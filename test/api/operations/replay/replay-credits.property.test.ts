// What a replay costs, whatever a client asks for and makes up: no event of a race is sent in a play that has not paid
// for this race, also when races are archived while it plays, and when ids are put together from others.
import fc from 'fast-check';
import { runs } from '../../../support/property';
import { archivedRace } from '../../../support/races/archived-race';
import { HERE, type PlayedLine, replays } from './replays';

const lab = replays();
const FIRST_DAY = Date.parse('2026-06-01T00:00:00.000Z');
const DAY_MS = 86_400_000;
const ID = /^(\S+) (\w{8})-(\w{8}) (\S+)$/;

/** Races to its hour. */
async function archiveRace(day: string, venue: string, number: number): Promise<void> {
  const startTime = new Date(Date.parse(`${day}T00:00:00.000Z`) + number * 1_200_000).toISOString();
  const prices = { tab: [[1700, 3, 5] as const, [60, 3.5, 6] as const], neds: [[900, 2.9, 5.5] as const] };
  await archivedRace(lab.db.pool, { meetingDate: day, venue, raceNumber: number, startTime }, prices);
}

const part = fc.nat(1000);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('archive' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('begin' as const), selection: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('resume' as const),
      selection: fc.nat(2),
      place: part,
      races: part,
      play: part,
      /** Its own place, digest and play, or those of other ids. */
      isMadeUp: fc.boolean(),
    }),
  },
);

test('no race is sent in a play that has not paid for it', async () => {
  const seen = { pairs: 0, forged: 0, free: 0, difference: 0 };
  let venues = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      // Races of two venues at one time may be one race.
      const day = new Date(FIRST_DAY + ++venues * DAY_MS).toISOString().slice(0, 10);
      const venue = `Creditfield ${venues}`;
      const key = await lab.addKey('scale');
      const search = (selection: number) =>
        `?date=${day}&venue=${encodeURIComponent(venue)}&speed=max${['', '&bookmakers=tab', '&bookmakers=neds'][selection]}`;
      const ids: { id: string; selection: number }[] = [];
      const sent = new Map<string, Set<string>>();
      const play = async (selection: number, id: string | null): Promise<void> => {
        const after = id === null ? '' : `&last_event_id=${encodeURIComponent(id)}`;
        const { status, text, headers } = await lab.apis[0].get(
          `${HERE}${search(selection)}&format=ndjson${after}`,
          key,
        );
        expect([200, 422]).toContain(status);
        if (status !== 200) return;
        const events: PlayedLine[] = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
        const own = ID.exec(events.at(-1)!.id!)![4]!;
        const races = sent.get(own) ?? new Set();
        sent.set(own, races);
        for (const { event, data } of events) {
          if (data.race_id) races.add(data.race_id);
          if (event === 'changes') for (const race of data.races) races.add(race.race_id);
        }
        for (const one of events) if (one.id) ids.push({ id: one.id, selection });
        const cost = Number(headers.get('x-credits-cost'));
        if (id?.endsWith(own)) seen[cost === 0 ? 'free' : 'difference'] += 1;
      };
      let archived = 0;
      for (const one of steps) {
        if (one.does === 'archive') await archiveRace(day, venue, ++archived);
        if (one.does === 'begin') await play(one.selection, null);
        if (one.does !== 'resume') continue;
        const own = ids.filter(({ selection }) => selection === one.selection);
        if (own.length === 0) continue;
        const base = own[one.place % own.length]!.id;
        if (!one.isMadeUp) {
          await play(one.selection, base);
          continue;
        }
        seen.forged += 1;
        const of = (n: number) => ID.exec(ids[n % ids.length]!.id)!;
        await play(one.selection, `${of(one.place)[1]} ${ID.exec(base)![2]}-${of(one.races)[3]} ${of(one.play)[4]}`);
      }
      const pairs = [...sent.values()].reduce((sum, races) => sum + races.size, 0);
      seen.pairs += pairs;
      expect(await lab.used(key)).toBeGreaterThanOrEqual(5 * pairs);
    }),
    {
      numRuns: runs(25),
      examples: [
        // Asked for before its races are archived, and then with an id.
        [
          [
            { does: 'archive' },
            { does: 'begin', selection: 0 },
            { does: 'archive' },
            { does: 'resume', selection: 0, place: 0, races: 0, play: 0, isMadeUp: false },
          ],
        ],
      ],
    },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('twenty times it goes on for free, then what is left is paid', async () => {
  await lab.addCopies(1, '2026-11-08', 'Freefield');
  const key = await lab.addKey();
  const search = `?date=2026-11-08&venue=Freefield&speed=max`;
  const [first] = await lab.played(key, search);
  const again = () => lab.played(key, `${search}&last_event_id=${encodeURIComponent(first!.id!)}`);
  for (let i = 0; i < 20; i++) await again();
  expect(await lab.used(key)).toBe(5);
  await again();
  expect(await lab.used(key)).toBe(10);
  await again();
  expect(await lab.used(key)).toBe(10);
});
