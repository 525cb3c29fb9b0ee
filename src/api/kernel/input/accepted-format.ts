// The format that a request accepts, if its parameter `format` does not choose one (D64).
import Negotiator from 'negotiator';
import { AppError } from '../../../errors';
import { type RowFormat, rowType } from '../http/response/rows';

const ROW_FORMATS: readonly RowFormat[] = ['csv', 'parquet'];
const JSON_TYPE = 'application/json';

const formatOf = (type: string): RowFormat | undefined =>
  ROW_FORMATS.find((format) => rowType(format) === type.toLowerCase());

/** JSON, unless every type that `Accept` names is CSV's or Parquet's; a refusal if none of those is served. */
export function acceptedFormat(
  accept: string | undefined,
  served: readonly RowFormat[],
): 'json' | RowFormat | AppError {
  const types = accept === undefined ? [] : new Negotiator({ headers: { accept } }).mediaTypes();
  const formats = types.map(formatOf);
  if (types.length === 0 || formats.includes(undefined)) return 'json';
  return formats.find((format) => served.includes(format!)) ?? notAcceptable(types, served);
}

const notAcceptable = (types: readonly string[], served: readonly RowFormat[]): AppError =>
  new AppError(
    'not_acceptable',
    `${[...new Set(types)].join(' and ')} is not served here; send Accept: ${[JSON_TYPE, ...served.map(rowType)].join(' or ')}.`,
  );
