// The refusal of an address that no mail reaches.
import { AppError } from '../../errors';
import { type Address, meantAddress } from './address';

export function undeliverable(address: Address): AppError {
  const suggestion = meantAddress(address, 'surely');
  const fix = suggestion === null ? 'Check its spelling, or use another address.' : `Did you mean ${suggestion}?`;
  const detail = `${address.domain} cannot receive mail. ${fix} Nothing was created.`;
  return new AppError('undeliverable_address', detail, suggestion === null ? {} : { suggestion });
}
