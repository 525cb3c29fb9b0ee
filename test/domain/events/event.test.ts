import fc from 'fast-check';
import { canonicalJson } from '../../../src/domain/events/canonical-json';
import { eventBody } from '../../../src/domain/events/event';

describe('canonicalJson', () => {
  it('sorts the keys of every depth and writes no spaces', () => {
    const value = { b: [{ z: 1, a: null }, 'two words'], a: { 10: 1, 9: 2 }, absent: undefined };
    expect(canonicalJson(value)).toBe('{"a":{"10":1,"9":2},"b":[{"a":null,"z":1},"two words"]}');
  });

  it('gives the same text, whatever the order of the members', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries([...Object.entries(value)].reverse().map(([key, one]) => [key, reversed(one)]));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});

it('gives an event the members that every event has, which take precedence over its facts', () => {
  const body = eventBody({
    eventId: 'evt_00000000000000000000000000000001',
    kind: 'race.market_closed',
    occurredAt: '2026-11-21T02:44:17.123Z',
    raceId: '6f0c2a52-0000-4000-8000-000000000001',
    accountId: null,
    facts: { venue: 'Randwick', id: 'not this one' },
    sequence: 3,
  });
  expect(body).toBe(
    '{"event":"race.market_closed","id":"evt_00000000000000000000000000000001","occurred_at":"2026-11-21T02:44:17.123Z",' +
      '"sequence":3,"venue":"Randwick"}',
  );
});
