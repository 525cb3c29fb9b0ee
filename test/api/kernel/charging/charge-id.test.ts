import { chargeId } from '../../../../src/api/kernel/charging/charge-id';

const RANDOM = '0b1c2d3e-4f50-4a6b-9c7d-8e9fa0b1c2d3';

test.each([
  [0, '00000000-0000-7a6b-9c7d-8e9fa0b1c2d3'],
  [0x019aa57d1234, '019aa57d-1234-7a6b-9c7d-8e9fa0b1c2d3'],
  // As the wall clock of a process reads.
  [0x019aa57d1234 + 0.7236, '019aa57d-1234-7a6b-9c7d-8e9fa0b1c2d3'],
])('at %d it is a version 7 UUID that starts with the instant', (ms, id) => {
  expect(chargeId(ms, RANDOM)).toBe(id);
});
