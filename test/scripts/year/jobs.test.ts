// `npm run year` runs every Schedule, or names the reason why not.
import { PERIODIC } from '../../../src/workers/schedules/table';
import { JOBS, NOT_LIVED } from '../../support/year/jobs';

test('no Schedule is forgotten', () => {
  expect([...Object.keys(JOBS), ...Object.keys(NOT_LIVED)].sort()).toEqual(Object.keys(PERIODIC).sort());
});
