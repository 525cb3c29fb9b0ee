// The events of a reading go to every connection with its own id: whatever the connections and their order, each gets
// the same text with its own name and place, in one valid HTTP chunk, and no later one changes what an earlier one
// keeps.
import fc from 'fast-check';
import { eventGroup } from '../../../../src/api/kernel/stream/event-text';
import { runs } from '../../../support/property';

const json = fc.json().map((text) => text.replaceAll('\n', ''));
const event = fc.tuple(fc.constantFrom('race', 'gone', 'changes'), fc.oneof(json, json.map(Buffer.from)));
const place = fc.constantFrom('2026-11-30T01:00:00.000Z 48-a', '2026-11-30T01:00:00.250Z 48-a', '2026 168-betslip-b');
const connection = fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constant('short') });

test('each connection gets the events with its own id, in one chunk, and keeps what it has not passed on', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(place, connection, fc.boolean()), { minLength: 1, maxLength: 12 }),
      (events, readers) => {
        const group = eventGroup(events);
        const before = events.slice(0, -1).map(([name, data]) => `event: ${name}\ndata: ${data}\n\n`);
        const [name, data] = events.at(-1)!;
        const checks = readers.map(([place, connection, passesOn]) => {
          const own = `${before.join('')}event: ${name}\nid: ${place} ${connection}\ndata: ${data}\n\n`;
          let check = (): void => {};
          group.give(place, connection, (bytes, framed) => {
            check = () => {
              expect(bytes.toString()).toBe(own);
              expect(framed.toString()).toBe(`${Buffer.byteLength(own).toString(16)}\r\n${own}\r\n`);
            };
            check();
            return passesOn;
          });
          return passesOn ? () => {} : check;
        });
        for (const check of checks) check();
      },
    ),
    { numRuns: runs(1000) },
  );
});
