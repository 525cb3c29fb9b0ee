import { type HorseSighting, horseOf, isHorseRef } from '../../../src/domain/form/horse';

const seen = (
  ref: string | null,
  at: string,
  name = 'GOLD TRIP',
  source: HorseSighting['source'] = 'results',
): HorseSighting => ({ key: 'goldtrip', name, ref, at: `${at}T03:00:00.000Z`, source });

test('a name resolves to the horse’s most recent code, and all its codes', () => {
  const sightings = [
    seen('ra:2', '2026-11-07', 'Gold Trip (FR)'),
    seen('ra:3', '2026-11-24', 'GOLD TRIP', 'acceptances'),
    seen(null, '2026-11-30'),
    seen('ra:1', '2026-10-01'),
    { ...seen('ra:9', '2026-11-25'), key: 'other', name: 'OTHER' },
  ];
  const horse = { key: 'goldtrip', ref: 'ra:3', refs: ['ra:3', 'ra:2', 'ra:1'], lastSeen: '2026-11-30T03:00:00.000Z' };
  expect(horseOf({ key: 'goldtrip' }, sightings)).toEqual({ name: 'GOLD TRIP', ...horse });
  expect(horseOf({ key: 'goldtrip' }, sightings.reverse())).toEqual({ name: 'GOLD TRIP', ...horse });
});

test('a code fixes what is read and keeps the horse’s others', () => {
  const sightings = [seen('ra:1', '2026-10-01'), seen('ra:2', '2026-11-07')];
  expect(horseOf({ ref: 'ra:1' }, sightings)).toMatchObject({ ref: 'ra:1', refs: ['ra:1', 'ra:2'] });
  expect(horseOf({ ref: 'ra:7' }, sightings)).toBeNull();
});

test('a page that was read on request ranks behind every feed’s report', () => {
  const sightings = [seen('ra:1', '2026-11-20', 'GOLD TRIP', 'page'), seen('ra:2', '2026-11-07')];
  expect(horseOf({ key: 'goldtrip' }, sightings)).toMatchObject({ ref: 'ra:2', refs: ['ra:2', 'ra:1'] });
  expect(horseOf({ key: 'goldtrip' }, sightings.slice(0, 1))).toMatchObject({ ref: 'ra:1' });
});

test('two countries of birth are two horses: neither has the other’s codes', () => {
  const sightings = [
    seen('ra:1', '2026-10-01', 'Gold Trip (FR)'),
    seen('ra:2', '2026-11-07', 'Gold Trip (NZ)'),
    seen('ra:3', '2026-11-01', 'Gold Trip (NZL)'),
  ];
  expect(horseOf({ key: 'goldtrip' }, sightings)).toMatchObject({ ref: 'ra:2', refs: ['ra:2', 'ra:3'] });
  expect(horseOf({ ref: 'ra:1' }, sightings)).toMatchObject({ ref: 'ra:1', refs: ['ra:1'] });
});

test('a horse without a code is known but has no codes; a horse that was never seen is unknown', () => {
  expect(horseOf({ key: 'goldtrip' }, [seen(null, '2026-10-01')])).toMatchObject({ ref: null, refs: [] });
  expect(horseOf({ key: 'silvertrip' }, [seen('ra:1', '2026-10-01')])).toBeNull();
});

test.each([
  ['ra:2012062480', true],
  ['ra:-5', false],
  ['ra:abc', false],
  ['grv:5', false],
  [`ra:${'9'.repeat(21)}`, false],
])('%s', (ref, expected) => expect(isHorseRef(ref)).toBe(expected));
