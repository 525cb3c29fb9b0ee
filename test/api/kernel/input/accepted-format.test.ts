// The format that `Accept` chooses, also for an operation that lacks one.
import { acceptedFormat } from '../../../../src/api/kernel/input/accepted-format';
import { AppError } from '../../../../src/errors';

const PARQUET = 'application/vnd.apache.parquet';

test('an operation without Parquet refuses who accepts nothing else, and sends what else is accepted', () => {
  const refused = acceptedFormat(PARQUET, ['csv']);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({
    code: 'not_acceptable',
    message: `${PARQUET} is not served here; send Accept: application/json or text/csv.`,
  });
  expect(acceptedFormat(`${PARQUET}, text/csv`, ['csv'])).toBe('csv');
  expect(acceptedFormat(`${PARQUET}, application/json`, ['csv'])).toBe('json');
  expect(acceptedFormat(PARQUET, ['csv', 'parquet'])).toBe('parquet');
});
