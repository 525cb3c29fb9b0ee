// The events of a reading go to every connection with its own id: whatever the connections and their order, each gets
// the same text with its own name and place, in one valid HTTP chunk, and no later one changes what an earlier one got.
import fc from 'fast-check';
import { eventGroup } from '../../../../src/api/kernel/stream/event-text';
import { runs } from '../../../support/property';

const json = fc.json().map((text) => text.replaceAll('\n', ''));
const event = fc.tuple(fc.constantFrom('race', 'gone', 'changes'), fc.oneof(json, json.map(Buffer.from)));
const place = fc.constantFrom('2026-11-30T01:00:00.000Z 48-a', '2026-11-30T01:00:00.250Z 48-a', '2026 168-betslip-b');
const connection = fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constant('short') });

test('each connection gets the events with its own id, in one chunk, and keeps what it got', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(place, connection), { minLength: 1, maxLength: 12 }),
      (events, readers) => {
        const group = eventGroup(events);
        const before = events.slice(0, -1).map(([name, data]) => `event: ${name}\ndata: ${data}\n\n`);
        const [name, data] = events.at(-1)!;
        const sent = readers.map(([place, connection]) => ({
          place,
          connection,
          ...group.chunkFor(place, connection),
        }));
        for (const { place, connection, bytes, framed } of sent) {
          const own = `${before.join('')}event: ${name}\nid: ${place} ${connection}\ndata: ${data}\n\n`;
          expect(bytes.toString()).toBe(own);
          expect(framed.toString()).toBe(`${Buffer.byteLength(own).toString(16)}\r\n${own}\r\n`);
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});
